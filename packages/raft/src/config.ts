import type { NodeId } from './types.js';

/** Bounds on what the core keeps or sends. Each is a positive integer. */
export interface RaftLimits {
  /**
   * Appends on their way to one peer, in messages. Too small starves the pipeline: it must cover
   * the batches of one round trip plus one fsync.
   */
  readonly inflightMessagesMax: number;
  /**
   * The same in bytes: bandwidth × delay of the link. Bounds what a follower with a slow disk
   * queues for its next write. One message may exceed it, so that a large entry can move at all.
   */
  readonly inflightBytesMax: number;
  /** Bytes of entries in one append, unless a single entry is larger (DESIGN 4: 256 KiB). */
  readonly appendBytesMax: number;
  /**
   * Appended but not committed, in bytes: beyond it a leader answers OVERLOADED. What is urgent
   * passes up to a quarter more, of this and of the next limit; no-ops always pass.
   */
  readonly uncommittedBytesMax: number;
  /**
   * The whole log, which is in memory until snapshots come, in bytes: beyond it a leader answers
   * OVERLOADED to commands. No-ops pass: a new leader could not commit without its own.
   */
  readonly logBytesMax: number;
  /** Reads waiting for their round; beyond it `readIndex` answers OVERLOADED. */
  readonly pendingReadsMax: number;
  /**
   * The longest promise this node honours, ms. A longer one is answered with 0, so that one
   * mistyped option elsewhere cannot keep this node from voting for an hour. A leader that asks
   * for promises needs `electionTimeoutMs` within it.
   */
  readonly promiseMsMax: number;
}

/** What a node is told once, at its start. Only `id` and `random` have no default. */
export interface RaftOptions {
  /** This node; must be one of the voters. */
  readonly id: NodeId;
  /**
   * Time between two heartbeats, ms. Default 50. At most half of `electionTimeoutMs`, or a single
   * lost heartbeat deposes the leader.
   */
  readonly heartbeatMs: number;
  /**
   * Base election timeout, ms. Default 300; each campaign timer is drawn from [base, 2 · base).
   * It is also how long votes are withheld after a leader was heard, how long a leader stays one
   * without its quorum, and the length of the lease promise: all nodes should agree on it.
   */
  readonly electionTimeoutMs: number;
  /** As leader, ask for promises and serve reads from the lease. Voters honour them regardless. */
  readonly leaseReads: boolean;
  /** How far one monotonic clock's rate may be off, as a fraction. Default 0.01, below 0.1. */
  readonly clockRateBound: number;
  /** Uniform in [0, 1); independent streams on different nodes. */
  readonly random: () => number;
  readonly limits: RaftLimits;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const DEFAULT_LIMITS: RaftLimits = {
  inflightMessagesMax: 256,
  inflightBytesMax: 8 * MIB,
  appendBytesMax: 256 * KIB,
  uncommittedBytesMax: 64 * MIB,
  logBytesMax: 4 * KIB * MIB,
  pendingReadsMax: 100_000,
  promiseMsMax: 60_000,
};

/** Every option that has a default. */
export const DEFAULT_OPTIONS: Omit<RaftOptions, 'id' | 'random'> = {
  heartbeatMs: 50,
  electionTimeoutMs: 300,
  leaseReads: false,
  clockRateBound: 0.01,
  limits: DEFAULT_LIMITS,
};

/** An option that cannot work; the message names it and gives the value. */
export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption';
  readonly code: string = 'INVALID_OPTION';
  readonly option: string;

  constructor(option: string, rule: string) {
    super(`${option} ${rule}`);
    this.option = option;
  }
}

/** @throws {InvalidOption} naming the first option that breaks its rule. */
export function validateOptions(options: RaftOptions): void {
  const { heartbeatMs, electionTimeoutMs, clockRateBound, limits } = options;
  if (options.id === '') throw new InvalidOption('id', 'must not be empty');
  requirePositive('heartbeatMs', heartbeatMs);
  requirePositive('electionTimeoutMs', electionTimeoutMs);
  if (electionTimeoutMs < 2 * heartbeatMs) {
    const rule = `is ${electionTimeoutMs}, below twice heartbeatMs (${heartbeatMs})`;
    throw new InvalidOption('electionTimeoutMs', rule);
  }
  if (!(clockRateBound >= 0 && clockRateBound < 0.1)) {
    throw new InvalidOption('clockRateBound', `is ${clockRateBound}, not within [0, 0.1)`);
  }
  if (options.leaseReads && electionTimeoutMs > limits.promiseMsMax) {
    const rule = `is ${electionTimeoutMs}, above limits.promiseMsMax (${limits.promiseMsMax})`;
    throw new InvalidOption('electionTimeoutMs', rule);
  }
  for (const [name, value] of Object.entries(limits)) requirePositive(`limits.${name}`, value);
}

function requirePositive(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new InvalidOption(option, `is ${value}, not a positive integer`);
}
