import type { FaultKind } from './fault-kind.js';
import type { StormFailure } from './failure.js';

/** What one run gave. Everything in it is a function of the plan. */
export interface StormResult {
  readonly seed: number;
  readonly failure: StormFailure | undefined;
  /** Simulated true time, storm and liveness mode together. */
  readonly simulatedMs: number;
  /** Things that happened on the agenda. */
  readonly events: number;
  readonly leaderChanges: number;
  /** From the heal to a leader of the healthy core, in election time-outs. */
  readonly recoveryElections: number | undefined;
  readonly operations: number;
  readonly faults: Readonly<Record<FaultKind, number>>;
  /** The "sometimes" events of verification.md §6, and what else a census counts: by name. */
  readonly sometimes: Readonly<Record<string, number>>;
  /** Hash over every event and its time: equal runs have equal hashes. */
  readonly traceHash: number;
}
