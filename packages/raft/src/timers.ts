import { assertNever } from './assert.js';
import { electionTimeout } from './election.js';
import { sendScheduledHeartbeats } from './heartbeat.js';
import { becomeFollower, drawElectionDeadline } from './roles.js';
import type { LeaderState, RaftState } from './state.js';
import { isQuorumSilent } from './withholding.js';

/**
 * Every input brings the time. A leader that stood still for an election timeout may have been
 * replaced: it looks for its quorum before it does anything else (DESIGN 4, "Lost time").
 */
export function hearTime(state: RaftState, nowMs: number): void {
  if (nowMs > state.nowMs) state.nowMs = nowMs;
  const { role } = state;
  if (role.type !== 'leader') return;
  if (isStandstill(state, role.heartbeatDeadlineMs)) checkQuorum(state, 0);
}

/** Turns time into at most one event. What a late tick has missed is not replayed. */
export function fireTimers(state: RaftState): void {
  const { role, nowMs } = state;
  switch (role.type) {
    case 'leader':
      if (nowMs >= role.heartbeatDeadlineMs) beat(state, role);
      return;
    case 'follower':
    case 'pre-candidate':
    case 'candidate':
      if (role.electionDeadlineMs === undefined) return;
      if (nowMs < role.electionDeadlineMs) return;
      if (isStandstill(state, role.electionDeadlineMs)) {
        role.electionDeadlineMs = drawElectionDeadline(state);
      } else {
        electionTimeout(state);
      }
      return;
    /* v8 ignore next */
    default:
      assertNever(role);
  }
}

/** For as long as this node itself is late, answers to the last heartbeats may lie unread. */
function beat(state: RaftState, role: LeaderState): void {
  const { heartbeatDeadlineMs } = role;
  const isExcused = !isStandstill(state, heartbeatDeadlineMs);
  checkQuorum(state, isExcused ? lateMs(state, heartbeatDeadlineMs) : 0);
  if (state.role === role) sendScheduledHeartbeats(state, role);
}

/** A leader that no quorum has answered for an election timeout steps down (CheckQuorum, §6.2). */
export function checkQuorum(state: RaftState, excusedMs: number): void {
  const { role } = state;
  if (role.type === 'leader' && isQuorumSilent(state, role, excusedMs)) becomeFollower(state);
}

export function nextDeadlineMs(state: RaftState): number | undefined {
  const { role } = state;
  return role.type === 'leader' ? role.heartbeatDeadlineMs : role.electionDeadlineMs;
}

/**
 * A timer that is an election timeout late tells of this node's own standstill, not of the
 * leader's silence: what others sent meanwhile lies unread.
 */
function isStandstill(state: RaftState, deadlineMs: number): boolean {
  return lateMs(state, deadlineMs) >= state.options.electionTimeoutMs;
}

function lateMs(state: RaftState, deadlineMs: number): number {
  return Math.max(0, state.nowMs - deadlineMs);
}
