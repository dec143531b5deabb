import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterIdentity, Entry, HardState, LogWrite } from '@raftd/raft';
import type { LogIndex, NodeId, Term } from '@raftd/raft';
import type { LoadedStore, LogStore } from '@raftd/storage';

/** One place where data lives. `open` again after `close` is a restart on the same data. */
export interface StorePlace {
  open(): Promise<{ readonly store: LogStore; readonly loaded: LoadedStore }>;
}

/** What a replica relies on, whatever it persists through. `make`: a new, empty place. */
export function storageContract(name: string, make: () => StorePlace): void {
  describe(`the store contract: ${name}`, () => {
    aNewStore(make);
    writes(make);
    completion(make);
    agreesWithTheModel(make);
  });
}

function aNewStore(make: () => StorePlace): void {
  it('holds nothing at first but an incarnation, which stays', async () => {
    const place = make();
    const { store, loaded } = await place.open();
    expect(loaded.incarnation).not.toBe('');
    expect(loaded.cluster).toBeUndefined();
    expect(loaded.hardState).toEqual({ term: 0, votedFor: undefined, promiseMs: 0 });
    expect(loaded.entries).toEqual([]);
    expect((await reopen(place, store)).loaded).toEqual(loaded);
  });

  it('keeps the cluster identity it was given', async () => {
    const place = make();
    const { store } = await place.open();
    await saveIdentity(store, IDENTITY);
    await append(store, suffix(1, 2, 1));
    const { loaded } = await reopen(place, store);
    expect(loaded.cluster).toEqual(IDENTITY);
    expect(loaded.entries).toEqual(suffix(1, 2, 1).entries);
  });
}

function writes(make: () => StorePlace): void {
  it('gives back term, vote, promise and entries as they were written', async () => {
    const place = make();
    const { store } = await place.open();
    const entries: readonly Entry[] = [
      { ...entry(1, 3), kind: 'no-op', payload: new Uint8Array(0) },
      { ...entry(2, 3), clusterTimeMs: 2 ** 53 - 1 },
      {
        ...entry(3, 3),
        clusterTimeMs: 1.5,
        payload: Uint8Array.from({ length: 256 }, (_, b) => b),
      },
    ];
    const hardState = { term: 9 as Term, votedFor: 'knoten-ü' as NodeId, promiseMs: 297.5 };
    await append(store, { ...suffix(1, 3, 3), hardState, entries });
    const { loaded } = await reopen(place, store);
    expect(loaded.hardState).toEqual(hardState);
    expect(loaded.entries).toEqual(entries);
  });

  it('keeps terms up to 2^53 - 1 exact', async () => {
    const place = make();
    const { store } = await place.open();
    const terms = [2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
    for (const [at, term] of terms.entries()) await append(store, suffix(at + 1, at + 1, term));
    const { loaded } = await reopen(place, store);
    expect(loaded.entries.map((found) => found.term)).toEqual(terms);
    expect(loaded.hardState.term).toBe(2 ** 53 - 1);
  });

  it('keeps a large payload, and small ones beside it', async () => {
    const place = make();
    const { store } = await place.open();
    const payload = Buffer.alloc(1_500_000, 'large');
    const entries = [entry(1, 1), { ...entry(2, 1), payload }, entry(3, 1)];
    await append(store, { ...suffix(1, 3, 1), entries });
    await append(store, suffix(3, 4, 2));
    const { loaded } = await reopen(place, store);
    expect(describeEntries(loaded.entries)).toEqual(
      describeEntries([...entries.slice(0, 2), ...suffix(3, 4, 2).entries]),
    );
  });

  it('changes the hard state alone, and leaves the log', async () => {
    const place = make();
    const { store } = await place.open();
    await append(store, suffix(1, 3, 1));
    await append(store, bareHardState(7, 3, 1));
    const { loaded } = await reopen(place, store);
    expect(loaded.hardState.term).toBe(7);
    expect(loaded.entries).toEqual(suffix(1, 3, 1).entries);
  });

  it('keeps the hard state of before when a write brings none', async () => {
    const place = make();
    const { store } = await place.open();
    await append(store, suffix(1, 3, 1));
    await append(store, addition(4, 6, 1));
    const { loaded } = await reopen(place, store);
    expect(loaded.hardState).toEqual(suffix(1, 3, 1).hardState);
    expect(loaded.entries).toEqual(suffix(1, 6, 1).entries);
  });

  it('replaces a suffix, whether the new one is shorter or longer', async () => {
    const place = make();
    const { store } = await place.open();
    await append(store, suffix(1, 9, 1));
    await append(store, suffix(4, 5, 2));
    await append(store, suffix(5, 12, 3));
    const { loaded } = await reopen(place, store);
    expect(loaded.entries).toEqual([
      ...suffix(1, 3, 1).entries,
      ...suffix(4, 4, 2).entries,
      ...suffix(5, 12, 3).entries,
    ]);
  });

  it('removes a suffix that nothing replaces, and goes on from there', async () => {
    const place = make();
    const { store } = await place.open();
    await append(store, suffix(1, 9, 1));
    await append(store, { ...suffix(4, 3, 2), lastTerm: 1 as Term });
    const second = await reopen(place, store);
    expect(second.loaded.entries).toEqual(suffix(1, 3, 1).entries);
    await append(second.store, addition(4, 4, 2));
    const third = await reopen(place, second.store);
    expect(third.loaded.entries).toEqual([...suffix(1, 3, 1).entries, ...suffix(4, 4, 2).entries]);
  });

  it('replaces the whole log', async () => {
    const place = make();
    const { store } = await place.open();
    await append(store, suffix(1, 9, 1));
    await append(store, suffix(1, 2, 2));
    const { loaded } = await reopen(place, store);
    expect(loaded.entries).toEqual(suffix(1, 2, 2).entries);
  });
}

function completion(make: () => StorePlace): void {
  it('calls done exactly once, and after append has returned', async () => {
    const { store } = await make().open();
    let calls = 0;
    let isReturned = false;
    const told = new Promise<void>((resolve) => {
      store.append(suffix(1, 1, 1), (error) => {
        calls += 1;
        expect(isReturned).toBe(true);
        expect(error).toBeUndefined();
        resolve();
      });
    });
    isReturned = true;
    await told;
    await append(store, addition(2, 2, 1));
    await close(store);
    expect(calls).toBe(1);
  });

  it('refuses a second write while one is in flight', async () => {
    const { store } = await make().open();
    const first = append(store, suffix(1, 1, 1));
    expect(() => store.append(addition(2, 2, 1), () => undefined)).toThrow(/in flight/);
    expect(() => store.saveIdentity(IDENTITY, () => undefined)).toThrow(/in flight/);
    await first;
    await append(store, addition(2, 2, 1));
    await close(store);
  });

  it('tells of the write in flight before it tells of its own closing', async () => {
    const place = make();
    const { store } = await place.open();
    const told: string[] = [];
    store.append(suffix(1, 1, 1), () => told.push('written'));
    await close(store);
    expect(told).toEqual(['written']);
    expect(() => store.append(addition(2, 2, 1), () => undefined)).toThrow(/close/);
    expect((await place.open()).loaded.entries).toEqual(suffix(1, 1, 1).entries);
  });
}

/** What a schedule may ask for next, each relative to the log as it stands. */
const step = fc.oneof(
  fc.record({ type: fc.constant('add' as const), count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    type: fc.constant('replace' as const),
    cut: fc.integer({ min: 1, max: 60 }),
    count: fc.integer({ min: 0, max: 40 }),
  }),
  fc.record({ type: fc.constant('vote' as const) }),
  fc.record({ type: fc.constant('restart' as const) }),
);

function agreesWithTheModel(make: () => StorePlace): void {
  it('holds what an array would, whatever is written and however often it restarts', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (schedule) => {
        const place = make();
        let { store } = await place.open();
        const model: { entries: Entry[]; hardState: HardState } = {
          entries: [],
          hardState: { term: 0 as Term, votedFor: undefined, promiseMs: 0 },
        };
        for (const next of [...schedule, { type: 'restart' as const }]) {
          if (next.type === 'restart') {
            const opened = await reopen(place, store);
            store = opened.store;
            expect(opened.loaded.hardState).toEqual(model.hardState);
            expect(describeEntries(opened.loaded.entries)).toEqual(describeEntries(model.entries));
            continue;
          }
          const write = writeFor(next, model.entries, model.hardState.term);
          await append(store, write);
          if (write.truncateFrom !== undefined) model.entries.length = write.truncateFrom - 1;
          model.entries.push(...write.entries);
          model.hardState = write.hardState ?? model.hardState;
        }
        await close(store);
      }),
      { numRuns: 25 },
    );
  });
}

function writeFor(
  step:
    | { type: 'add'; count: number }
    | { type: 'replace'; cut: number; count: number }
    | { type: 'vote' },
  entries: readonly Entry[],
  term: number,
): LogWrite {
  const last = entries.length;
  switch (step.type) {
    case 'add':
      if (term === 0) return suffix(1, step.count, 1);
      return addition(last + 1, last + step.count, term);
    case 'replace': {
      const from = Math.max(1, last + 1 - step.cut);
      const write = suffix(from, from + step.count - 1, term + 1);
      if (step.count > 0) return write;
      return { ...write, lastTerm: (entries[from - 2]?.term ?? 0) as Term };
    }
    case 'vote':
      return bareHardState(term + 1, last, entries.at(-1)?.term ?? 0);
  }
}

const IDENTITY: ClusterIdentity = {
  clusterId: 'cluster-1',
  members: [
    { id: 'n1' as NodeId, incarnation: 'a' },
    { id: 'n2' as NodeId, incarnation: 'b' },
  ],
};

function entry(index: number, term: number): Entry {
  return {
    index: index as LogIndex,
    term: term as Term,
    kind: 'command',
    clusterTimeMs: 1000 + index,
    payload: new Uint8Array(Buffer.from(`${index}/${term} ${'x'.repeat(index % 50)}`)),
  };
}

/** Entries `from` to `to` of `term`, in place of whatever was there. */
function suffix(from: number, to: number, term: number): LogWrite {
  const entries: Entry[] = [];
  for (let index = from; index <= to; index += 1) entries.push(entry(index, term));
  return {
    hardState: { term: term as Term, votedFor: 'n2' as NodeId, promiseMs: 0 },
    truncateFrom: from as LogIndex,
    entries,
    lastIndex: to as LogIndex,
    lastTerm: term as Term,
  };
}

/** The same, only on top of what is there. */
function addition(from: number, to: number, term: number): LogWrite {
  return { ...suffix(from, to, term), hardState: undefined, truncateFrom: undefined };
}

function bareHardState(term: number, lastIndex: number, lastTerm: number): LogWrite {
  return {
    hardState: { term: term as Term, votedFor: undefined, promiseMs: 10 },
    truncateFrom: undefined,
    entries: [],
    lastIndex: lastIndex as LogIndex,
    lastTerm: lastTerm as Term,
  };
}

function append(store: LogStore, write: LogWrite): Promise<void> {
  return new Promise((resolve, reject) => {
    store.append(write, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

function saveIdentity(store: LogStore, identity: ClusterIdentity): Promise<void> {
  return new Promise((resolve, reject) => {
    store.saveIdentity(identity, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

function close(store: LogStore): Promise<void> {
  return new Promise((resolve) => store.close(resolve));
}

async function reopen(
  place: StorePlace,
  store: LogStore,
): Promise<{ readonly store: LogStore; readonly loaded: LoadedStore }> {
  await close(store);
  return place.open();
}

/** One line an entry: many entries compare fast, and differ readably. */
function describeEntries(entries: readonly Entry[]): readonly string[] {
  return entries.map(
    ({ index, term, kind, clusterTimeMs, payload }) =>
      `${index}/${term} ${kind} at ${clusterTimeMs}, ${payload.length} bytes, ${crc32(payload)}`,
  );
}
