import { assert, assertNever } from './assert.js';
import { inflightCount } from './inflight.js';
import { lastIndex, lastTerm, termAt } from './log.js';
import type { Progress } from './progress.js';
import type { CandidateState, LeaderState, RaftState } from './state.js';

/**
 * What holds of one node between any two inputs. The numbers are those of the project's
 * invariant list; what needs two nodes or two moments belongs to the simulator.
 * @throws {InvariantViolation}
 */
export function checkInvariants(state: Readonly<RaftState>): void {
  checkOrder(state);
  checkLog(state);
  checkPersistence(state);
  checkRole(state);
}

/** S4, S5, S6: applied ≤ handed over ≤ committed ≤ last. */
function checkOrder(state: Readonly<RaftState>): void {
  const { log, appliedIndex, handedIndex, commitIndex } = state;
  assert(appliedIndex >= 0, 'an index is never negative');
  assert(appliedIndex <= handedIndex, 'only what was handed over is applied');
  assert(handedIndex <= commitIndex, 'only what is committed is handed over');
  assert(handedIndex <= state.persistence.durableIndex, 'only what is durable is handed over');
  assert(commitIndex <= lastIndex(log), 'only what is in the log is committed');
}

/** S6, at both ends of the log: all of it was checked when it was appended. */
function checkLog(state: Readonly<RaftState>): void {
  const { entries, bytesThrough } = state.log;
  assert(entries.length === bytesThrough.length, 'each entry is counted');
  assert(lastTerm(state.log) <= state.hardState.term, 'no entry is of a later term than the node');
  const [first] = entries;
  assert(first === undefined || first.index === 1, 'the log starts at 1');
  const last = entries.at(-1);
  assert(last === undefined || last.index === entries.length, 'no index is skipped');
}

/** S3, S15: what is durable is never ahead of what was written, nor that of what there is. */
function checkPersistence(state: Readonly<RaftState>): void {
  const { persistence, log, hardState } = state;
  const { durableIndex, writtenIndex, inFlight } = persistence;
  assert(durableIndex <= writtenIndex, 'what is durable was written');
  assert(writtenIndex <= lastIndex(log), 'what was written is in the log');
  assert(writtenIndex <= persistence.diskLastIndex, 'what was written is on the disk');
  assert(persistence.durableHardState.term <= hardState.term, 'the durable term is not ahead');
  if (inFlight === undefined) {
    assert(
      durableIndex === writtenIndex,
      'with no write in flight all that was written is durable',
    );
    assert(
      persistence.afterWriteInFlight.length === 0,
      'no message waits for a write that is done',
    );
  } else {
    assert(inFlight.claimIndex <= inFlight.lastIndex, 'a write claims no more than it holds');
    assert(inFlight.claimIndex === writtenIndex, 'a write claims what memory has kept of it');
  }
}

/** S19, S33: state belongs to its role. */
function checkRole(state: Readonly<RaftState>): void {
  const { role, hardState, log } = state;
  switch (role.type) {
    case 'follower':
      if (role.leader === undefined) return;
      assert(role.leader.id !== state.options.id, 'a node does not follow itself');
      assert(role.leader.matchedIndex <= lastIndex(log), 'what is matched is in the log');
      return;
    case 'pre-candidate':
      return;
    case 'candidate':
      return checkCandidate(state, role);
    case 'leader':
      assert(hardState.votedFor === state.options.id, 'a leader voted for itself');
      assert(hardState === state.persistence.durableHardState, 'the vote of a leader is durable');
      assert(lastTerm(log) === hardState.term, 'the log of a leader ends in its own term');
      return checkLeader(state, role);
    /* v8 ignore next */
    default:
      assertNever(role);
  }
}

function checkCandidate(state: Readonly<RaftState>, role: CandidateState): void {
  const { id } = state.options;
  assert(state.hardState.votedFor === id, 'a candidate voted for itself');
  const isDurable = state.hardState === state.persistence.durableHardState;
  assert(role.granted.includes(id) === isDurable, 'the own vote counts once it is durable');
  assert((role.electionDeadlineMs !== undefined) === isDurable, 'and the timer runs from then');
}

/** S18, S23, S32. */
function checkLeader(state: Readonly<RaftState>, role: LeaderState): void {
  assert(role.progress.length === state.membership.voters.length - 1, 'one progress a peer');
  for (const progress of role.progress) checkProgress(state, role, progress);
  const { limits } = state.options;
  assert(role.reads.pending.length <= limits.pendingReadsMax, 'waiting reads are bounded');
  let round = 0;
  for (const read of role.reads.pending) {
    assert(read.round >= round, 'reads wait in the order of their rounds');
    assert(read.index <= state.commitIndex, 'a read is at an index that was committed');
    assert(termAt(state.log, read.index) === state.hardState.term, 'and it is of this term');
    round = read.round;
  }
}

function checkProgress(state: Readonly<RaftState>, role: LeaderState, progress: Progress): void {
  const { match, next, flow } = progress;
  assert(match >= 0, 'an index is never negative');
  assert(match < next, 'what matches need not be sent');
  assert(match <= lastIndex(state.log), 'no more matches than there is');
  assert(next <= lastIndex(state.log) + 1, 'no more is sent than there is');
  assert(progress.ackedRound <= role.reads.startedRound, 'only a started round is answered');
  if (flow.type === 'probe') {
    assert(next <= lastIndex(state.log), 'a probe has something to send');
    return;
  }
  const { inflight } = flow;
  assert(inflightCount(inflight) >= 0 && inflight.bytes >= 0, 'a window is never negative');
  assert((inflightCount(inflight) === 0) === (inflight.bytes === 0), 'an empty window is empty');
  assert(inflightCount(inflight) <= state.options.limits.inflightMessagesMax, 'nor overfull');
}
