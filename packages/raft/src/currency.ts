import { maxIndex, termAt } from './log.js';
import type { FollowedLeader, RaftState } from './state.js';
import type { LogIndex } from './types.js';

/**
 * Has this node applied what the cluster has committed, but for what is on its way? Then its state
 * is behind by no restart, no partition, and no acknowledgements that get lost. An entry of the
 * current term is applied, so all of earlier terms is. As a follower also all that the leader had
 * committed when it was first heard, and from then on, within two election timeouts, all that it
 * tells: a node that hears its leader and is not heard by it gets no more entries.
 */
export function isUpToDate(state: RaftState, nowMs: number): boolean {
  const { role, log, appliedIndex, hardState } = state;
  if (termAt(log, appliedIndex) !== hardState.term) return false;
  if (role.type === 'leader') return true;
  if (role.type !== 'follower' || role.leader === undefined) return false;
  const { contactMs, goalIndex, goalMs } = role.leader;
  const patienceMs = 2 * state.options.electionTimeoutMs;
  // A node that stood still has heard nobody meanwhile, whatever its unread timers say.
  if (nowMs - contactMs >= patienceMs || goalIndex === undefined) return false;
  return appliedIndex >= goalIndex || (goalMs !== undefined && nowMs - goalMs < patienceMs);
}

/** The leader says what is committed: the next goal, once the one before it is reached. */
export function noteGoal(state: RaftState, leader: FollowedLeader, commitIndex: LogIndex): void {
  if (leader.goalIndex === undefined) {
    leader.goalIndex = commitIndex;
  } else if (state.appliedIndex >= leader.goalIndex) {
    leader.goalIndex = maxIndex(leader.goalIndex, commitIndex);
    leader.goalMs = state.nowMs;
  }
}
