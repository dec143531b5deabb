import { FAULT_KINDS } from '../storm/fault-kind.js';
import type { FaultKind } from '../storm/fault-kind.js';
import type { StormFailure } from '../storm/failure.js';
import { SOMETIMES } from '../storm/sometimes/sometimes.js';
import type { SeedReport } from './seed-report.js';

export interface FailedSeed {
  readonly seed: number;
  readonly failure: StormFailure;
}

export interface SlowSeed {
  readonly seed: number;
  readonly wallMs: number;
  readonly events: number;
}

/** What all seeds of a run gave together. All but the times is a function of the seeds. */
export interface StormTotals {
  readonly seeds: number;
  readonly failed: readonly FailedSeed[];
  readonly simulatedMs: number;
  readonly clusterHours: number;
  readonly cpuSeconds: number;
  /** Median CPU time of a yardstick during the run; undefined: not measured. */
  readonly yardstickMs: number | undefined;
  readonly events: number;
  readonly leaderChanges: number;
  readonly operations: number;
  /** The longest that a healed core was without a leader, in election time-outs. */
  readonly slowestRecovery: number;
  readonly faults: number;
  readonly faultsByKind: Readonly<Record<FaultKind, number>>;
  readonly sometimes: Readonly<Record<string, number>>;
  /** Seeds by the number of nodes and of clients, from 0 on. */
  readonly nodeCounts: readonly number[];
  readonly clientCounts: readonly number[];
  readonly slowest: readonly SlowSeed[];
}

const SLOWEST_SHOWN = 5;
const MS_PER_HOUR = 3_600_000;

/** Adds up what the seeds of a run gave, in the order of the seeds. */
export class StormTally {
  readonly #failed: FailedSeed[] = [];
  readonly #faults: Record<FaultKind, number> = noFaults();
  /** From the list, so that what no seed told of is there, too. */
  readonly #sometimes: Record<string, number> = Object.fromEntries(
    SOMETIMES.map((name) => [name, 0]),
  );
  readonly #yardsticksMs: number[] = [];
  readonly #nodeCounts: number[] = [];
  readonly #clientCounts: number[] = [];
  #slowest: SlowSeed[] = [];
  #seeds = 0;
  #simulatedMs = 0;
  #events = 0;
  #leaderChanges = 0;
  #operations = 0;
  #slowestRecovery = 0;

  get seeds(): number {
    return this.#seeds;
  }

  get failed(): readonly FailedSeed[] {
    return this.#failed;
  }

  get simulatedMs(): number {
    return this.#simulatedMs;
  }

  add(report: SeedReport): void {
    const { seed, failure, result, nodeCount, clientCount, wallMs } = report;
    this.#seeds += 1;
    if (report.yardstickMs !== undefined) this.#yardsticksMs.push(report.yardstickMs);
    if (failure !== undefined) this.#failed.push({ seed, failure });
    if (result === undefined) return;
    this.#simulatedMs += result.simulatedMs;
    this.#events += result.events;
    this.#leaderChanges += result.leaderChanges;
    this.#operations += result.operations;
    this.#slowestRecovery = Math.max(this.#slowestRecovery, result.recoveryElections ?? 0);
    for (const kind of FAULT_KINDS) this.#faults[kind] += result.faults[kind];
    for (const [name, count] of Object.entries(result.sometimes)) {
      this.#sometimes[name] = (this.#sometimes[name] ?? 0) + count;
    }
    countInto(this.#nodeCounts, nodeCount);
    countInto(this.#clientCounts, clientCount);
    this.#slowest = [...this.#slowest, { seed, wallMs, events: result.events }]
      .sort((left, right) => right.wallMs - left.wallMs)
      .slice(0, SLOWEST_SHOWN);
  }

  totals(cpuSeconds: number): StormTotals {
    return {
      seeds: this.#seeds,
      failed: this.#failed,
      simulatedMs: this.#simulatedMs,
      clusterHours: this.#simulatedMs / MS_PER_HOUR,
      cpuSeconds,
      yardstickMs: medianOf(this.#yardsticksMs),
      events: this.#events,
      leaderChanges: this.#leaderChanges,
      operations: this.#operations,
      slowestRecovery: this.#slowestRecovery,
      faults: FAULT_KINDS.reduce((sum, kind) => sum + this.#faults[kind], 0),
      faultsByKind: this.#faults,
      sometimes: this.#sometimes,
      nodeCounts: this.#nodeCounts,
      clientCounts: this.#clientCounts,
      slowest: this.#slowest,
    };
  }
}

function noFaults(): Record<FaultKind, number> {
  const counts: Partial<Record<FaultKind, number>> = {};
  for (const kind of FAULT_KINDS) counts[kind] = 0;
  return counts as Record<FaultKind, number>;
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1];
}

function countInto(counts: number[], size: number): void {
  while (counts.length <= size) counts.push(0);
  counts[size] = (counts[size] ?? 0) + 1;
}
