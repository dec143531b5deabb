import { describe, expect, it } from 'vitest';
import type { ClusterIdentity, LogIndex, LogWrite, NodeId, Term } from '@raftd/raft';
import { StorageError } from '../src/index.js';
import type { Database, Operation } from '../src/database.js';
import { LevelStore } from '../src/level-store.js';
import { RunIndex } from '../src/run-index.js';
import type { Seal } from '../src/seal.js';
import {
  addition,
  append,
  close,
  describeEntries,
  entry,
  errorOf,
  load,
  open,
  suffix,
} from './stage.js';
import { temporaryDirectory } from './temporary-directory.js';

const EMPTY: Seal = {
  sequence: 1,
  hardState: { term: 0 as Term, votedFor: undefined, promiseMs: 0 },
  lastIndex: 0,
  lastTerm: 0,
  chain: 7,
  identity: 0,
};

const IDENTITY: ClusterIdentity = {
  clusterId: 'c',
  members: [{ id: 'n1' as NodeId, incarnation: 'first-life' }],
};

/** A store whose disk is a script: what each write does, and a list of all that was asked. */
class Bench {
  readonly asked: string[] = [];
  writes = 0;
  diskFails: Error | undefined = undefined;
  markFails: Error | undefined = undefined;
  syncFails: Error | undefined = undefined;
  readonly store: LevelStore;

  constructor() {
    const database: Database = {
      writeSynced: async (operations: Operation[]) => {
        this.writes += 1;
        this.asked.push(`batch of ${operations.length}`);
        if (this.diskFails !== undefined) throw this.diskFails;
      },
      readNow: () => undefined,
      close: async () => {
        this.asked.push('close');
      },
    };
    const mark = {
      write: () => {
        this.asked.push('mark');
        if (this.markFails !== undefined) throw this.markFails;
      },
      sync: (done: (error: Error | null) => void) => {
        this.asked.push('sync mark');
        setImmediate(() => done(this.syncFails ?? null));
      },
      close: () => {
        this.asked.push('close mark');
      },
    };
    this.store = new LevelStore({ database, mark, runs: new RunIndex(), seal: EMPTY });
  }
}

function enospc(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

describe('the order of a write', () => {
  it('is batch, mark, sync of the mark when term or vote are new, and only then done', async () => {
    const bench = new Bench();
    await append(bench.store, suffix(1, 3, 1));
    bench.asked.push('done');
    await append(bench.store, addition(4, 4, 1));
    bench.asked.push('done');
    expect(bench.asked).toEqual([
      'batch of 2',
      'mark',
      'sync mark',
      'done',
      'batch of 2',
      'mark',
      'done',
    ]);
  });

  it('syncs the mark for a new vote in the same term', async () => {
    const bench = new Bench();
    const write = suffix(1, 1, 1);
    await append(bench.store, write);
    bench.asked.length = 0;
    await append(bench.store, {
      ...addition(2, 2, 1),
      hardState: { term: 1 as Term, votedFor: 'n3' as NodeId, promiseMs: 0 },
    });
    expect(bench.asked).toEqual(['batch of 2', 'mark', 'sync mark']);
  });

  it('does not sync the mark for a longer promise alone', async () => {
    const bench = new Bench();
    await append(bench.store, suffix(1, 1, 1));
    bench.asked.length = 0;
    await append(bench.store, {
      ...addition(2, 2, 1),
      hardState: { term: 1 as Term, votedFor: 'n2' as NodeId, promiseMs: 500 },
    });
    expect(bench.asked).toEqual(['batch of 2', 'mark']);
  });

  it('starts no write before the one in flight is done (R-074)', () => {
    const { store } = new Bench();
    store.append(suffix(1, 1, 1), () => undefined);
    expect(() => store.append(addition(2, 2, 1), () => undefined)).toThrow(/one write in flight/);
    expect(() => store.saveIdentity(IDENTITY, () => undefined)).toThrow(/one write in flight/);
  });

  it('accepts the next write from inside done', async () => {
    const { store } = new Bench();
    await new Promise<void>((resolve) => {
      store.append(suffix(1, 1, 1), () => store.append(addition(2, 2, 1), () => resolve()));
    });
  });

  it('lets the write in flight finish before it closes', async () => {
    const bench = new Bench();
    bench.store.append(suffix(1, 1, 1), () => bench.asked.push('done'));
    await close(bench.store);
    expect(bench.asked).toEqual(['batch of 2', 'mark', 'sync mark', 'done', 'close', 'close mark']);
    expect(() => bench.store.append(addition(2, 2, 1), () => undefined)).toThrow(/after close/);
  });
});

describe('a failed write (R-072, R-073)', () => {
  const faults: readonly [string, (bench: Bench) => void][] = [
    ['of the batch', (bench) => (bench.diskFails = enospc())],
    ['of the mark', (bench) => (bench.markFails = enospc())],
    ['of the sync of the mark', (bench) => (bench.syncFails = enospc())],
  ];

  it.each(faults)(
    '%s fails every later one with the same error and tries nothing',
    async (_, f) => {
      const bench = new Bench();
      f(bench);
      const first = await errorOf(append(bench.store, suffix(1, 1, 1)));
      expect(first).toBeInstanceOf(StorageError);
      expect(first.code).toBe('DISK_FULL');
      bench.diskFails = undefined;
      bench.markFails = undefined;
      bench.syncFails = undefined;
      const asked = bench.asked.length;
      expect(await errorOf(append(bench.store, addition(2, 2, 1)))).toBe(first);
      const identity = await new Promise((resolve) => bench.store.saveIdentity(IDENTITY, resolve));
      expect(identity).toBe(first);
      expect(bench.asked.length).toBe(asked);
      await close(bench.store);
    },
  );

  it('tells the caller later, not inside the call', async () => {
    const bench = new Bench();
    bench.diskFails = new Error('IO error: /x/000003.log: Input/output error');
    await errorOf(append(bench.store, suffix(1, 1, 1)));
    let isReturned = false;
    await new Promise<void>((resolve) => {
      bench.store.append(addition(2, 2, 1), (error) => {
        expect(isReturned).toBe(true);
        expect(error?.code).toBe('DISK_FAILED');
        resolve();
      });
      isReturned = true;
    });
  });
});

describe('what only a bug can ask for throws', () => {
  const after: readonly [string, LogWrite, RegExp][] = [
    ['a gap', addition(5, 5, 2), /entry 5 follows 3/],
    ['an overlap', addition(3, 3, 2), /entry 3 follows 3/],
    ['a cut beyond the end', suffix(5, 5, 2), /leaves a gap/],
    ['a cut at 0', suffix(0, 0, 2), /is no index/],
    ['an older term at the end', addition(4, 4, 1), /term 1 of 4 after 2/],
    ['a wrong last index', { ...addition(4, 4, 2), lastIndex: 5 as LogIndex }, /lastIndex 5/],
    ['a wrong last term', { ...addition(4, 4, 2), lastTerm: 1 as Term }, /lastTerm 1/],
    ['a term above the hard state', addition(4, 4, 3), /above term 2/],
    ['a hard state that goes back', suffix(4, 4, 1), /term 1 goes back/],
    [
      'terms that go back within a write',
      { ...addition(4, 5, 2), entries: [entry(4, 2), entry(5, 1)], lastTerm: 1 as Term },
      /term 1 of entry 5/,
    ],
  ];

  it.each(after)('%s', async (_, write, message) => {
    const { store } = new Bench();
    await append(store, suffix(1, 3, 2));
    expect(() => store.append(write, () => undefined)).toThrow(message);
  });

  it('a vote for an id of more than 255 bytes', () => {
    const { store } = new Bench();
    const votedFor = 'n'.repeat(256) as NodeId;
    const write = { ...suffix(1, 1, 1), hardState: { term: 1 as Term, votedFor, promiseMs: 0 } };
    expect(() => store.append(write, () => undefined)).toThrow(/node id of 256 bytes/);
  });

  it('a second cluster identity', async () => {
    const { store } = new Bench();
    await new Promise((resolve) => store.saveIdentity(IDENTITY, resolve));
    expect(() => store.saveIdentity(IDENTITY, () => undefined)).toThrow(/stored once/);
  });
});

describe('a truncation', () => {
  it('cuts inside a run that a single write made', async () => {
    const directory = temporaryDirectory();
    const { store } = await open(directory);
    await append(store, suffix(1, 100, 1));
    await append(store, suffix(40, 45, 2));
    await append(store, addition(46, 50, 2));
    await close(store);
    const { entries } = await load(directory);
    expect(entries).toEqual([
      ...suffix(1, 39, 1).entries,
      ...suffix(40, 45, 2).entries,
      ...addition(46, 50, 2).entries,
    ]);
  });

  it('cuts a run again that was cut before', async () => {
    const directory = temporaryDirectory();
    const { store } = await open(directory);
    await append(store, suffix(1, 100, 1));
    for (let term = 2; term <= 9; term += 1) await append(store, suffix(50 - term, 60, term));
    await close(store);
    const { entries } = await load(directory);
    expect(entries).toEqual([...suffix(1, 40, 1).entries, ...suffix(41, 60, 9).entries]);
  });

  it('cuts in a log that was opened anew, and in one of several runs a write', async () => {
    const directory = temporaryDirectory();
    const first = await open(directory);
    const large = 'x'.repeat(100_000);
    const entries = Array.from({ length: 20 }, (_, at) => entry(at + 1, 1, large));
    await append(first.store, { ...suffix(1, 20, 1), entries });
    await close(first.store);
    const second = await open(directory);
    expect(describeEntries(second.loaded.entries)).toEqual(describeEntries(entries));
    await append(second.store, suffix(11, 12, 2));
    await close(second.store);
    const loaded = await load(directory);
    expect(describeEntries(loaded.entries)).toEqual(
      describeEntries([...entries.slice(0, 10), ...suffix(11, 12, 2).entries]),
    );
  });
});
