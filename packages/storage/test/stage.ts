import { crc32 } from 'node:zlib';
import type { Entry, LogIndex, LogWrite, NodeId, Term } from '@raftd/raft';
import type { LoadedStore, LogStore, OpenStorage, StorageError } from '../src/index.js';
import { openLevelStorage } from '../src/index.js';

export const NODE: NodeId = 'n1' as NodeId;

export function open(directory: string, nodeId: string = NODE): Promise<OpenStorage> {
  return openLevelStorage({
    directory,
    nodeId: nodeId as NodeId,
    incarnation: () => 'first-life',
  });
}

export async function load(directory: string): Promise<LoadedStore> {
  const { store, loaded } = await open(directory);
  await close(store);
  return loaded;
}

export function append(store: LogStore, write: LogWrite): Promise<void> {
  return new Promise((resolve, reject) => {
    store.append(write, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

export function close(store: LogStore): Promise<void> {
  return new Promise((resolve) => store.close(resolve));
}

export function entry(index: number, term: number, text: string = `${index}/${term}`): Entry {
  return {
    index: index as LogIndex,
    term: term as Term,
    kind: 'command',
    clusterTimeMs: 1000 + index,
    payload: new Uint8Array(Buffer.from(text)),
  };
}

/** Entries `from` to `to`, all of `term`, written as a node of that term that voted for n2. */
export function suffix(from: number, to: number, term: number): LogWrite {
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

/** Only entries, on top of what is there. */
export function addition(from: number, to: number, term: number): LogWrite {
  return { ...suffix(from, to, term), hardState: undefined, truncateFrom: undefined };
}

/** One line an entry: large payloads compare fast and differ readably. */
export function describeEntries(entries: readonly Entry[]): readonly string[] {
  return entries.map(
    ({ index, term, kind, clusterTimeMs, payload }) =>
      `${index}/${term} ${kind} at ${clusterTimeMs}, ${payload.length} bytes, ${crc32(payload)}`,
  );
}

/** Resolves to the error `promise` rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<StorageError> {
  try {
    await promise;
  } catch (error) {
    return error as StorageError;
  }
  throw new Error('expected an error');
}
