/**
 * What kind of world a run lives in: drawn once a run, so that faults do not mask each other.
 * Times are true milliseconds, chances are per cent.
 */
export interface WorldProfile {
  /** Keys every small decision: latencies, losses, election time-outs. */
  readonly seed: number;
  readonly nodeCount: number;
  readonly heartbeatMs: number;
  readonly electionTimeoutMs: number;
  readonly leaseReads: boolean;
  readonly latencyMs: readonly [low: number, high: number];
  /** Chance that a message takes up to `slowMs` instead. */
  readonly slowPercent: number;
  readonly slowMs: number;
  /** Whether a link keeps the order of its messages, as a connection does. */
  readonly inOrder: boolean;
  readonly lossPercent: number;
  readonly duplicatePercent: number;
  readonly writeMs: readonly [low: number, high: number];
  /** How far a clock's rate may be off, as a fraction; the core is told the same. */
  readonly clockRateBound: number;
  /**
   * How far each node's clock is off, by position, from −1 (slow by the whole bound) to 1; nodes
   * without one keep true time. More than 1 is a clock that breaks the assumption of leases.
   */
  readonly clockSkews: readonly number[];
  readonly appendBytesMax: number;
  readonly inflightMessagesMax: number;
}

/** A calm local network of three: tests change what they care about. */
export const CALM_PROFILE: WorldProfile = {
  seed: 1,
  nodeCount: 3,
  heartbeatMs: 50,
  electionTimeoutMs: 300,
  leaseReads: false,
  latencyMs: [1, 3],
  slowPercent: 0,
  slowMs: 0,
  inOrder: true,
  lossPercent: 0,
  duplicatePercent: 0,
  writeMs: [1, 4],
  clockRateBound: 0.01,
  clockSkews: [],
  appendBytesMax: 262_144,
  inflightMessagesMax: 256,
};
