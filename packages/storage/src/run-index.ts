import type { Database, Operation } from './database.js';
import { logKey } from './keys.js';
import type { LogPoint } from './run.js';
import { recordsOf } from './run.js';
import { damaged } from './storage-error.js';

interface RunStart {
  readonly firstIndex: number;
  readonly before: LogPoint;
}

/** Where the runs of the log start: what a truncation has to know of what is on disk. */
export class RunIndex {
  readonly #starts: RunStart[] = [];

  add(firstIndex: number, before: LogPoint): void {
    this.#starts.push({ firstIndex, before });
  }

  /**
   * Takes the runs at and above `from` out of the index and adds the operations that take them
   * out of the database; a run that `from` lies in is rewritten up to there. All of it is part
   * of the caller's batch: a cut that is not atomic with what follows it leaves a hole.
   * Returns the point before `from`; throws if the run to cut is damaged.
   */
  truncate(from: number, database: Database, operations: Operation[]): LogPoint {
    let last = this.#starts.pop();
    while (last !== undefined && last.firstIndex > from) {
      operations.push({ type: 'del', key: logKey(last.firstIndex) });
      last = this.#starts.pop();
    }
    if (last === undefined) throw damaged(`no run of entries holds entry ${from}`);
    const key = logKey(last.firstIndex);
    if (last.firstIndex === from) {
      operations.push({ type: 'del', key });
      return last.before;
    }
    const value = database.readNow(key);
    if (value === undefined) throw damaged(`the run of entry ${last.firstIndex} is gone`);
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    for (const record of recordsOf({ ...last, bytes })) {
      if (record.entry.index !== from - 1) continue;
      operations.push({ type: 'put', key, value: bytes.subarray(0, record.endsAt) });
      this.#starts.push(last);
      return { chain: record.chain, term: record.entry.term };
    }
    throw damaged(`entry ${from - 1} is damaged`);
  }
}
