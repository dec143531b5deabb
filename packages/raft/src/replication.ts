import { assert, violated } from './assert.js';
import { advanceCommit, followCommit } from './commit.js';
import { noteGoal } from './currency.js';
import {
  batchEnd,
  bytesBetween,
  highestIndexWithin,
  lastIndex,
  maxIndex,
  minIndex,
  nextIndex,
  previousIndex,
  sliceEntries,
  termAt,
} from './log.js';
import type { AppendAccepted, AppendRejected, AppendRequest } from './messages.js';
import { appendToLog, sendDurably, sendNow, truncateLog } from './persistence.js';
import { becomeProbe, becomeReplicate, hasRoom, noteSent, type Progress } from './progress.js';
import { freeInflight } from './inflight.js';
import type { FollowedLeader, LeaderState, RaftState } from './state.js';
import type { Entry, LogIndex, Term } from './types.js';

/** The batch sent last in one assembly: peers that are equally far share one array (and bytes). */
interface Batch {
  after: LogIndex;
  through: LogIndex;
  entries: readonly Entry[];
}

/** Sends every peer what it lacks and its window has room for: one batch of all that queued. */
export function sendAppends(state: RaftState, role: LeaderState): void {
  const batch: Batch = { after: -1 as LogIndex, through: -1 as LogIndex, entries: [] };
  for (const progress of role.progress) sendAppendsTo(state, progress, batch);
}

function sendAppendsTo(state: RaftState, progress: Progress, batch: Batch): void {
  const { log, options } = state;
  const last = lastIndex(log);
  while (progress.next <= last && hasRoom(progress.flow, options.limits)) {
    const after = previousIndex(progress.next);
    const through = batchEnd(log, after, options.limits.appendBytesMax);
    if (batch.after !== after || batch.through !== through) {
      batch.after = after;
      batch.through = through;
      batch.entries = sliceEntries(log, after, through);
    }
    sendAppend(state, progress, batch);
  }
  if (progress.nudge) {
    const after = previousIndex(progress.next);
    sendAppend(state, progress, { after, through: after, entries: [] });
  }
}

function sendAppend(state: RaftState, progress: Progress, batch: Readonly<Batch>): void {
  const prevTerm = termAt(state.log, batch.after);
  assert(prevTerm !== undefined, 'the entry before an append is in the log');
  sendNow(state, {
    type: 'append-request',
    from: state.options.id,
    to: progress.id,
    term: state.hardState.term,
    prevIndex: batch.after,
    prevTerm,
    entries: batch.entries,
    commitIndex: state.commitIndex,
  });
  progress.toldCommit = state.commitIndex;
  noteSent(progress, batch.through, bytesBetween(state.log, batch.after, batch.through));
}

/** As a follower: AppendEntries, receiver's rules 2–5 (Figure 3.1). */
export function onAppendRequest(
  state: RaftState,
  leader: FollowedLeader,
  message: AppendRequest,
): void {
  noteGoal(state, leader, message.commitIndex);
  if (termAt(state.log, message.prevIndex) !== message.prevTerm) {
    rejectAppend(state, message);
    return;
  }
  adoptEntries(state, leader, message);
  const matched = (message.prevIndex + message.entries.length) as LogIndex;
  leader.matchedIndex = maxIndex(leader.matchedIndex, matched);
  leader.ackDue = true;
  followCommit(state, leader, message.commitIndex);
}

function rejectAppend(state: RaftState, message: AppendRequest): void {
  const { prevIndex } = message;
  if (prevIndex <= state.commitIndex) {
    violated(`leader ${message.from} contradicts the committed entry ${prevIndex}`);
  }
  const hintIndex = highestIndexWithin(state.log, prevIndex, message.prevTerm);
  sendDurably(state, {
    type: 'append-rejected',
    from: state.options.id,
    to: message.from,
    term: state.hardState.term,
    prevIndex,
    hintIndex,
    hintTerm: termAt(state.log, hintIndex) as Term,
  });
}

/**
 * Adds what is missing. A delayed or repeated request holds only entries we have: those are
 * skipped, and nothing is removed unless an entry there has another term.
 */
function adoptEntries(state: RaftState, leader: FollowedLeader, message: AppendRequest): void {
  const { entries, prevIndex } = message;
  const known = countKnown(state, entries);
  if (known === entries.length) return;
  const from = (prevIndex + known + 1) as LogIndex;
  if (from <= lastIndex(state.log)) {
    assert(from > leader.matchedIndex, 'a leader never changes what it has sent in its term');
    truncateLog(state, from);
  }
  appendToLog(state, known === 0 ? entries : entries.slice(known));
}

/** How many of the entries, from the first, this log holds already. */
function countKnown(state: RaftState, entries: readonly Entry[]): number {
  let known = 0;
  for (const entry of entries) {
    if (termAt(state.log, entry.index) !== entry.term) break;
    known += 1;
  }
  return known;
}

/** As leader: the peer holds everything up to `matchIndex` durably. */
export function onAppendAccepted(
  state: RaftState,
  role: LeaderState,
  progress: Progress,
  message: AppendAccepted,
): void {
  const { matchIndex } = message;
  assert(matchIndex <= lastIndex(state.log), 'a peer matches no more than there is');
  if (matchIndex < progress.match) return;
  const isNews = matchIndex > progress.match;
  if (isNews) progress.contactMs = state.nowMs;
  progress.match = matchIndex;
  if (progress.flow.type === 'probe') {
    becomeReplicate(progress);
  } else {
    freeInflight(progress.flow.inflight, matchIndex);
    progress.next = maxIndex(progress.next, nextIndex(matchIndex));
  }
  if (isNews) advanceCommit(state, role);
}

/**
 * As leader: the consistency check failed at `prevIndex`. Acted on only if it answers what was
 * asked last, as it may be late or repeated; it never touches `match`.
 */
export function onAppendRejected(
  state: RaftState,
  progress: Progress,
  message: AppendRejected,
): void {
  const { prevIndex } = message;
  if (isStaleRejection(progress, prevIndex)) return;
  progress.contactMs = state.nowMs;
  const agreed = highestIndexWithin(state.log, message.hintIndex, message.hintTerm);
  const next = minIndex(prevIndex, nextIndex(agreed));
  becomeProbe(progress, maxIndex(next, nextIndex(progress.match)));
}

function isStaleRejection(progress: Progress, prevIndex: LogIndex): boolean {
  if (prevIndex <= progress.match) return true;
  if (progress.flow.type === 'probe') return prevIndex !== progress.next - 1;
  return prevIndex >= progress.next;
}
