import type { BugClass } from './bug.js';
import type { HuntResult, OtherCatch } from './orders.js';

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
export function othersOf({ hunts }: Pick<BugOutcome, 'hunts'>): HuntResult['others'] {
  const sum: Record<string, OtherCatch> = {};
  for (const { others } of hunts) {
    for (const [checker, one] of Object.entries(others)) {
      const known = sum[checker];
      sum[checker] = { ...one, ...known, times: (known?.times ?? 0) + one.times };
    }
  }
  return sum;
}
