import type { BugOutcome } from './outcome.js';
import { checkersOf, cpuSecondsOf, medianSeeds } from './outcome.js';

const HEAD = ['bug', 'class', 'the code …', 'found by', 'seeds', 'CPU s'];

/** The table of sim/README.md: a row a bug. `seeds`: the median over the ranges. */
export function markdownTable(outcomes: readonly BugOutcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.id,
    outcome.class,
    outcome.title,
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

/** `S3`; `S2 (also elections)`: a search finds it too; `S16 (elections)`: nothing else does. */
function finders(outcome: BugOutcome): string {
  const searches = outcome.hunts.filter(({ hunt }) => hunt !== 'storm');
  const checkers = checkersOf(outcome).join(', ');
  if (searches.length === 0) return checkers;
  const scopes = searches.map(({ hunt }) => hunt.replace('explore:', '')).join(', ');
  return `${checkers} (${searches.length === outcome.hunts.length ? '' : 'also '}${scopes})`;
}
