import { assert } from './assert.js';
import {
  appendEntry,
  lastIndex,
  lastTerm,
  minIndex,
  nextIndex,
  previousIndex,
  sliceEntries,
  truncateEntries,
} from './log.js';
import type { AppendAccepted, Message } from './messages.js';
import type { LogWrite } from './ready.js';
import type { RaftState } from './state.js';
import type { Entry, HardState, LogIndex, NodeId, Term } from './types.js';

/** Adopts a higher term: the only thing that clears a vote. */
export function adoptTerm(state: RaftState, term: Term, votedFor: NodeId | undefined): void {
  assert(term > state.hardState.term, 'a term never decreases');
  state.hardState = { term, votedFor, promiseMs: state.hardState.promiseMs };
  // Whatever waited for a write spoke for the old term; losing it is always allowed.
  state.persistence.afterWriteInFlight = [];
  state.persistence.afterNextWrite = [];
}

/** Votes in the current term, where no vote was given. */
export function recordVote(state: RaftState, candidate: NodeId): void {
  assert(state.hardState.votedFor === undefined, 'a vote never changes within a term');
  state.hardState = { ...state.hardState, votedFor: candidate };
}

/** Remembers the longest promise ever echoed; a restart waits that long. */
export function recordPromise(state: RaftState, promiseMs: number): void {
  if (promiseMs <= state.hardState.promiseMs) return;
  state.hardState = { ...state.hardState, promiseMs };
}

export function appendToLog(state: RaftState, entries: readonly Entry[]): void {
  for (const entry of entries) appendEntry(state.log, entry);
}

/** Removes the entries at and above `from`, and what any write may claim of them. */
export function truncateLog(state: RaftState, from: LogIndex): void {
  assert(from > state.commitIndex, 'a committed entry is never removed');
  const { persistence } = state;
  const kept = previousIndex(from);
  truncateEntries(state.log, from);
  persistence.durableIndex = minIndex(persistence.durableIndex, kept);
  persistence.writtenIndex = minIndex(persistence.writtenIndex, kept);
  const { inFlight } = persistence;
  if (inFlight !== undefined) inFlight.claimIndex = minIndex(inFlight.claimIndex, kept);
}

/**
 * Sends a message that promises nothing which a crash could take back: a leader's, whose term is
 * durable since its election, or one about a term that nobody entered yet (pre-votes).
 */
export function sendNow(state: RaftState, message: Message): void {
  state.outbox.messages.push(message);
}

/**
 * Sends a message that speaks for the hard state as it is now, once that is durable (S3): what
 * a crash could make untrue must not have been said.
 */
export function sendDurably(state: RaftState, message: Message): void {
  const { persistence } = state;
  if (state.hardState === persistence.durableHardState) {
    state.outbox.messages.push(message);
  } else if (state.hardState === persistence.submittedHardState) {
    replaceOrPush(persistence.afterWriteInFlight, message);
  } else {
    replaceOrPush(persistence.afterNextWrite, message);
  }
}

/** While a disk hangs, only the latest message of a kind to a peer is worth keeping (S32). */
function replaceOrPush(waiting: Message[], message: Message): void {
  const at = waiting.findIndex((one) => one.to === message.to && one.type === message.type);
  if (at === -1) waiting.push(message);
  else waiting[at] = message;
}

/** Everything not yet on its way to disk, as one batch; undefined while one is in flight. */
export function takeWrite(state: RaftState): LogWrite | undefined {
  const { persistence, log } = state;
  if (persistence.inFlight !== undefined) return undefined;
  const hardState = changedHardState(state);
  const written = persistence.writtenIndex;
  const last = lastIndex(log);
  const mustTruncate = persistence.diskLastIndex > written;
  if (hardState === undefined && written === last && !mustTruncate) return undefined;

  const write: LogWrite = {
    hardState,
    truncateFrom: mustTruncate ? nextIndex(written) : undefined,
    entries: sliceEntries(log, written, last),
    lastIndex: last,
    lastTerm: lastTerm(log),
  };
  persistence.inFlight = {
    lastIndex: last,
    lastTerm: write.lastTerm,
    claimIndex: last,
    hardState: state.hardState,
  };
  persistence.writtenIndex = last;
  persistence.diskLastIndex = last;
  persistence.submittedHardState = state.hardState;
  return write;
}

function changedHardState(state: RaftState): HardState | undefined {
  return state.hardState === state.persistence.submittedHardState ? undefined : state.hardState;
}

/** What the write just taken must be durable for. */
export function takeMessagesAfterWrite(state: RaftState): readonly Message[] {
  const messages = state.persistence.afterNextWrite;
  state.persistence.afterNextWrite = [];
  const ack = ackDue(state);
  if (ack !== undefined) messages.push(ack);
  return messages;
}

/** The acknowledgement that is owed, where all it claims is durable already. */
export function releaseDurableAck(state: RaftState): void {
  const { persistence, role } = state;
  if (state.hardState !== persistence.durableHardState || role.type !== 'follower') return;
  if (role.leader === undefined || role.leader.matchedIndex > persistence.durableIndex) return;
  const ack = ackDue(state);
  if (ack !== undefined) state.outbox.messages.push(ack);
}

/** Takes the acknowledgement a follower owes; the caller sees to it that it is true by then. */
function ackDue(state: RaftState): AppendAccepted | undefined {
  const { role } = state;
  if (role.type !== 'follower' || role.leader === undefined || !role.leader.ackDue) {
    return undefined;
  }
  role.leader.ackDue = false;
  return {
    type: 'append-accepted',
    from: state.options.id,
    to: role.leader.id,
    term: state.hardState.term,
    matchIndex: role.leader.matchedIndex,
  };
}

/**
 * The write in flight is durable. A completion that does not name it is stale and dropped.
 * Returns whether it was the one.
 */
export function completeWrite(state: RaftState, term: Term, index: LogIndex): boolean {
  const { persistence, outbox } = state;
  const { inFlight } = persistence;
  if (inFlight === undefined) return false;
  if (inFlight.lastIndex !== index || inFlight.lastTerm !== term) return false;
  persistence.inFlight = undefined;
  // Never backwards: a write of the hard state alone claims what was durable before.
  persistence.durableIndex = inFlight.claimIndex;
  persistence.durableHardState = inFlight.hardState;
  for (const message of persistence.afterWriteInFlight) outbox.messages.push(message);
  persistence.afterWriteInFlight = [];
  return true;
}
