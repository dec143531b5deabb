import type { Settings } from '@raftd/coordinator';
import type { RaftLimits } from '@raftd/raft';
import type { FaultKind } from './fault-kind.js';

/**
 * What kind of world one storm rages in: drawn once a seed, so that faults do not mask each other
 * (swarm testing). Times are true milliseconds, chances are per cent.
 */
export interface StormProfile {
  /** 1 to 7, even sizes too. */
  readonly nodeCount: number;
  /** 1 to 8. */
  readonly clientCount: number;
  /** How long the storm rages before liveness mode. */
  readonly stormMs: number;
  /** What exists in this run. */
  readonly faults: readonly FaultKind[];
  readonly heartbeatMs: number;
  readonly electionTimeoutMs: number;
  readonly reads: 'quorum' | 'lease';
  readonly latencyMs: readonly [low: number, high: number];
  /** `delay`: chance that a message takes up to `slowMs` instead. */
  readonly slowPercent: number;
  readonly slowMs: number;
  /** Peer messages: without `reorder` a link keeps their order, as a connection does. */
  readonly lossPercent: number;
  readonly duplicatePercent: number;
  /** How long a synced write takes. */
  readonly writeMs: readonly [low: number, high: number];
  /** How long a process takes to come round to what it deferred: where batches form. */
  readonly turnMs: readonly [low: number, high: number];
  /**
   * By process, how far its clock's rate is off as a share of the bound (1 %): −1 to 1. Without
   * `clock-rate` all are 0. Beyond 1 the clocks break the assumption of leases: neither that
   * reads by the leader's lease are fresh (S23, S24) nor that two clients never hold at once (L4)
   * is demanded then; tokens must do.
   */
  readonly nodeSkews: readonly number[];
  readonly clientSkews: readonly number[];
  /** Frames cross the codec as bytes, as in production; false: the objects themselves, faster. */
  readonly encoded: boolean;
  /** Every node draws the same election time-outs: split votes (BUGGIFY). */
  readonly equalTimeouts: boolean;
  /** Overrides of the server's limits: small windows and pipelines make their edges happen. */
  readonly windowEventsMax: number;
  readonly pipelinedRequestsMax: number;
  /** What is bounded more tightly than in production: refusals happen. Absent: nothing. */
  readonly tight?: TightLimits;
}

export interface TightLimits {
  /** The cluster is initialized with these. */
  readonly settings: Partial<Settings>;
  /** Every core runs with these. */
  readonly core: Partial<RaftLimits>;
}
