import type { TxnCompare, TxnOperation, TxnResult } from '@raftd/client';
import type { Answer, SeenRecord } from '../../storm/events.js';
import { keyName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { oddTransaction } from './odd-transaction.js';
import { get } from './read.js';
import { sawRevision, seenRecord } from './seen.js';

type Transact = Extract<ClientOperation, { readonly type: 'transact' }>;
type CompareAndPut = Extract<ClientOperation, { readonly type: 'compare-and-put' }>;

interface Asked {
  readonly compares: readonly { readonly key: string; readonly version: number }[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const ODD_PERCENT = 30;

/** Some use what the language of transactions has besides. */
export async function transact(worker: Worker, { reads, writes }: Transact): Promise<void> {
  if (worker.dice.percent(ODD_PERCENT)) {
    await oddTransaction(worker);
    return;
  }
  await recordTransaction(worker, { compares: [], reads: names(reads), writes: names(writes) });
}

/** What optimistic concurrency does: read, then write if nothing has changed since. */
export async function compareAndPut(worker: Worker, { key }: CompareAndPut): Promise<void> {
  const read = await get(worker, { key, stale: false });
  if (!read.ok) return;
  const name = keyName(key);
  const version = read.value?.version ?? 0;
  await recordTransaction(worker, {
    compares: [{ key: name, version }],
    reads: [],
    writes: [name],
  });
}

/** At one revision, if the versions are these: first the reads, then the writes. */
export async function recordTransaction(worker: Worker, asked: Asked): Promise<void> {
  await worker.diary.record(
    (operation) => ({
      type: 'transact',
      compares: asked.compares,
      reads: asked.reads,
      writes: asked.writes.map((key) => ({ key, value: String(operation) })),
    }),
    (operation) => commit(worker, asked, String(operation)),
    (result): Answer => {
      sawRevision(worker, result.revision);
      const { revision, succeeded } = result;
      return { type: 'transacted', revision, succeeded, records: recordsRead(result) };
    },
  );
}

function commit(worker: Worker, asked: Asked, value: string): Promise<TxnResult> {
  const compare = asked.compares.map(
    ({ key, version }): TxnCompare => ({
      key,
      target: 'version',
      operator: '=',
      operand: version,
    }),
  );
  const gets = asked.reads.map((key): TxnOperation => ({ type: 'get', key }));
  const puts = asked.writes.map((key): TxnOperation => ({ type: 'put', key, value }));
  return worker.client.txn({ compare, then: [...gets, ...puts] }, callOptions(worker));
}

function recordsRead({ succeeded, results }: TxnResult): readonly (SeenRecord | undefined)[] {
  if (!succeeded) return [];
  const records: (SeenRecord | undefined)[] = [];
  for (const result of results) {
    if (result.type !== 'get') continue;
    records.push(result.record === undefined ? undefined : seenRecord(result.record));
  }
  return records;
}

/** Each key once. */
function names(keys: readonly number[]): readonly string[] {
  return [...new Set(keys)].map(keyName);
}
