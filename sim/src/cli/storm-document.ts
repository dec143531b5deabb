import { showSeed } from './arguments.js';
import type { StormRequest } from './storm-command.js';
import type { StormTotals } from './storm-totals.js';

/** The contract of `storm --json` (DESIGN section 10), and what else scripts may want. */
export interface StormDocument {
  readonly seeds: number;
  readonly failures: number;
  readonly clusterHours: number;
  readonly cpuSeconds: number;
  readonly leaderChanges: number;
  readonly faults: number;
  readonly operations: number;
  readonly events: number;
  /** Simulated time over CPU time. */
  readonly speed: number;
  readonly yardstickMs: number | undefined;
  readonly firstSeed: string;
  readonly failed: readonly {
    readonly seed: string;
    readonly checker: string;
    readonly sentence: string;
  }[];
  readonly faultsByKind: Readonly<Record<string, number>>;
  readonly sometimes: Readonly<Record<string, number>>;
  /** What the run had to reach and did not. */
  readonly complaints: readonly string[];
}

export function stormDocument(
  { first }: StormRequest,
  totals: StormTotals,
  complaints: readonly string[],
): StormDocument {
  return {
    seeds: totals.seeds,
    failures: totals.failed.length,
    clusterHours: rounded(totals.clusterHours),
    cpuSeconds: rounded(totals.cpuSeconds),
    leaderChanges: totals.leaderChanges,
    faults: totals.faults,
    operations: totals.operations,
    events: totals.events,
    speed: rounded((totals.clusterHours * 3600) / totals.cpuSeconds),
    yardstickMs: totals.yardstickMs,
    firstSeed: showSeed(first.seed),
    failed: totals.failed.map(({ seed, failure }) => ({
      seed: showSeed(seed),
      checker: failure.checker,
      sentence: failure.sentence,
    })),
    faultsByKind: totals.faultsByKind,
    sometimes: totals.sometimes,
    complaints,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
