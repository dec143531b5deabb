import type { BugOutcome } from './outcome.js';
import { checkersOf, cpuSecondsOf, medianSeeds } from './outcome.js';

const HEAD = ['bug', 'class', 'the code …', 'where', 'found by', 'seeds', 'CPU s'];

/** The table of sim/README.md: a row a bug. `seeds`: the median over the ranges. */
export function markdownTable(outcomes: readonly BugOutcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.id,
    outcome.class,
    outcome.title,
    outcome.files.map(shortened).join(', '),
    outcome.found ? finders(outcome) : '**missed**',
    `${medianSeeds(outcome) ?? '–'}`,
    cpuSecondsOf(outcome).toFixed(1),
  ]);
  return `${markdownRows(HEAD, rows).join('\n')}\n`;
}

export function markdownRows(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** `S3 in storms, S17 in replication`. */
function finders({ hunts }: BugOutcome): string {
  const scopes = hunts.flatMap(({ hunt, checker }) =>
    hunt === 'storm' || checker === undefined
      ? []
      : [`${checker} in ${hunt.replace('explore:', '')}`],
  );
  const storms = checkersOf({ hunts: hunts.filter(({ hunt }) => hunt === 'storm') });
  const inStorms = storms.length === 0 ? [] : [`${storms.join(', ')} in storms`];
  return [...inStorms, ...scopes].join('; ');
}

function shortened(file: string): string {
  return file.replace('packages/', '').replace('/src/', '/').replace('.ts', '');
}
