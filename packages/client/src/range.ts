import type { Consistency, KeyRecord, QueryResult, Revision } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import type { Answer, CallBody, CallOptions } from './call.js';
import type { Caller } from './caller.js';
import type { Connection } from './connection.js';
import { invalidArgument, RaftdError } from './errors.js';
import { KeyValue } from './key-value.js';
import { type KeyRange, mismatch, toRange } from './keys.js';
import type { ReadOptions } from './kv.js';

export interface RangeOptions extends ReadOptions {
  /** Records a page, 1 to 10,000; default 1,000. */
  readonly limit?: number | undefined;
}

export interface RangePage {
  /** The same on every page: all of them show one state. */
  readonly revision: Revision;
  readonly records: readonly KeyValue[];
}

/** As `Caller`, and tells who answered: the cursor lives there. */
export interface TracedCaller extends Caller {
  submitTraced(
    body: CallBody,
    options: CallOptions,
  ): Promise<{ readonly answer: Answer; readonly from: Connection | undefined }>;
}

const LIMIT_DEFAULT = 1_000;
const RESTARTS_MAX = 3;

/**
 * Pages of one revision, in byte order. The node that gave the first page keeps the state of the
 * rest: if it goes, the iteration ends with CURSOR_EXPIRED and must start again.
 */
export async function* range(
  caller: TracedCaller,
  keys: KeyRange,
  options: RangeOptions,
): AsyncGenerator<RangePage, void, undefined> {
  const limit = options.limit ?? LIMIT_DEFAULT;
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= DEFAULT_WIRE_LIMITS.rangeLimitMax)) {
    throw invalidArgument('limit', `is not from 1 to ${DEFAULT_WIRE_LIMITS.rangeLimitMax}`);
  }
  const consistency: Consistency = options.consistency ?? 'linearizable';
  const asked = { type: 'range', ...toRange(keys), limit } as const;
  const first = await caller.submitTraced({ type: 'query', consistency, query: asked }, options);
  let page = expectPage(first.answer);
  const via = first.from;
  for (;;) {
    yield { revision: page.revision, records: page.records.map(toKeyValue) };
    if (page.cursor === undefined) return;
    page = await nextPage(caller, page.cursor, via, options);
  }
}

/** Every record of the range at one revision. */
export async function rangeAll(
  caller: TracedCaller,
  keys: KeyRange,
  options: RangeOptions,
): Promise<RangePage> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      const records: KeyValue[] = [];
      let revision = 0 as Revision;
      for await (const page of range(caller, keys, options)) {
        revision = page.revision;
        for (const record of page.records) records.push(record);
      }
      return { revision, records };
    } catch (error) {
      const expired = error instanceof RaftdError && error.code === 'CURSOR_EXPIRED';
      if (!expired || restarts >= RESTARTS_MAX) throw error;
    }
  }
}

type Page = Extract<QueryResult, { readonly type: 'range' }>;

async function nextPage(
  caller: Caller,
  cursor: string,
  via: Connection | undefined,
  options: CallOptions,
): Promise<Page> {
  const pinned = via === undefined ? {} : { via };
  // What is pinned does not change, so any node's word is good; only that node has it.
  const query = { type: 'range-next', cursor } as const;
  const body = { type: 'query', consistency: 'stale', query } as const;
  return expectPage(await caller.submit(body, { ...options, ...pinned }));
}

function expectPage(answer: { readonly type: string }): Page {
  if (answer.type === 'range') return answer as Page;
  if (answer.type !== 'cursor-expired') throw mismatch('range', answer.type);
  throw new RaftdError('CURSOR_EXPIRED', 'the pages of this range are no longer pinned');
}

function toKeyValue(record: KeyRecord): KeyValue {
  return new KeyValue(record);
}
