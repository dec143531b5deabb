import type { HardState, LogWrite } from '@raftd/raft';
import { assert } from './assert.js';

/** Where the log ends before a write, and the hard state it is written under. */
export interface LogEnd {
  readonly hardState: HardState;
  readonly lastIndex: number;
}

/** `write` continues the log that ends at `end`. What fails here is a bug of the caller. */
export function assertContinues(end: LogEnd, write: LogWrite): void {
  const hardState = write.hardState ?? end.hardState;
  assert(hardState.term >= end.hardState.term, `term ${hardState.term} goes back`);
  const { truncateFrom, entries, lastIndex, lastTerm } = write;
  if (truncateFrom !== undefined) {
    assert(truncateFrom >= 1, `truncateFrom ${truncateFrom} is no index`);
    assert(truncateFrom <= end.lastIndex + 1, `truncateFrom ${truncateFrom} leaves a gap`);
  }
  let previous = (truncateFrom ?? end.lastIndex + 1) - 1;
  let term = 0;
  for (const entry of entries) {
    assert(entry.index === previous + 1, `entry ${entry.index} follows ${previous}`);
    assert(entry.term >= term, `term ${entry.term} of entry ${entry.index} follows ${term}`);
    previous = entry.index;
    term = entry.term;
  }
  assert(lastIndex === previous, `lastIndex ${lastIndex}, but the log ends at ${previous}`);
  assert(lastTerm <= hardState.term, `lastTerm ${lastTerm} is above term ${hardState.term}`);
  if (entries.length > 0) assert(lastTerm === term, `lastTerm ${lastTerm}, last entry's ${term}`);
}

/** `termBefore`: of the entry that `write` continues from, 0 if there is none. */
export function assertTermContinues(termBefore: number, write: LogWrite): void {
  const first = write.entries[0];
  if (first === undefined) {
    assert(write.lastTerm === termBefore, `lastTerm ${write.lastTerm}, last entry's ${termBefore}`);
  } else {
    assert(first.term >= termBefore, `term ${first.term} of ${first.index} after ${termBefore}`);
  }
}
