import type { Entry } from '@raftd/raft';
import type { EntryRecord } from './entry-record.js';
import { entryRecordBytes, readEntryRecord, writeEntryRecord } from './entry-record.js';

/** A run ends with the entry that makes it this long: what a truncation at most rewrites. */
const RUN_BYTES = 256 * 1024;
/** Writes up to this size share one buffer; a larger one gets its own and lets it go. */
const SCRATCH_BYTES = 1024 * 1024;

/** What an entry says about the log up to it; `{ chain: seed, term: 0 }` before the first. */
export interface LogPoint {
  readonly chain: number;
  readonly term: number;
}

/** Entries that one batch wrote and that lie in one LevelDB record, under the first's index. */
export interface Run {
  readonly firstIndex: number;
  readonly before: LogPoint;
  readonly bytes: Buffer;
}

export interface EncodedEntries {
  readonly runs: readonly Run[];
  /** Of the last entry. */
  readonly chain: number;
}

/** Turns entries into runs. Its result is valid until the next call: one write in flight. */
export class RunEncoder {
  readonly #scratch: Buffer = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

  encode(entries: readonly Entry[], before: LogPoint): EncodedEntries {
    const buffer = this.#bufferFor(entries);
    const runs: Run[] = [];
    const lastIndex = entries.at(-1)?.index;
    let start = { firstIndex: entries[0]?.index ?? 0, before };
    let startsAt = 0;
    let chain = before.chain;
    let at = 0;
    for (const entry of entries) {
      chain = writeEntryRecord(buffer, at, entry, chain);
      at += entryRecordBytes(entry);
      if (at - startsAt < RUN_BYTES && entry.index !== lastIndex) continue;
      runs.push({ ...start, bytes: buffer.subarray(startsAt, at) });
      start = { firstIndex: entry.index + 1, before: { chain, term: entry.term } };
      startsAt = at;
    }
    return { runs, chain };
  }

  #bufferFor(entries: readonly Entry[]): Buffer {
    let bytes = 0;
    for (const entry of entries) bytes += entryRecordBytes(entry);
    return bytes <= SCRATCH_BYTES ? this.#scratch : Buffer.allocUnsafeSlow(bytes);
  }
}

/**
 * The records of a run, in order, as far as they follow from `before`; the caller compares
 * where the last one ends with the run's length.
 */
export function* recordsOf(run: Run): Generator<EntryRecord, void, undefined> {
  let index = run.firstIndex;
  let previous = run.before.chain;
  let at = 0;
  while (at < run.bytes.length) {
    const record = readEntryRecord(run.bytes, at, index, previous);
    if (record === undefined) return;
    yield record;
    index += 1;
    previous = record.chain;
    at = record.endsAt;
  }
}
