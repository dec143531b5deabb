import { hasOwnTermCommit } from './commit.js';
import { quorumValue } from './quorum.js';
import type { Reads } from './reads-state.js';
import type { LeaderState, RaftState } from './state.js';

/** What `readIndex` answers. */
export type ReadRequested =
  | { readonly type: 'accepted'; readonly readId: number }
  | {
      readonly type: 'rejected';
      /**
       * `NOT_LEADER`: ask the leader. `NOT_READY`: leader, but nothing of its own term is
       * committed yet; ask again soon. `OVERLOADED`: `pendingReadsMax` reads wait already.
       */
      readonly code: 'NOT_LEADER' | 'NOT_READY' | 'OVERLOADED';
    };

/** Rounds whose send time is remembered. An answer to an older one renews no lease. */
const SENT_ROUNDS_MAX = 1024;

/** Registers a read that a round started from now on must confirm (§6.4). */
export function registerRead(state: RaftState, role: LeaderState): ReadRequested {
  const { reads } = role;
  if (!hasOwnTermCommit(state)) return { type: 'rejected', code: 'NOT_READY' };
  if (reads.pending.length >= state.options.limits.pendingReadsMax) {
    return { type: 'rejected', code: 'OVERLOADED' };
  }
  state.lastReadId += 1;
  const readId = state.lastReadId;
  // Where reads already wait, theirs is the round in flight: this one queues for the next.
  if (reads.pending.length === 0) reads.roundDue = true;
  reads.pending.push({ readId, index: state.commitIndex, round: reads.startedRound + 1 });
  return { type: 'accepted', readId };
}

/** Numbers a round and notes when it was sent: the lease runs from there. */
export function openRound(reads: Reads, nowMs: number): number {
  reads.startedRound += 1;
  reads.roundDue = false;
  reads.sentMs.push(nowMs);
  if (reads.sentMs.length >= 2 * SENT_ROUNDS_MAX) reads.sentMs.splice(0, SENT_ROUNDS_MAX);
  return reads.startedRound;
}

/** When `round` was sent; undefined if that is forgotten, or it never was. */
export function sentMsOf(reads: Reads, round: number): number | undefined {
  return reads.sentMs[reads.sentMs.length - 1 - (reads.startedRound - round)];
}

/**
 * Confirms every read whose round, or a later one, a quorum has answered. If reads are left that
 * came after the round in flight started, the next one is due.
 */
export function confirmReads(state: RaftState, role: LeaderState): void {
  const { reads } = role;
  if (reads.pending.length === 0) return;
  const rounds = role.progress.map((progress) => progress.ackedRound);
  rounds.push(reads.startedRound);
  const confirmedRound = quorumValue(rounds);
  let count = 0;
  for (const read of reads.pending) {
    if (read.round > confirmedRound) break;
    state.outbox.confirmedReads.push({ readId: read.readId, index: read.index });
    count += 1;
  }
  if (count === 0) return;
  reads.pending.splice(0, count);
  const [next] = reads.pending;
  if (next !== undefined && next.round > reads.startedRound) reads.roundDue = true;
}

/** A leader that steps down can confirm none of the reads that wait. */
export function abortReads(state: RaftState, role: LeaderState): void {
  for (const read of role.reads.pending) state.outbox.abortedReads.push(read.readId);
}
