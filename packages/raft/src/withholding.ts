import { isLeaseValid, isPromisedAway } from './lease.js';
import { quorumValue } from './quorum.js';
import type { LeaderState, RaftState } from './state.js';
import type { NodeId } from './types.js';

/**
 * May `candidate` not even be considered, since a leader is being heard, or this node promised
 * its vote away (§4.2.3, §6.4.1)? Such a request changes nothing at all, its term included. The
 * leader itself is exempt: it knows best that it lost its place.
 */
export function isVoteWithheld(state: RaftState, candidate: NodeId): boolean {
  const { role } = state;
  if (role.type === 'leader') return isLeadingSurely(state, role);
  if (role.type === 'follower' && isHeard(state, role.leader, candidate)) return true;
  return isPromisedAway(state, candidate);
}

function isHeard(
  state: RaftState,
  leader: { readonly id: NodeId; readonly contactMs: number } | undefined,
  candidate: NodeId,
): boolean {
  if (leader === undefined || leader.id === candidate) return false;
  return state.nowMs - leader.contactMs < state.options.electionTimeoutMs;
}

/** A leader hears itself while a quorum hears it, and always while its lease is valid. */
function isLeadingSurely(state: RaftState, role: LeaderState): boolean {
  return isLeaseValid(state, role, state.nowMs) || !isQuorumSilent(state, role, 0);
}

/**
 * Has no quorum been heard for an election timeout (CheckQuorum, §6.2)? `excusedMs` of it this
 * node itself was late.
 */
export function isQuorumSilent(state: RaftState, role: LeaderState, excusedMs: number): boolean {
  const contacts = role.progress.map((progress) => progress.contactMs);
  contacts.push(state.nowMs);
  const silentMs = state.nowMs - quorumValue(contacts);
  return silentMs - excusedMs >= state.options.electionTimeoutMs;
}
