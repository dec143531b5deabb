import type { Database, Operation } from './database.js';
import { logKey } from './keys.js';
import type { LogPoint } from './run.js';
import { recordsOf } from './run.js';
import { damaged } from './storage-error.js';

/** Where the runs of the log start: what a truncation has to know of what is on disk. */
export class RunIndex {
  // Three plain arrays of numbers: a log of single-entry runs has as many of them as entries.
  readonly #firstIndexes: number[] = [];
  readonly #chainsBefore: number[] = [];
  readonly #termsBefore: number[] = [];

  add(firstIndex: number, before: LogPoint): void {
    this.#firstIndexes.push(firstIndex);
    this.#chainsBefore.push(before.chain);
    this.#termsBefore.push(before.term);
  }

  /**
   * Takes the runs at and above `from` out of the index and adds the operations that take them
   * out of the database; a run that `from` lies in is rewritten up to there. All of it is part
   * of the caller's batch: a cut that is not atomic with what follows it leaves a hole.
   * Returns the point before `from`; throws if the run to cut is damaged.
   */
  truncate(from: number, database: Database, operations: Operation[]): LogPoint {
    for (;;) {
      const firstIndex = this.#firstIndexes.pop();
      const chain = this.#chainsBefore.pop();
      const term = this.#termsBefore.pop();
      if (firstIndex === undefined || chain === undefined || term === undefined) {
        throw damaged(`no run of entries holds entry ${from}`);
      }
      const before: LogPoint = { chain, term };
      if (firstIndex < from) {
        this.add(firstIndex, before);
        return cutRun(firstIndex, before, from, database, operations);
      }
      operations.push({ type: 'del', key: logKey(firstIndex) });
      if (firstIndex === from) return before;
    }
  }
}

/** Keeps of a run what is below `from`; returns the point there. */
function cutRun(
  firstIndex: number,
  before: LogPoint,
  from: number,
  database: Database,
  operations: Operation[],
): LogPoint {
  const key = logKey(firstIndex);
  const value = database.readNow(key);
  if (value === undefined) throw damaged(`the run of entry ${firstIndex} is gone`);
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  for (const { entry, chain, endsAt } of recordsOf({ firstIndex, before, bytes })) {
    if (entry.index !== from - 1) continue;
    operations.push({ type: 'put', key, value: bytes.subarray(0, endsAt) });
    return { chain, term: entry.term };
  }
  throw damaged(`entry ${from - 1} is damaged`);
}
