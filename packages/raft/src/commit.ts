import { lastIndex, maxIndex, minIndex, sliceEntries, termAt } from './log.js';
import { quorumValue } from './quorum.js';
import type { FollowedLeader, LeaderState, RaftState } from './state.js';
import type { Entry, LogIndex } from './types.js';

/**
 * Commits what a quorum holds durably, if the entry there is of this term: older entries commit
 * only behind it (§3.6.2, Figure 3.7; ). This node counts with what its own disk
 * holds, no more, and no quorum needs it.
 */
export function advanceCommit(state: RaftState, role: LeaderState): void {
  const matches: number[] = [state.persistence.durableIndex];
  for (const progress of role.progress) matches.push(progress.match);
  const index = quorumValue(matches) as LogIndex;
  if (index <= state.commitIndex) return;
  if (termAt(state.log, index) === state.hardState.term) state.commitIndex = index;
}

/**
 * As a follower: commits what the leader has committed and this log is proved to hold. The bound
 * is remembered and compared again whenever more is proved, and commit never falls.
 */
export function followCommit(state: RaftState, leader: FollowedLeader, bound: LogIndex): void {
  leader.commitBound = maxIndex(leader.commitBound, bound);
  const index = minIndex(leader.commitBound, leader.matchedIndex);
  state.commitIndex = maxIndex(state.commitIndex, index);
}

/** Does the commit index cover an entry of this term? Before that a leader knows no bound. §6.4 */
export function hasOwnTermCommit(state: RaftState): boolean {
  return termAt(state.log, state.commitIndex) === state.hardState.term;
}

/** Whether `takeCommitted` would hand over anything. */
export function committedEnd(state: RaftState): LogIndex {
  return minIndex(state.commitIndex, state.persistence.durableIndex);
}

/**
 * The entries to apply next: committed and durable here. A quorum's durability would do for
 * safety; waiting for the own disk as well means that what was applied is never ahead of the log
 * that a restart finds, and costs nothing where disks are alike.
 */
export function takeCommitted(state: RaftState): readonly Entry[] {
  const from = state.handedIndex;
  const through = committedEnd(state);
  if (through <= from) return [];
  state.handedIndex = through;
  return sliceEntries(state.log, from, through);
}

/** Where the leader's promise that `index` is committed can be trusted: where this log reaches. */
export function isWithinLog(state: RaftState, index: LogIndex): boolean {
  return index <= lastIndex(state.log);
}
