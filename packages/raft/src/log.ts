import { assert } from './assert.js';
import { type Entry, type LogIndex, NO_TERM, type Term } from './types.js';

/** What an entry costs beyond its payload: its object, its slot and its place in a frame. */
export const ENTRY_OVERHEAD_BYTES = 64;

/**
 * The log in memory, contiguous from index 1: entry `i` is at position `i − 1`. (With snapshots
 * the position before the first entry, its term and its byte count join here.) Plain data; the
 * functions of this file are its only writers.
 */
export interface RaftLog {
  readonly entries: Entry[];
  /** `bytesThrough[i − 1]` = size of the entries 1 … i, so that any range is one subtraction. */
  readonly bytesThrough: number[];
}

export function makeLog(entries: readonly Entry[]): RaftLog {
  const log: RaftLog = { entries: [], bytesThrough: [] };
  for (const entry of entries) appendEntry(log, entry);
  return log;
}

export function forkLog(log: RaftLog): RaftLog {
  return { entries: log.entries.slice(), bytesThrough: log.bytesThrough.slice() };
}

export function nextIndex(index: LogIndex): LogIndex {
  return (index + 1) as LogIndex;
}

export function previousIndex(index: LogIndex): LogIndex {
  return (index - 1) as LogIndex;
}

export function minIndex(a: LogIndex, b: LogIndex): LogIndex {
  return a < b ? a : b;
}

export function maxIndex(a: LogIndex, b: LogIndex): LogIndex {
  return a > b ? a : b;
}

export function entryBytes(payload: Uint8Array): number {
  return payload.length + ENTRY_OVERHEAD_BYTES;
}

export function lastIndex(log: RaftLog): LogIndex {
  return log.entries.length as LogIndex;
}

export function lastTerm(log: RaftLog): Term {
  return log.entries.at(-1)?.term ?? NO_TERM;
}

/** The term at `index`: 0 before the first entry, undefined past the last. */
export function termAt(log: RaftLog, index: LogIndex): Term | undefined {
  return index === 0 ? NO_TERM : log.entries[index - 1]?.term;
}

/** Bytes of the entries in (after, through]. */
export function bytesBetween(log: RaftLog, after: LogIndex, through: LogIndex): number {
  return bytesThrough(log, through) - bytesThrough(log, after);
}

function bytesThrough(log: RaftLog, index: LogIndex): number {
  return index === 0 ? 0 : (log.bytesThrough[index - 1] as number);
}

/** Adds one entry at the end. Terms never fall along a log, and no index is skipped. */
export function appendEntry(log: RaftLog, entry: Entry): void {
  assert(entry.index === log.entries.length + 1, 'an entry is appended right after the last one');
  assert(entry.term >= lastTerm(log), 'terms never decrease along the log');
  log.bytesThrough.push((log.bytesThrough.at(-1) ?? 0) + entryBytes(entry.payload));
  log.entries.push(entry);
}

/** Removes the entries at and above `from`. Who may do so is persistence.ts's business. */
export function truncateEntries(log: RaftLog, from: LogIndex): void {
  log.entries.length = from - 1;
  log.bytesThrough.length = from - 1;
}

/** The entries of (after, through]: references, never copies of payloads. */
export function sliceEntries(log: RaftLog, after: LogIndex, through: LogIndex): readonly Entry[] {
  return log.entries.slice(after, through);
}

/**
 * Where a batch that starts after `after` ends: at most `bytesMax`, but at least one entry, since
 * one larger than the limit must still move.
 */
export function batchEnd(log: RaftLog, after: LogIndex, bytesMax: number): LogIndex {
  const last = lastIndex(log);
  if (bytesBetween(log, after, last) <= bytesMax) return last;
  const limit = bytesThrough(log, after) + bytesMax;
  const end = highestWhere(after, last, (index) => bytesThrough(log, index) <= limit);
  return maxIndex(end, nextIndex(after));
}

/**
 * The highest index ≤ `bound` whose term is ≤ `term`: where two logs may still agree, if one of
 * them has `term` at `bound`. Leader and follower both ask it, and each answer skips whole terms
 * (§3.5, R-017).
 */
export function highestIndexWithin(log: RaftLog, bound: LogIndex, term: Term): LogIndex {
  const top = minIndex(bound, lastIndex(log));
  return highestWhere(0 as LogIndex, top, (index) => (termAt(log, index) as Term) <= term);
}

/** The highest index in [low, high] that satisfies a condition true at `low`, then never again. */
function highestWhere(
  low: LogIndex,
  high: LogIndex,
  holds: (index: LogIndex) => boolean,
): LogIndex {
  let [yes, no] = [low as number, high + 1];
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (holds(middle as LogIndex)) yes = middle;
    else no = middle;
  }
  return yes as LogIndex;
}
