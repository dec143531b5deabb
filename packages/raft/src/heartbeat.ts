import { followCommit, isWithinLog } from './commit.js';
import { askedPromiseMs, extendLease, makePromise } from './lease.js';
import { noteGoal } from './currency.js';
import { maxIndex } from './log.js';
import type { Heartbeat, HeartbeatResponse } from './messages.js';
import { sendDurably, sendNow } from './persistence.js';
import { isIdle, type Progress, resume } from './progress.js';
import { confirmReads, openRound } from './read-index.js';
import type { FollowedLeader, LeaderState, RaftState } from './state.js';

/** Rounds count from 1: of this one there is nothing to confirm. */
const NO_ROUND = 0;

/** One heartbeat to every peer, numbered as one round. */
export function startRound(state: RaftState, role: LeaderState): void {
  const round = openRound(role.reads, state.nowMs);
  const promiseMs = askedPromiseMs(state.options);
  for (const progress of role.progress) sendHeartbeat(state, progress, round, promiseMs);
  // A single voter is its own quorum: there is no answer to wait for.
  if (role.progress.length === 0) confirmReads(state, role);
}

/**
 * Says that the commit index has risen to each peer that no append on its way will tell: its
 * watches and stale reads would wait for the next heartbeat. Of round 0, so it is not answered;
 * if it is lost, that heartbeat says it again.
 */
export function sendCommitNotices(state: RaftState, role: LeaderState): void {
  for (const progress of role.progress) {
    if (progress.toldCommit >= state.commitIndex) continue;
    if (isIdle(progress)) sendHeartbeat(state, progress, NO_ROUND, 0);
  }
}

function sendHeartbeat(
  state: RaftState,
  progress: Progress,
  round: number,
  promiseMs: number,
): void {
  progress.toldCommit = state.commitIndex;
  sendNow(state, {
    type: 'heartbeat',
    from: state.options.id,
    to: progress.id,
    term: state.hardState.term,
    commitIndex: state.commitIndex,
    matchIndex: progress.match,
    round,
    promiseMs,
  });
}

/** The next heartbeat is due. Missed ones are not made up for: the schedule starts from now. */
export function sendScheduledHeartbeats(state: RaftState, role: LeaderState): void {
  role.heartbeatDeadlineMs = state.nowMs + state.options.heartbeatMs;
  for (const progress of role.progress) progress.beatSinceSent = true;
  startRound(state, role);
}

/** As a follower: the leader lives, knows this log up to a match, and asks a promise. */
export function onHeartbeat(state: RaftState, leader: FollowedLeader, message: Heartbeat): void {
  noteGoal(state, leader, message.commitIndex);
  // A match beyond what we have cannot be about this log, and is not believed.
  if (isWithinLog(state, message.matchIndex)) {
    leader.matchedIndex = maxIndex(leader.matchedIndex, message.matchIndex);
  }
  followCommit(state, leader, message.commitIndex);
  if (message.round === NO_ROUND) return;
  sendDurably(state, {
    type: 'heartbeat-response',
    from: state.options.id,
    to: message.from,
    term: state.hardState.term,
    round: message.round,
    promiseMs: makePromise(state, message.from, message.promiseMs),
  });
}

/** As leader: a peer was there after the round started. Only the first answer says so anew. */
export function onHeartbeatResponse(
  state: RaftState,
  role: LeaderState,
  progress: Progress,
  message: HeartbeatResponse,
): void {
  if (message.round > role.reads.startedRound) return;
  extendLease(state, role, progress, message);
  resume(progress);
  if (message.round <= progress.ackedRound) return;
  progress.ackedRound = message.round;
  progress.contactMs = state.nowMs;
  confirmReads(state, role);
}
