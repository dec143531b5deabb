import { lastIndex, lastTerm } from './log.js';
import type { PreVoteRequest, PreVoteResponse, VoteRequest, VoteResponse } from './messages.js';
import { recordVote, sendDurably, sendNow } from './persistence.js';
import { quorumSize } from './quorum.js';
import { lead } from './proposal.js';
import {
  becomeCandidate,
  becomeFollower,
  becomePreCandidate,
  drawCandidacyDeadline,
  drawElectionDeadline,
  enterTerm,
} from './roles.js';
import { type CandidateState, isSingleVoter, peersOf, type RaftState } from './state.js';
import type { LogIndex, NodeId, Term } from './types.js';
import { isVoteWithheld } from './withholding.js';

/**
 * The timer of a follower, pre-candidate or candidate fired: ask who would vote for us. A
 * candidate whose own vote is not durable yet has no timer, and a leader neither.
 */
export function electionTimeout(state: RaftState): void {
  const { role, promise, nowMs } = state;
  if (role.type === 'leader') return;
  if (role.type === 'candidate') {
    if (role.electionDeadlineMs === undefined) return;
    if (!isAnsweredByQuorum(state, role)) state.failedCandidacies += 1;
  }
  if (promise !== undefined && nowMs < promise.untilMs) {
    // A vote for itself is a vote for another than the leader it was promised to.
    role.electionDeadlineMs =
      promise.untilMs + state.options.random() * state.options.electionTimeoutMs;
    return;
  }
  if (isSingleVoter(state)) campaign(state);
  else preCampaign(state);
}

function preCampaign(state: RaftState): void {
  becomePreCandidate(state);
  const term = (state.hardState.term + 1) as Term;
  for (const to of peersOf(state)) {
    sendNow(state, {
      type: 'pre-vote-request',
      from: state.options.id,
      to,
      term,
      ...logEnd(state),
    });
  }
}

/**
 * The requests leave together with the own vote, in a write that also holds the whole log they
 * speak of: both come from one durability horizon.
 */
function campaign(state: RaftState): void {
  becomeCandidate(state);
  const { term } = state.hardState;
  for (const to of peersOf(state)) {
    sendDurably(state, {
      type: 'vote-request',
      from: state.options.id,
      to,
      term,
      ...logEnd(state),
    });
  }
}

/** Handling it changes no term, vote, timer, leader or lease: it is only an answer (§9.6, S31). */
export function onPreVoteRequest(state: RaftState, message: PreVoteRequest): void {
  const { term, votedFor } = state.hardState;
  const isVoteFree = message.term > term || votedFor === undefined || votedFor === message.from;
  const granted =
    message.term >= term &&
    isVoteFree &&
    isUpToDate(message, logEnd(state)) &&
    !isVoteWithheld(state, message.from);
  const envelope = { from: state.options.id, to: message.from };
  if (granted) {
    sendNow(state, { type: 'pre-vote-response', ...envelope, term: message.term, granted });
  } else {
    // Our own term: the asker adopts a higher one, so that it spreads even so.
    sendDurably(state, { type: 'pre-vote-response', ...envelope, term, granted });
  }
}

export function onPreVoteResponse(state: RaftState, message: PreVoteResponse): void {
  const { role, hardState } = state;
  if (!message.granted) {
    if (message.term > hardState.term) enterTerm(state, message.term);
    return;
  }
  // A grant of an earlier round, or one that comes after the election began, is void.
  if (role.type !== 'pre-candidate' || message.term !== hardState.term + 1) return;
  addVoter(role.granted, message.from);
  if (role.granted.length >= quorumOf(state)) campaign(state);
}

/** RequestVote, receiver's rule 2 (Figure 3.1); the term gate was passed. */
export function onVoteRequest(state: RaftState, message: VoteRequest): void {
  const { term, votedFor } = state.hardState;
  const granted =
    (votedFor === undefined || votedFor === message.from) &&
    isUpToDate(message, logEnd(state)) &&
    !isVoteWithheld(state, message.from);
  if (granted) grantVote(state, message.from);
  const envelope = { from: state.options.id, to: message.from, term };
  sendDurably(state, { type: 'vote-response', ...envelope, granted });
}

function grantVote(state: RaftState, candidate: NodeId): void {
  if (state.hardState.votedFor === undefined) recordVote(state, candidate);
  if (state.role.type !== 'follower') becomeFollower(state);
  else state.role.electionDeadlineMs = drawElectionDeadline(state);
}

export function onVoteResponse(state: RaftState, message: VoteResponse): void {
  const { role } = state;
  if (role.type !== 'candidate') return;
  addVoter(message.granted ? role.granted : role.refused, message.from);
  settleElection(state, role);
}

/** The write with the own vote is done: now it counts, and the wait for the others begins. */
export function onOwnVoteDurable(state: RaftState, role: CandidateState): void {
  addVoter(role.granted, state.options.id);
  role.electionDeadlineMs = drawCandidacyDeadline(state);
  settleElection(state, role);
}

/** Won with a quorum that includes the own durable vote; lost once no quorum is left to win. */
function settleElection(state: RaftState, role: CandidateState): void {
  const quorum = quorumOf(state);
  if (role.granted.length >= quorum && role.granted.includes(state.options.id)) {
    lead(state);
  } else if (role.refused.length > state.membership.voters.length - quorum) {
    becomeFollower(state);
  }
}

/**
 * Split votes are not slowness: only a candidacy that too few have answered in time asks for a
 * longer timer. Otherwise two survivors of three that split a few votes would back off for long.
 */
function isAnsweredByQuorum(state: RaftState, role: CandidateState): boolean {
  return role.granted.length + role.refused.length >= quorumOf(state);
}

function addVoter(voters: NodeId[], voter: NodeId): void {
  if (!voters.includes(voter)) voters.push(voter);
}

function quorumOf(state: RaftState): number {
  return quorumSize(state.membership.voters.length);
}

/** Where a log ends, for the comparison of two logs. */
export interface LogEnd {
  readonly lastTerm: Term;
  readonly lastIndex: LogIndex;
}

function logEnd(state: RaftState): LogEnd {
  return { lastIndex: lastIndex(state.log), lastTerm: lastTerm(state.log) };
}

/** The log with the later last term is more up-to-date; if equal, the longer one (§3.6.1). */
export function isUpToDate(candidate: LogEnd, own: LogEnd): boolean {
  if (candidate.lastTerm !== own.lastTerm) return candidate.lastTerm > own.lastTerm;
  return candidate.lastIndex >= own.lastIndex;
}
