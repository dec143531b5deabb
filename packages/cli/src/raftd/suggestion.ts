/** At most this many typing slips are taken for the same word. */
const SLIPS_MAX = 3;

/** ` (did you mean X?)` for the nearest known word, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  let best: string | undefined;
  let bestSlips = SLIPS_MAX + 1;
  for (const candidate of known) {
    const slips = editDistance(word, candidate);
    if (slips < bestSlips) [best, bestSlips] = [candidate, slips];
  }
  return best === undefined ? '' : ` (did you mean ${best}?)`;
}

/** Insertions, deletions and replacements that turn `source` into `target`. */
function editDistance(source: string, target: string): number {
  let previous = Array.from({ length: target.length + 1 }, (_, column) => column);
  for (let row = 1; row <= source.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= target.length; column += 1) {
      const replaced = source[row - 1] === target[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + replaced,
        ),
      );
    }
    previous = current;
  }
  return previous[target.length] ?? 0;
}
