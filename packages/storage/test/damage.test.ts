import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClusterIdentity, LogWrite, NodeId, Term } from '@raftd/raft';
import type { LoadedStore } from '../src/index.js';
import { StorageError } from '../src/index.js';
import { addition, append, close, describeEntries, load, open, suffix } from './stage.js';
import { temporaryDirectory } from './temporary-directory.js';

/*
 * What a power cut, a bad disk or an operator can do to the files of a closed store. The one
 * rule (S30): opening gives the state after a batch at or after the last acknowledged one, or a
 * named error. Never less, and never a mixture.
 */

/** Every kind of write: terms, votes, additions, cuts in and between runs, a bare hard state. */
const WRITES: readonly LogWrite[] = [
  suffix(1, 5, 1),
  addition(6, 9, 1),
  suffix(4, 8, 2),
  // A vote and no entry, then a cut and no entry.
  { ...suffix(9, 8, 3), truncateFrom: undefined, lastTerm: 2 as Term },
  suffix(9, 9, 3),
  suffix(1, 2, 4),
  addition(3, 60, 4),
  { ...suffix(31, 30, 5), lastTerm: 4 as Term },
  addition(31, 31, 5),
];

const IDENTITY: ClusterIdentity = {
  clusterId: 'c1',
  members: [{ id: 'n1' as NodeId, incarnation: 'first-life' }],
};

interface History {
  /** The closed store after all writes. */
  readonly directory: string;
  /** What it held after each batch; the first is the new directory. */
  readonly states: readonly string[];
  /** The mark file after each batch. */
  readonly marks: readonly Buffer[];
}

async function history(): Promise<History> {
  const directory = join(temporaryDirectory(), 'data');
  const { store, loaded } = await open(directory);
  const entries = [...loaded.entries];
  let hardState = loaded.hardState;
  const states = [describeState(loaded)];
  const mark = join(directory, 'mark');
  const marks = [readFileSync(mark)];
  await new Promise((resolve) => store.saveIdentity(IDENTITY, resolve));
  const witness = (): void => {
    states.push(describeState({ ...loaded, cluster: IDENTITY, hardState, entries }));
    marks.push(readFileSync(mark));
  };
  witness();
  for (const write of WRITES) {
    await append(store, write);
    hardState = write.hardState ?? hardState;
    if (write.truncateFrom !== undefined) entries.length = write.truncateFrom - 1;
    entries.push(...write.entries);
    witness();
  }
  await close(store);
  return { directory, states, marks };
}

function describeState(loaded: LoadedStore): string {
  const { cluster, hardState, entries } = loaded;
  return JSON.stringify([cluster ?? null, hardState, describeEntries(entries)]);
}

/** The state a copy of `directory` opens with after `harm`, or the code of the error. */
async function openHarmed(directory: string, harm: (copy: string) => void): Promise<string> {
  copies += 1;
  const copy = `${directory}-${copies}`;
  cpSync(directory, copy, { recursive: true });
  harm(copy);
  try {
    return describeState(await load(copy));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return error.code;
  }
}

let copies = 0;

function writeAheadLog(directory: string): string {
  const name = readdirSync(join(directory, 'log')).find((file) => file.endsWith('.log'));
  if (name === undefined) throw new Error('no log file');
  return join('log', name);
}

/** Offsets at which LevelDB's physical records end: 7 bytes of header, blocks of 32 KiB. */
function recordEnds(log: Buffer): readonly number[] {
  const ends: number[] = [];
  let at = 0;
  while (at + 7 <= log.length) {
    const left = 32_768 - (at % 32_768);
    if (left < 7) {
      at += left;
      continue;
    }
    at += 7 + log.readUInt16LE(at + 4);
    ends.push(at);
  }
  return ends;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
  writeFileSync(path, bytes);
}

/** `count` offsets below `size`, spread evenly with an odd stride. */
function spread(size: number, count: number): readonly number[] {
  const stride = Math.max(1, Math.floor(size / count));
  const offsets: number[] = [];
  for (let at = 0; at < size; at += stride) offsets.push(at);
  return offsets;
}

describe('a log that lost its end', () => {
  it('is refused at every record boundary, and opens whole when nothing is lost', async () => {
    const { directory, states } = await history();
    const file = writeAheadLog(directory);
    const log = readFileSync(join(directory, file));
    const ends = recordEnds(log);
    expect(ends.length).toBe(states.length);
    for (const end of [0, ...ends]) {
      const opened = await openHarmed(directory, (copy) => truncateSync(join(copy, file), end));
      expect(opened).toBe(end === log.length ? states.at(-1) : 'DATA_DAMAGED');
    }
  });

  it('is refused at any byte', async () => {
    const { directory } = await history();
    const file = writeAheadLog(directory);
    const { length } = readFileSync(join(directory, file));
    const opened = await Promise.all(
      spread(length, 40).map((at) =>
        openHarmed(directory, (copy) => truncateSync(join(copy, file), at)),
      ),
    );
    expect(new Set(opened)).toEqual(new Set(['DATA_DAMAGED']));
  });

  it('is refused again when it is opened again', async () => {
    const { directory } = await history();
    const file = writeAheadLog(directory);
    truncateSync(join(directory, file), 2000);
    for (let time = 1; time <= 3; time += 1) {
      await expect(load(directory)).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
    }
  });

  it('opens with the batch before a torn one that nobody was told of', async () => {
    const { directory, states, marks } = await history();
    const file = writeAheadLog(directory);
    const ends = recordEnds(readFileSync(join(directory, file)));
    for (let batch = 1; batch < states.length; batch += 1) {
      const torn = Math.floor(((ends[batch - 1] ?? 0) + (ends[batch] ?? 0)) / 2);
      const opened = await openHarmed(directory, (copy) => {
        truncateSync(join(copy, file), torn);
        writeFileSync(join(copy, 'mark'), marks[batch - 1] ?? '');
      });
      expect(opened).toBe(states[batch - 1]);
    }
  });

  it('opens with a batch that was durable before its mark was, however old the mark', async () => {
    const { directory, states, marks } = await history();
    const file = writeAheadLog(directory);
    const ends = recordEnds(readFileSync(join(directory, file)));
    for (let batch = 1; batch < states.length; batch += 1) {
      for (const marked of [0, batch - 1]) {
        const opened = await openHarmed(directory, (copy) => {
          truncateSync(join(copy, file), ends[batch] ?? 0);
          writeFileSync(join(copy, 'mark'), marks[marked] ?? '');
        });
        expect(opened).toBe(states[batch]);
      }
    }
  });
});

describe('a log with a damaged middle', () => {
  it('is refused wherever a bit of the write-ahead log flips', async () => {
    const { directory } = await history();
    const file = writeAheadLog(directory);
    const { length } = readFileSync(join(directory, file));
    const opened = await Promise.all(
      spread(length, 60).map((at) => openHarmed(directory, (copy) => flip(join(copy, file), at))),
    );
    expect(new Set(opened)).toEqual(new Set(['DATA_DAMAGED']));
  });

  it('is refused when LevelDB skips a whole batch in silence and goes on with the next', async () => {
    const { directory, states } = await history();
    const file = writeAheadLog(directory);
    const log = readFileSync(join(directory, file));
    const ends = recordEnds(log);
    for (let batch = 0; batch + 1 < ends.length; batch += 1) {
      const startsAt = ends[batch - 1] ?? 0;
      const without = [log.subarray(0, startsAt), log.subarray(ends[batch] ?? 0)];
      const opened = await openHarmed(directory, (copy) => {
        writeFileSync(join(copy, file), Buffer.concat(without));
      });
      // A batch that a later cut has undone leaves no trace, and its loss no difference.
      expect(['DATA_DAMAGED', states.at(-1)]).toContain(opened);
    }
  });

  it('opens whole or is refused wherever a bit of a table file or manifest flips', async () => {
    const { directory, states } = await history();
    // Opening turns the write-ahead log into a table file.
    await load(directory);
    const files = readdirSync(join(directory, 'log')).filter((file) => !/^LO/.test(file));
    const opened: Promise<string>[] = [];
    for (const file of files) {
      const path = join('log', file);
      const { length } = readFileSync(join(directory, path));
      for (const at of spread(length, file.endsWith('.ldb') ? 60 : 16)) {
        opened.push(openHarmed(directory, (copy) => flip(join(copy, path), at)));
      }
    }
    // Bytes that no record lies in (bloom filters, unused hints) may flip without loss.
    const outcomes = new Set(await Promise.all(opened));
    expect(outcomes).toEqual(new Set(['DATA_DAMAGED', states.at(-1)]));
  });

  it('is refused when a file of it is gone', async () => {
    const { directory, states } = await history();
    const file = writeAheadLog(directory);
    for (const gone of [file, join('log', 'CURRENT'), 'log', 'mark']) {
      const opened = await openHarmed(directory, (copy) => {
        rmSync(join(copy, gone), { recursive: true });
      });
      expect(opened).toBe('DATA_DAMAGED');
    }
    expect(await openHarmed(directory, () => undefined)).toBe(states.at(-1));
  });

  it('names the entry and the way back, each time anew: damage does not heal', async () => {
    const { directory } = await history();
    await load(directory);
    const table = readdirSync(join(directory, 'log')).find((file) => file.endsWith('.ldb'));
    flip(join(directory, 'log', table ?? ''), 900);
    for (let time = 1; time <= 3; time += 1) {
      await expect(load(directory)).rejects.toThrow(
        /^entry \d+ is damaged\. This node must not vote .* as a new member/,
      );
    }
  });
});

describe('the mark file', () => {
  it('survives the damage of the slot that is not the latest only if the log is ahead', async () => {
    const { directory, states } = await history();
    // Batch 1, the new directory, writes the second slot, batch 2 the first, and so on.
    const latest = states.length % 2 === 0 ? 0 : 4096;
    for (const slot of [0, 4096]) {
      const opened = await openHarmed(directory, (copy) => flip(join(copy, 'mark'), slot + 12));
      expect(opened).toBe(slot === latest ? states.at(-1) : 'DATA_DAMAGED');
    }
  });

  it('is refused when neither slot is whole', async () => {
    const { directory } = await history();
    const opened = await openHarmed(directory, (copy) => {
      flip(join(copy, 'mark'), 12);
      flip(join(copy, 'mark'), 4096 + 12);
    });
    expect(opened).toBe('DATA_DAMAGED');
  });

  it('refuses the log of another history with the same number of batches', async () => {
    const { directory } = await history();
    const other = join(temporaryDirectory(), 'other');
    const { store } = await open(other);
    await new Promise((resolve) => store.saveIdentity(IDENTITY, resolve));
    for (let index = 1; index <= WRITES.length; index += 1) {
      await append(store, suffix(index, index, 5));
    }
    await close(store);
    const opened = await openHarmed(directory, (copy) => {
      cpSync(join(other, 'log'), join(copy, 'log'), { recursive: true, force: true });
    });
    expect(opened).toBe('DATA_DAMAGED');
  });

  it('catches up with a log that is ahead, so that a later loss is seen', async () => {
    const { directory, marks } = await history();
    writeFileSync(join(directory, 'mark'), marks[2] ?? '');
    await load(directory);
    expect(readFileSync(join(directory, 'mark')).equals(marks[2] ?? Buffer.alloc(0))).toBe(false);
    await load(directory);
  });
});
