import { hasOwnTermCommit } from './commit.js';
import type { RaftOptions } from './config.js';
import { recordPromise } from './persistence.js';
import type { Progress } from './progress.js';
import { quorumValue } from './quorum.js';
import { sentMsOf } from './read-index.js';
import { isSingleVoter, type LeaderState, type RaftState } from './state.js';
import type { NodeId } from './types.js';

/** Timer granularity and scheduling between a check of the lease and the reply, ms. */
export const LEASE_SLACK_MS = 10;

/**
 * How long a lease runs from the send time of its round. Each clock's rate may be off by ρ: the
 * leader's may run slow by (1 − ρ) while a voter's runs fast by (1 + ρ), and still the lease must
 * end first (§6.4.1).
 */
export function leaseMs(options: RaftOptions): number {
  const { electionTimeoutMs, clockRateBound } = options;
  return (electionTimeoutMs * (1 - clockRateBound)) / (1 + clockRateBound) - LEASE_SLACK_MS;
}

/**
 * The promise a leader asks for, ms: the base election timeout, never a randomised one.
 * 0 where lease reads are off.
 */
export function askedPromiseMs(options: RaftOptions): number {
  return options.leaseReads ? options.electionTimeoutMs : 0;
}

/**
 * As a voter: withhold the vote from all but `leader` for `promiseMs` from now, whatever this
 * node's own flags. Returns the promise as honoured. It never moves back.
 */
export function makePromise(state: RaftState, leader: NodeId, promiseMs: number): number {
  if (promiseMs <= 0 || promiseMs > state.options.limits.promiseMsMax) return 0;
  const untilMs = Math.max(state.promise?.untilMs ?? 0, state.nowMs + promiseMs);
  state.promise = { untilMs, to: leader };
  recordPromise(state, promiseMs);
  return promiseMs;
}

/** After a restart: someone may have been promised as much as this, just before. */
export function restorePromise(state: RaftState): void {
  const { promiseMs } = state.hardState;
  if (promiseMs === 0 || isSingleVoter(state)) return;
  state.promise = { untilMs: state.nowMs + promiseMs, to: undefined };
}

/** Is the vote promised away to someone other than `candidate`? */
export function isPromisedAway(state: RaftState, candidate: NodeId): boolean {
  const { promise } = state;
  return promise !== undefined && state.nowMs < promise.untilMs && promise.to !== candidate;
}

/**
 * A peer answered `round` with the promise it honours. The lease runs from the time that a quorum
 * of such rounds were *sent*, never from an arrival.
 */
export function extendLease(
  state: RaftState,
  role: LeaderState,
  progress: Progress,
  answer: { readonly round: number; readonly promiseMs: number },
): void {
  const { options } = state;
  if (!options.leaseReads || answer.promiseMs < askedPromiseMs(options)) return;
  const sentMs = sentMsOf(role.reads, answer.round);
  if (sentMs === undefined) return;
  progress.promisedFromMs = Math.max(progress.promisedFromMs ?? sentMs, sentMs);

  // This node counts without waiting: a leader whose lease is valid votes for nobody else.
  const starts = role.progress.map((one) => one.promisedFromMs ?? Number.NEGATIVE_INFINITY);
  starts.push(Number.POSITIVE_INFINITY);
  const endMs = quorumValue(starts) + leaseMs(options);
  if (endMs > (role.leaseEndMs ?? Number.NEGATIVE_INFINITY)) role.leaseEndMs = endMs;
}

/** Can no other node have become leader by `nowMs`? A single voter has nobody to ask. */
export function isLeaseValid(state: RaftState, role: LeaderState, nowMs: number): boolean {
  if (!state.options.leaseReads) return false;
  if (isSingleVoter(state)) return true;
  return role.leaseEndMs !== undefined && nowMs < role.leaseEndMs;
}

/** May a read be served from the lease? Not before an own-term commit (§6.4). */
export function mayServeLeaseReads(state: RaftState, role: LeaderState, nowMs: number): boolean {
  return isLeaseValid(state, role, nowMs) && hasOwnTermCommit(state);
}
