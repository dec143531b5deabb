import type { Entry } from '@raftd/raft';
import type { LevelDatabase } from './database.js';
import { LOG_RANGE, logKeyIndex } from './keys.js';
import { RunIndex } from './run-index.js';
import type { LogPoint, Run } from './run.js';
import { recordsOf } from './run.js';
import type { Seal } from './seal.js';
import { damaged } from './storage-error.js';

export interface ScannedLog {
  readonly entries: readonly Entry[];
  readonly runs: RunIndex;
}

/**
 * Reads the whole log and checks it against its seal: no gap, no foreign or altered entry, no
 * term that goes back, nothing missing at the end and nothing beyond it. `seed` is the chain
 * before the first entry.
 */
export async function scanLog(
  database: LevelDatabase,
  seal: Seal,
  seed: number,
): Promise<ScannedLog> {
  const entries: Entry[] = [];
  const runs = new RunIndex();
  let point: LogPoint = { chain: seed, term: 0 };
  for await (const portion of database.portions(LOG_RANGE)) {
    for (const [key, value] of portion) {
      const firstIndex = entries.length + 1;
      if (logKeyIndex(key) !== firstIndex) throw damaged(gapBefore(firstIndex, key));
      runs.add(firstIndex, point);
      point = readRun(entries, { firstIndex, before: point, bytes: asBuffer(value) });
    }
  }
  if (entries.length !== seal.lastIndex || point.chain !== seal.chain) {
    throw damaged(
      `the log ends at entry ${entries.length}, its seal says ${seal.lastIndex}` +
        (entries.length === seal.lastIndex ? ' with other content' : ''),
    );
  }
  if (point.term !== seal.lastTerm) {
    throw damaged(`the last entry has term ${point.term}, its seal says ${seal.lastTerm}`);
  }
  return { entries, runs };
}

/** Appends the entries of one run to `entries`; returns the point after its last one. */
function readRun(entries: Entry[], run: Run): LogPoint {
  let { chain, term }: LogPoint = run.before;
  let endsAt = 0;
  for (const record of recordsOf(run)) {
    const { entry } = record;
    if (entry.term < term) {
      throw damaged(`term ${entry.term} of entry ${entry.index} follows term ${term}`);
    }
    entries.push(entry);
    term = entry.term;
    chain = record.chain;
    endsAt = record.endsAt;
  }
  if (endsAt !== run.bytes.length || endsAt === 0) {
    throw damaged(`entry ${entries.length + 1} is damaged`);
  }
  return { chain, term };
}

function gapBefore(expected: number, key: Uint8Array): string {
  const found = logKeyIndex(key);
  return found > expected
    ? `entries ${expected} to ${found - 1} are missing`
    : `entries follow entry ${expected - 1} that do not belong to the log`;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
