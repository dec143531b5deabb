import type { ByteString, ClientRequest, ReplyBody, Revision } from '@raftd/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { RangePage } from '../src/range.js';
import { FakeCluster } from './harness/cluster.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;
let client: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1] });
});

const record = (key: string) => ({
  key: key as ByteString,
  value: Buffer.from(`v-${key}`),
  createRevision: 3 as Revision,
  modRevision: 4 as Revision,
  version: 2,
  lease: undefined,
});

async function done<T>(promise: Promise<T>): Promise<T> {
  const outcome = watchOutcome(promise);
  await world.advance(20);
  return valueOf(outcome);
}

function lastCommand(): unknown {
  const request = cluster.received.findLast(({ request }) => request.type === 'command')?.request;
  return request?.type === 'command' ? request.logged.command : undefined;
}

const page = (keys: readonly string[], cursor: string | undefined): ReplyBody => ({
  type: 'query',
  result: { type: 'range', revision: 9 as Revision, records: keys.map(record), cursor },
});

/** Answers the pages of a range; `undefined`: the cursor is gone. */
function servePages(...pages: (ReplyBody | undefined)[]): ClientRequest[] {
  const asked: ClientRequest[] = [];
  cluster.node(1).script = (request, usual) => {
    if (request.type !== 'query') return usual();
    asked.push(request);
    return pages.shift() ?? { type: 'query', result: { type: 'cursor-expired' } };
  };
  return asked;
}

describe('keys and values', () => {
  it('are bytes; text stands for its UTF-8', async () => {
    await done(client.put('grüße', 'wörld'));
    const read = await done(client.get(Buffer.from('grüße', 'utf8')));
    expect(read?.keyText).toBe('grüße');
    expect(read?.valueText).toBe('wörld');
    expect(Buffer.from(read?.value ?? []).toString()).toBe('wörld');
    expect(read).toMatchObject({ version: 1, createRevision: 1, modRevision: 1 });
  });

  it('undefined is what a missing key reads as', async () => {
    expect(await done(client.get('none'))).toBeUndefined();
  });

  it('a value may be reused by the caller as soon as the call was made', async () => {
    const value = Buffer.from('before');
    const putting = client.put('k', value);
    value.fill('x');
    await done(putting);
    expect((await done(client.get('k')))?.valueText).toBe('before');
  });

  it('guards and leases travel with a write', async () => {
    const put = watchOutcome(
      client.put('k', 'v', { lease: 'l', guard: { election: 'e', token: 7n } }),
    );
    await world.advance(10);
    expect(errorOf(put)).toMatchObject({ code: 'FENCED', details: { election: 'e' } });
    const guards = [{ election: 'e', token: 7n }];
    expect(lastCommand()).toMatchObject({ type: 'put', lease: 'l', guards });
  });

  it('delete tells how many there were', async () => {
    await done(client.put('k', 'v'));
    expect(await done(client.delete('k'))).toEqual({ revision: 2, deleted: 1 });
    expect(await done(client.delete('k'))).toEqual({ revision: 2, deleted: 0 });
  });

  it('deleteRange covers exactly what starts with a prefix', async () => {
    cluster.node(1).script = () => ({
      type: 'command',
      result: { type: 'delete-range', revision: 5 as Revision, deleted: 3, more: true },
    });
    const result = await done(client.deleteRange({ prefix: 'a' }));
    expect(result).toEqual({ revision: 5, deleted: 3, more: true });
    expect(lastCommand()).toMatchObject({ start: 'a', end: 'b' });
  });
});

describe('a range', () => {
  it('comes in pages of one revision, the rest from the node that has them pinned', async () => {
    const asked = servePages(page(['a', 'b'], 'c1'), page(['c'], undefined));
    const pages: RangePage[] = [];
    const reading = (async () => {
      for await (const one of client.range({ prefix: '' }, { limit: 2 })) pages.push(one);
    })();
    await done(reading);
    expect(pages.map(({ revision, records }) => [revision, records.map((r) => r.keyText)])).toEqual(
      [
        [9, ['a', 'b']],
        [9, ['c']],
      ],
    );
    expect(asked.map((request) => request.type === 'query' && request.query.type)).toEqual([
      'range',
      'range-next',
    ]);
  });

  it('ends with CURSOR_EXPIRED when that node is gone', async () => {
    servePages(page(['a'], 'c1'));
    const pages = client.range({ prefix: '' })[Symbol.asyncIterator]();
    await done(pages.next());
    cluster.node(1).dropConnections();
    await world.advance(20);
    const next = watchOutcome(pages.next());
    await world.advance(20);
    expect(errorOf(next)).toMatchObject({ code: 'CURSOR_EXPIRED', retryable: true });
  });

  it('read whole starts again when its pages expired', async () => {
    servePages(page(['a'], 'c1'), undefined, page(['a'], 'c2'), page(['b'], undefined));
    const all = await done(client.rangeAll({ start: 'a' }, { limit: 1 }));
    expect(all.records.map(({ keyText }) => keyText)).toEqual(['a', 'b']);
  });

  it('refuses a page limit outside its bounds', async () => {
    const reading = watchOutcome(client.rangeAll({ prefix: '' }, { limit: 0 }));
    await world.settle();
    expect(errorOf(reading)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a transaction', () => {
  it('is comparisons and two lists of operations', async () => {
    cluster.node(1).script = () => ({
      type: 'command',
      result: {
        type: 'txn',
        revision: 5 as Revision,
        succeeded: true,
        results: [
          { type: 'put', version: 2 },
          { type: 'get', record: record('b') },
          { type: 'delete-range', deleted: 1, more: false },
        ],
      },
    });
    const result = await done(
      client.txn({
        compare: [
          { key: 'a', target: 'value', operator: '=', operand: 'x' },
          { key: 'a', target: 'version', operator: '>', operand: 1 },
        ],
        then: [
          { type: 'put', key: 'a', value: 'y' },
          { type: 'get', key: 'b' },
          { type: 'delete-range', prefix: 'c' },
        ],
        else: [{ type: 'delete', key: 'a' }],
      }),
    );
    expect(result).toMatchObject({ revision: 5, succeeded: true });
    expect(result.results[1]).toMatchObject({ type: 'get', record: { valueText: 'v-b' } });
    expect(lastCommand()).toMatchObject({
      compares: [{ target: 'value' }, { target: 'version', operand: 1 }],
      success: [{ type: 'put' }, { type: 'get' }, { type: 'delete-range', start: 'c', end: 'd' }],
      failure: [{ type: 'delete' }],
    });
  });

  it('too long or malformed is refused before it is sent', async () => {
    const many = Array.from({ length: 129 }, () => ({ type: 'get', key: 'k' }) as const);
    const long = watchOutcome(client.txn({ then: many }));
    const wrong = watchOutcome(
      client.txn({ compare: [{ key: 'k', target: 'version', operator: '=', operand: -1 }] }),
    );
    await world.settle();
    expect(errorOf(long)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(errorOf(wrong)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('an answer of another kind than asked for', () => {
  it('is a typed error, not a crash', async () => {
    cluster.node(1).script = () => ({ type: 'unwatched' });
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    expect(errorOf(put).code).toBe('MALFORMED_FRAME');
    cluster.node(1).script = () => page([], undefined);
    const get = watchOutcome(client.get('k'));
    await world.advance(10);
    expect(errorOf(get).code).toBe('MALFORMED_FRAME');
  });
});
