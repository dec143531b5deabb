import type { BugClass } from './bug.js';
import type { HuntResult } from './orders.js';

/** What became of one planted bug. */
export interface BugOutcome {
  readonly id: string;
  readonly title: string;
  readonly class: BugClass;
  /** Where it was planted: source files. */
  readonly files: readonly string[];
  /** Every hunt found it. */
  readonly found: boolean;
  readonly hunts: readonly HuntResult[];
  /** The process did not come to its end, which is a miss. */
  readonly broken: string | undefined;
}

/** The middle of the seeds that storms needed; undefined where no storm found it. */
export function medianSeeds({ hunts }: Pick<BugOutcome, 'hunts'>): number | undefined {
  const seeds = hunts
    .filter(({ hunt, found }) => hunt === 'storm' && found)
    .map(({ tried }) => tried)
    .sort((one, other) => one - other);
  return seeds[Math.floor((seeds.length - 1) / 2)];
}

export function cpuSecondsOf({ hunts }: Pick<BugOutcome, 'hunts'>): number {
  return hunts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/** Who found it, by any hunt. */
export function checkersOf({ hunts }: Pick<BugOutcome, 'hunts'>): readonly string[] {
  const checkers = hunts.flatMap(({ checker }) => (checker === undefined ? [] : [checker]));
  return [...new Set(checkers)];
}

/** Failures of others on the way, all hunts together. */
export function othersOf({ hunts }: Pick<BugOutcome, 'hunts'>): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const { others } of hunts) {
    for (const [checker, count] of Object.entries(others)) {
      sum[checker] = (sum[checker] ?? 0) + count;
    }
  }
  return sum;
}
