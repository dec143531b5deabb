import { assert } from './assert.js';
import { lastIndex, nextIndex } from './log.js';
import { adoptTerm } from './persistence.js';
import { makeProgress } from './progress.js';
import { abortReads } from './read-index.js';
import { makeReads } from './reads-state.js';
import { type FollowedLeader, type LeaderState, peersOf, type RaftState } from './state.js';
import { type NodeId, NO_INDEX, type Term } from './types.js';

/** Failed candidacies lengthen the timer up to this factor. */
const BACKOFF_MAX = 8;

/** When a campaign timer that starts now fires: drawn from [base, 2 · base) (§3.4). */
export function drawElectionDeadline(state: RaftState): number {
  return state.nowMs + drawTimeoutMs(state);
}

/**
 * The same for a candidacy under way: doubled for each one lost in a row, so that voters whose
 * disks need longer than the timer still get to answer.
 */
export function drawCandidacyDeadline(state: RaftState): number {
  const factor = Math.min(2 ** state.failedCandidacies, BACKOFF_MAX);
  return state.nowMs + factor * drawTimeoutMs(state);
}

function drawTimeoutMs(state: RaftState): number {
  const { electionTimeoutMs, random } = state.options;
  return electionTimeoutMs * (1 + random());
}

/** Enters a higher term that someone else spoke of: as a follower of nobody yet (§3.3). */
export function enterTerm(state: RaftState, term: Term): void {
  adoptTerm(state, term, undefined);
  becomeFollower(state);
}

/**
 * Follower of nobody yet. A follower keeps its timer, as hearing of a term is not hearing from a
 * leader; term and vote are not touched.
 */
export function becomeFollower(state: RaftState): void {
  const { role } = state;
  if (role.type === 'leader') abortReads(state, role);
  const electionDeadlineMs =
    role.type === 'follower' ? role.electionDeadlineMs : drawElectionDeadline(state);
  state.role = { type: 'follower', electionDeadlineMs, leader: undefined };
}

/** Asks for votes of the next term without entering it (§9.6). */
export function becomePreCandidate(state: RaftState): void {
  const electionDeadlineMs = drawElectionDeadline(state);
  const { id } = state.options;
  state.role = { type: 'pre-candidate', electionDeadlineMs, granted: [id] };
}

/** Enters the next term with a vote for itself, which counts once it is durable. */
export function becomeCandidate(state: RaftState): void {
  const term = (state.hardState.term + 1) as Term;
  adoptTerm(state, term, state.options.id);
  state.role = { type: 'candidate', electionDeadlineMs: undefined, granted: [], refused: [] };
}

/** Leads, with nothing known of any peer's log (Figure 3.1, "Reinitialized after election"). */
export function becomeLeader(state: RaftState): LeaderState {
  const next = nextIndex(lastIndex(state.log));
  const role: LeaderState = {
    type: 'leader',
    heartbeatDeadlineMs: state.nowMs,
    progress: peersOf(state).map((peer) => makeProgress(peer, next, state.nowMs)),
    reads: makeReads(),
    leaseEndMs: undefined,
  };
  state.role = role;
  state.failedCandidacies = 0;
  return role;
}

/** A current leader's message: follow it, or go on following it, and start the timer anew. */
export function followLeader(state: RaftState, id: NodeId): FollowedLeader {
  assert(state.role.type !== 'leader', 'a term has one leader');
  if (state.role.type !== 'follower') becomeFollower(state);
  const { role } = state;
  assert(role.type === 'follower', 'a node that heard its leader is a follower');
  assert(role.leader === undefined || role.leader.id === id, 'a term has one leader');
  role.leader ??= {
    id,
    contactMs: state.nowMs,
    goalIndex: undefined,
    goalMs: undefined,
    matchedIndex: NO_INDEX,
    commitBound: NO_INDEX,
    ackDue: false,
  };
  role.leader.contactMs = state.nowMs;
  role.electionDeadlineMs = drawElectionDeadline(state);
  state.failedCandidacies = 0;
  return role.leader;
}
