import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { NodeId } from '@raftd/raft';
import { openLevelStorage, StorageError } from '../src/index.js';
import { LevelDatabase } from '../src/database.js';
import { META_KEY, SEAL_KEY } from '../src/keys.js';
import { MarkFile } from '../src/mark.js';
import { encodeDocument } from '../src/meta.js';
import { append, close, errorOf, load, NODE, open, suffix } from './stage.js';
import { temporaryDirectory } from './temporary-directory.js';

async function withDatabase(
  directory: string,
  use: (database: LevelDatabase) => Promise<void>,
): Promise<void> {
  const path = join(directory, 'log');
  const database = new LevelDatabase({ path, create: true, writeBufferBytes: 1 << 20 });
  await database.open();
  await use(database);
  await database.close();
}

describe('a directory', () => {
  it('is made with everything above it that is missing', async () => {
    const directory = join(temporaryDirectory(), 'a', 'b', 'n1.raftd');
    expect((await load(directory)).incarnation).toBe('first-life');
    expect(existsSync(join(directory, 'mark'))).toBe(true);
  });

  it('draws its incarnation once in its life', async () => {
    const directory = temporaryDirectory();
    let drawn = 0;
    const incarnation = (): string => `life-${(drawn += 1)}`;
    for (let time = 1; time <= 3; time += 1) {
      const { store, loaded } = await openLevelStorage({ directory, nodeId: NODE, incarnation });
      expect(loaded.incarnation).toBe('life-1');
      await close(store);
    }
    expect(drawn).toBe(1);
  });

  it('cannot be opened while it is open', async () => {
    const directory = temporaryDirectory();
    const { store } = await open(directory);
    const error = await errorOf(open(directory));
    expect(error).toBeInstanceOf(StorageError);
    expect(error.code).toBe('DATA_LOCKED');
    expect(error.message).toMatch(/Another process uses this data directory/);
    await append(store, suffix(1, 1, 1));
    await close(store);
    expect((await load(directory)).entries.length).toBe(1);
  });

  it('of another node is refused, by name, and left alone', async () => {
    const directory = temporaryDirectory();
    await close((await open(directory, 'n2')).store);
    const error = await errorOf(open(directory, 'n1'));
    expect(error.code).toBe('DATA_OF_OTHER_NODE');
    expect(error.message).toMatch(/belongs to node n2, not to n1/);
    await close((await open(directory, 'n2')).store);
  });

  it('that cannot be made is unwritable', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    for (const directory of [file, join(file, 'below')]) {
      const error = await errorOf(open(directory));
      expect(error.code).toBe('DATA_UNWRITABLE');
      expect(error.message).toContain(directory);
    }
  });

  it.skipIf(process.getuid?.() === 0)('without permission is unwritable', async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o500);
    expect((await errorOf(open(directory))).code).toBe('DATA_UNWRITABLE');
    chmodSync(directory, 0o700);
  });

  it('whose mark file cannot be opened is unwritable', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    rmSync(join(directory, 'mark'));
    mkdirSync(join(directory, 'mark'));
    expect((await errorOf(open(directory))).code).toBe('DATA_UNWRITABLE');
  });

  it('of another format is refused', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    await withDatabase(directory, async (database) => {
      const meta = { format: 2, nodeId: NODE, incarnation: 'first-life' };
      await database.writeSynced([{ type: 'put', key: META_KEY, value: encodeDocument(meta) }]);
    });
    const error = await errorOf(open(directory));
    expect(error.code).toBe('DATA_FORMAT_UNKNOWN');
    expect(error.message).toMatch(/format 2, this version reads 1/);
  });

  it('is free again after a failed opening', async () => {
    const directory = temporaryDirectory();
    await close((await open(directory, 'n2')).store);
    await errorOf(open(directory, 'n1'));
    await errorOf(open(directory, 'n1'));
    await close((await open(directory, 'n2')).store);
  });
});

describe('a creation that was interrupted', () => {
  it('before the mark is a new directory', async () => {
    const directory = temporaryDirectory();
    await withDatabase(directory, async () => undefined);
    expect((await load(directory)).incarnation).toBe('first-life');
  });

  it('between mark and first batch goes on', async () => {
    const directory = temporaryDirectory();
    await withDatabase(directory, async () => undefined);
    MarkFile.create(join(directory, 'mark'), {
      sequence: 0,
      hardState: (await load(temporaryDirectory())).hardState,
      lastIndex: 0,
      lastTerm: 0,
      chain: crc32('an incarnation nobody heard of'),
      identity: 0,
    });
    expect((await load(directory)).incarnation).toBe('first-life');
    expect((await load(directory)).incarnation).toBe('first-life');
  });

  it('after the first batch, before its mark, is a directory like any other', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    const mark = MarkFile.read(join(directory, 'mark'));
    expect(mark?.seal.sequence).toBe(1);
    if (mark !== undefined) {
      MarkFile.create(join(directory, 'mark'), { ...mark.seal, sequence: 0 });
    }
    expect((await load(directory)).incarnation).toBe('first-life');
    expect(MarkFile.read(join(directory, 'mark'))?.seal.sequence).toBe(1);
  });

  it('is not what a log without a mark is', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    rmSync(join(directory, 'mark'));
    const error = await errorOf(open(directory));
    expect(error.code).toBe('DATA_DAMAGED');
    expect(error.message).toMatch(/mark file .* is missing/);
  });

  it('is not what an emptied database beside a mark is', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    rmSync(join(directory, 'log'), { recursive: true });
    await withDatabase(directory, async () => undefined);
    const error = await errorOf(open(directory));
    expect(error.code).toBe('DATA_DAMAGED');
    expect(error.message).toMatch(/owner of this directory is missing/);
  });
});

describe('the log against the mark', () => {
  it('is refused when it has an older term than the mark', async () => {
    const directory = temporaryDirectory();
    const { store } = await open(directory);
    await append(store, suffix(1, 1, 5));
    await close(store);
    const mark = MarkFile.read(join(directory, 'mark'));
    if (mark === undefined) throw new Error('no mark');
    const { term } = suffix(1, 1, 6).hardState ?? mark.seal.hardState;
    MarkFile.create(join(directory, 'mark'), {
      ...mark.seal,
      sequence: mark.seal.sequence - 1,
      hardState: { ...mark.seal.hardState, term },
    });
    await expect(load(directory)).rejects.toThrow(/log is at term 5, the mark file at 6/);
  });

  it('is refused when it has another vote in the term of the mark', async () => {
    const directory = temporaryDirectory();
    const { store } = await open(directory);
    await append(store, suffix(1, 1, 5));
    await close(store);
    const mark = MarkFile.read(join(directory, 'mark'));
    if (mark === undefined) throw new Error('no mark');
    MarkFile.create(join(directory, 'mark'), {
      ...mark.seal,
      sequence: mark.seal.sequence - 1,
      hardState: { ...mark.seal.hardState, votedFor: 'n3' as NodeId },
    });
    await expect(load(directory)).rejects.toThrow(/voted for n2 in term 5, the mark file for n3/);
  });

  it('is refused without its seal', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    await withDatabase(directory, (database) =>
      database.writeSynced([{ type: 'del', key: SEAL_KEY }]),
    );
    await expect(load(directory)).rejects.toThrow(/the seal of the log is missing/);
  });

  it('does not touch the mark when nothing is new', async () => {
    const directory = temporaryDirectory();
    await load(directory);
    const before = readFileSync(join(directory, 'mark'));
    await load(directory);
    expect(readFileSync(join(directory, 'mark')).equals(before)).toBe(true);
  });
});
