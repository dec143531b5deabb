import { termAt } from './log.js';
import type { FollowedLeader, RaftState } from './state.js';

/**
 * Has this node applied what had been committed when it last came to its leader? Then its state is
 * behind by what is on its way, not by a restart or a partition. An entry of the current term is
 * applied, so all of earlier terms is; as a follower also all that the leader had committed when
 * it was first heard, which a node that comes back in the middle of a term may lack.
 */
export function isUpToDate(state: RaftState, nowMs: number): boolean {
  const { role, log, appliedIndex, hardState } = state;
  if (termAt(log, appliedIndex) !== hardState.term) return false;
  if (role.type === 'leader') return true;
  if (role.type !== 'follower' || role.leader === undefined) return false;
  const { electionTimeoutMs } = state.options;
  // A node that stood still has heard nobody meanwhile, whatever its unread timers say.
  if (nowMs - role.leader.contactMs >= 2 * electionTimeoutMs) return false;
  const goal = catchUpGoal(role.leader, nowMs - electionTimeoutMs);
  return goal !== undefined && appliedIndex >= goal;
}

/**
 * An append says what the leader has committed. A heartbeat says less to a node that is behind
 * (at most what it is known to hold): it is believed once an append had the time to come.
 */
function catchUpGoal(leader: FollowedLeader, beforeMs: number): number | undefined {
  if (leader.catchUpIndex !== undefined) return leader.catchUpIndex;
  return leader.sinceMs <= beforeMs ? leader.commitBound : undefined;
}
