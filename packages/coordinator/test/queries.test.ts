import { describe, expect, test } from 'vitest';
import type { QueryResult } from '../src/index.js';
import { bytes, campaignId, key, TestLog } from './support.js';

function filled(count: number, options = {}): TestLog {
  const log = new TestLog(options);
  for (let at = 0; at < count; at += 1) log.put(`k${String(at).padStart(3, '0')}`);
  return log;
}

function range(log: TestLog, limit: number, start = '', end?: string): QueryResult {
  return log.query({
    type: 'range',
    start: key(start),
    end: end === undefined ? undefined : key(end),
    limit,
  });
}

function next(log: TestLog, page: QueryResult): QueryResult {
  if (page.type !== 'range' || page.cursor === undefined) throw new Error('there is no more');
  return log.query({ type: 'range-next', cursor: page.cursor });
}

function keysOf(page: QueryResult): readonly string[] {
  if (page.type !== 'range') throw new Error(page.type);
  return page.records.map((record) => record.key);
}

test('get answers the record or nothing, at the revision it was asked', () => {
  const log = filled(1);
  expect(log.query({ type: 'get', key: key('k000') })).toMatchObject({
    revision: 1,
    record: { key: 'k000', value: bytes('v') },
  });
  expect(log.query({ type: 'get', key: key('none') })).toEqual({
    type: 'get',
    revision: 1,
    record: undefined,
  });
});

describe('a range', () => {
  test('has its start and not its end', () => {
    const log = filled(5);
    expect(keysOf(range(log, 10, 'k001', 'k003'))).toEqual(['k001', 'k002']);
    expect(keysOf(range(log, 10, 'k0005'))).toEqual(['k001', 'k002', 'k003', 'k004']);
    expect(keysOf(range(log, 10, 'z'))).toEqual([]);
  });

  test('that fits exactly has no cursor', () => {
    const log = filled(3);
    expect(range(log, 3)).toMatchObject({ cursor: undefined });
    expect(range(log, 2, '', 'k002')).toMatchObject({ cursor: undefined });
  });

  test('comes in pages of one revision, whatever is written meanwhile', () => {
    const log = filled(5);
    const first = range(log, 2);
    log.put('k0015', 'later');
    log.run({ type: 'delete', key: key('k003'), guards: [] });
    const second = next(log, first);
    const third = next(log, second);
    expect([first, second, third].flatMap(keysOf)).toEqual([
      'k000',
      'k001',
      'k002',
      'k003',
      'k004',
    ]);
    for (const page of [first, second, third]) expect(page).toMatchObject({ revision: 5 });
    expect(third).toMatchObject({ cursor: undefined });
    expect(keysOf(range(log, 10))).toEqual(['k000', 'k001', 'k0015', 'k002', 'k004']);
  });

  test('keeps its end over the pages', () => {
    const log = filled(5);
    const second = next(log, range(log, 2, '', 'k003'));
    expect(keysOf(second)).toEqual(['k002']);
    expect(second).toMatchObject({ cursor: undefined });
  });

  test('answers the same cursor again the same way: a lost reply costs nothing', () => {
    const log = filled(5);
    const first = range(log, 2);
    log.put('k0025');
    expect(next(log, first)).toEqual(next(log, first));
  });

  test('ends a page at a mebibyte, so that it fits a frame', () => {
    const log = new TestLog();
    for (const at of ['a', 'b', 'c']) {
      const value = new Uint8Array(700_000);
      log.run({ type: 'put', key: key(at), value, lease: undefined, guards: [] });
    }
    const first = range(log, 100);
    expect(keysOf(first)).toEqual(['a', 'b']);
    expect(keysOf(next(log, first))).toEqual(['c']);
  });

  test.each([0, -5, 1.5, Number.NaN])(
    'with the senseless limit %d gives what a page may hold',
    (limit) => {
      const log = filled(3);
      expect(keysOf(range(log, limit))).toHaveLength(3);
    },
  );

  test('keys that look like cursor syntax survive it', () => {
    const log = new TestLog();
    for (const at of ['-', '.', '.-', '1.2.3.', '\u0000', '\u00ff-']) log.put(at);
    let page = range(log, 1, '', '\u00ff.');
    const seen = [...keysOf(page)];
    while (page.type === 'range' && page.cursor !== undefined) {
      page = next(log, page);
      seen.push(...keysOf(page));
    }
    expect(seen).toEqual(['\u0000', '-', '.', '.-', '1.2.3.', '\u00ff-']);
  });
});

describe('a cursor', () => {
  test('of a revision that is still the present one needs no pin', () => {
    const log = filled(3);
    const first = range(log, 1);
    log.pass(60_000).time();
    expect(keysOf(next(log, first))).toEqual(['k001']);
  });

  test('that nobody used for a minute of cluster time is expired', () => {
    const log = filled(4);
    const first = range(log, 1);
    log.put('z');
    log.pass(59_999).time();
    const second = next(log, first);
    expect(keysOf(second)).toEqual(['k001']);
    log.pass(59_999).time();
    expect(keysOf(next(log, second))).toEqual(['k002']);
    log.pass(60_000).time();
    expect(next(log, second)).toEqual({ type: 'cursor-expired' });
  });

  test('gives way when too many revisions are pinned, the longest unused first', () => {
    const log = filled(3);
    const pages: QueryResult[] = [];
    for (let at = 0; at < 65; at += 1) {
      pages.push(range(log, 1));
      log.put('z', String(at));
      const [oldest] = pages;
      if (at === 60 && oldest !== undefined) next(log, oldest);
    }
    const [first, second, third] = pages.map((page) => next(log, page).type);
    expect([first, second, third]).toEqual(['range', 'cursor-expired', 'range']);
  });

  test.each(['', 'x', '1.2', '1.1.5.abc', '1.1.1.axx', '99999999999999999.1.0.', '7.1.0.'])(
    'made up as %j is expired, not a fault',
    (cursor) => {
      const log = filled(3);
      expect(log.query({ type: 'range-next', cursor })).toEqual({ type: 'cursor-expired' });
    },
  );
});

test('leases are listed in the order they were granted', () => {
  const log = new TestLog();
  for (const id of ['b', 'a', 'c']) log.grantLease(id);
  const listed = log.query({ type: 'lease-list', limit: 2 });
  expect(listed).toMatchObject({ leases: [{ lease: 'b' }, { lease: 'a' }], more: true });
  expect(log.query({ type: 'lease-list', limit: 3 })).toMatchObject({ more: false });
  expect(log.showLease('none')).toBeUndefined();
});

test('elections are listed by prefix in byte order', () => {
  const log = new TestLog();
  log.grantLease('l');
  for (const name of ['jobs/b', 'jobs/a', 'other', 'jobs/c', 'job']) {
    log.campaign(name, name, 'l');
  }
  log.campaign('jobs/a', 'waiting', 'l');
  const names = (prefix: string, limit: number): unknown => {
    const result = log.query({ type: 'election-list', prefix, limit });
    if (result.type !== 'election-list') throw new Error(result.type);
    return [result.elections.map(({ election }) => election), result.more];
  };
  expect(names('jobs/', 10)).toEqual([['jobs/a', 'jobs/b', 'jobs/c'], false]);
  expect(names('jobs/', 2)).toEqual([['jobs/a', 'jobs/b'], true]);
  expect(names('', 10)).toEqual([['job', 'jobs/a', 'jobs/b', 'jobs/c', 'other'], false]);
});

test('a list of elections ends at a mebibyte', () => {
  const log = new TestLog();
  log.grantLease('l');
  for (const name of ['a', 'b', 'c']) {
    log.run({
      type: 'campaign',
      election: name,
      lease: 'l' as never,
      candidate: name,
      metadata: new Uint8Array(600_000),
      campaignId: campaignId(name),
    });
  }
  log.withdraw('c', 'c', 'l');
  const listed = log.query({ type: 'election-list', prefix: '', limit: 10 });
  expect(listed).toMatchObject({ elections: [{ election: 'a' }, { election: 'b' }], more: true });
});

test('an election that is vacant or unknown says so at once (K-035)', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.campaign('e', 'c', 'l');
  log.withdraw('e', 'c', 'l');
  expect(log.show('e')).toMatchObject({ leader: undefined, queue: [] });
  expect(log.show('never')).toBeUndefined();
});
