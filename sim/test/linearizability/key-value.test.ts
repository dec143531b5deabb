import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/world/random.js';
import type {
  KvAction,
  KvCompare,
  KvInput,
  KvOutput,
  KvRecordShown,
} from '../../src/linearizability/index.js';
import { checkLinearizable, keyValueModel } from '../../src/linearizability/index.js';
import type { Line } from './support/by-hand.js';
import { byHand } from './support/by-hand.js';
import { kvTwin } from './support/kv-twin.js';
import { randomHistory } from './support/random-history.js';

type KvLine = Line<KvInput, KvOutput>;
type Times = readonly [process: string, callMs: number, returnMs: number | undefined];

const put = (
  [process, call, end]: Times,
  key: string,
  value: string,
  shown: { version?: number; revision?: number } = {},
): KvLine => [
  process,
  call,
  end,
  { type: 'put', key, value },
  end === undefined ? undefined : { type: 'put', ...shown },
];

const get = ([process, call, end]: Times, key: string, record?: KvRecordShown): KvLine => [
  process,
  call,
  end,
  { type: 'get', key },
  { type: 'get', record },
];

const remove = (
  [process, call, end]: Times,
  key: string,
  deleted: number,
  revision?: number,
): KvLine => [
  process,
  call,
  end,
  { type: 'delete', key },
  end === undefined ? undefined : { type: 'delete', deleted, revision },
];

const txn = (
  [process, call, end]: Times,
  asked: { compare?: readonly KvCompare[]; then?: readonly KvAction[]; else?: readonly KvAction[] },
  output?: Omit<Extract<KvOutput, { type: 'txn' }>, 'type'>,
): KvLine => [
  process,
  call,
  end,
  { type: 'txn', compare: [], then: [], else: [], ...asked },
  output === undefined ? undefined : { type: 'txn', ...output },
];

const judge = (...lines: readonly KvLine[]) => checkLinearizable(keyValueModel, byHand(...lines));

const record = (value: string, version: number, createRevision: number, modRevision: number) => ({
  value,
  version,
  createRevision,
  modRevision,
});

describe('keys', () => {
  it('are judged each on its own: the verdict names the key that fails', () => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one'),
      put(['a', 2, 3], 'y', 'two'),
      get(['b', 4, 5], 'x', { value: 'one' }),
      get(['b', 6, 7], 'y'),
    );
    expect(verdict).toMatchObject({
      type: 'not-linearizable',
      partition: 'y',
      firstUnplaceable: { id: 3 },
    });
  });

  it('count versions from 1 again after a delete, and keep their create revision till then', () => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { version: 1, revision: 4 }),
      put(['a', 2, 3], 'x', 'two', { version: 2, revision: 7 }),
      get(['b', 4, 5], 'x', record('two', 2, 4, 7)),
      remove(['a', 6, 7], 'x', 1, 8),
      remove(['a', 8, 9], 'x', 0, 8),
      put(['a', 10, 11], 'x', 'three', { version: 1, revision: 9 }),
      get(['b', 12, 13], 'x', record('three', 1, 9, 9)),
    );
    expect(verdict.type).toBe('linearizable');
  });

  it.each([
    ['value', record('other', 2, 4, 7)],
    ['version', record('two', 3, 4, 7)],
    ['create revision', record('two', 2, 5, 7)],
    ['mod revision', record('two', 2, 4, 6)],
  ])('refuse a record whose %s is not the one', (_, shown) => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { version: 1, revision: 4 }),
      put(['a', 2, 3], 'x', 'two', { version: 2, revision: 7 }),
      get(['b', 4, 5], 'x', shown),
    );
    expect(verdict).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 2 } });
  });

  it('need revisions that grow along the order, for concurrent puts as well', () => {
    const puts = (first: number, second: number) =>
      judge(
        put(['a', 0, 9], 'x', 'one', { version: 1, revision: first }),
        put(['b', 0, 9], 'x', 'two', { version: 2, revision: second }),
      ).type;
    expect(puts(3, 5)).toBe('linearizable');
    expect(puts(5, 3)).toBe('not-linearizable');
    expect(puts(5, 5)).toBe('not-linearizable');
  });

  it('learn of one revision what that of another can be: there is a change in between', () => {
    const puts = [put(['a', 0, 1], 'x', 'one'), put(['a', 2, 3], 'x', 'two')];
    const seen = (shown: Partial<KvRecordShown>) =>
      judge(...puts, get(['b', 4, 5], 'x', { value: 'two', version: 2, ...shown })).type;
    expect(seen({ createRevision: 4, modRevision: 5 })).toBe('linearizable');
    expect(seen({ createRevision: 4, modRevision: 4 })).toBe('not-linearizable');
    const later = (createRevision: number) =>
      judge(
        ...puts,
        get(['b', 4, 5], 'x', { value: 'two', createRevision }),
        put(['c', 6, 7], 'x', 'three', { revision: 6 }),
      ).type;
    expect(later(4)).toBe('linearizable');
    expect(later(5)).toBe('not-linearizable');
  });

  it('learn from comparisons which failed, and what is ruled out', () => {
    const is = (operator: KvCompare['operator'], operand: number): KvCompare => {
      return { key: 'x', target: 'mod-revision', operator, operand };
    };
    const asked = (compare: readonly KvCompare[], succeeded: boolean) =>
      txn(['b', 2, 3], { compare }, { succeeded });
    const put1 = put(['a', 0, 1], 'x', 'one');
    const shown = (modRevision: number) => get(['c', 4, 5], 'x', { value: 'one', modRevision });
    const judged = (compare: readonly KvCompare[], succeeded: boolean, modRevision: number) =>
      judge(put1, asked(compare, succeeded), shown(modRevision)).type;
    expect(judged([is('=', 3)], false, 3)).toBe('not-linearizable');
    expect(judged([is('!=', 3)], true, 3)).toBe('not-linearizable');
    expect(judged([is('!=', 3)], true, 4)).toBe('linearizable');
    expect(judged([is('<', 3), is('>', 5)], false, 2)).toBe('linearizable');
    expect(judged([is('>', 3), is('<', 6)], false, 3)).toBe('linearizable');
    expect(judged([is('>', 3), is('<', 6)], false, 6)).toBe('linearizable');
    expect(judged([is('>', 3), is('<', 6)], false, 4)).toBe('not-linearizable');
  });

  it('refuse a put that is acknowledged and then gone', () => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { version: 1, revision: 1 }),
      put(['b', 2, 3], 'x', 'two', { version: 1, revision: 2 }),
    );
    expect(verdict.type).toBe('not-linearizable');
  });

  it('let an unknown put be found by its value, or by the version that it left', () => {
    const lost = put(['a', 0, undefined], 'x', 'lost');
    const next = (version: number) => put(['b', 5, 6], 'x', 'next', { version, revision: 9 });
    expect(judge(lost, next(1)).type).toBe('linearizable');
    expect(judge(lost, next(2)).type).toBe('linearizable');
    expect(judge(lost, next(3)).type).toBe('not-linearizable');
    const seen = get(['b', 7, 8], 'x', record('lost', 1, 4, 4));
    expect(judge(lost, seen).type).toBe('linearizable');
    expect(judge(lost, next(1), seen).type).toBe('not-linearizable');
    expect(judge(lost, next(2), get(['b', 7, 8], 'x', record('next', 2, 9, 9))).type).toBe(
      'not-linearizable',
    );
  });

  it('go with the lease that holds them from its earliest end on, not before', () => {
    const leased: KvInput = { type: 'put', key: 'x', value: 'one', leaseEndsFromMs: 10 };
    const bound: KvLine = ['a', 0, 1, leased, { type: 'put', version: 1, revision: 1 }];
    expect(judge(bound, get(['b', 8, 9], 'x')).type).toBe('not-linearizable');
    expect(judge(bound, get(['b', 9, 10], 'x')).type).toBe('linearizable');
    expect(judge(bound, get(['b', 20, 21], 'x', record('one', 1, 1, 1))).type).toBe('linearizable');
    const again = get(['b', 30, 31], 'x', record('one', 1, 1, 1));
    expect(judge(bound, get(['b', 20, 21], 'x'), again).type).toBe('not-linearizable');
    const freed = put(['c', 2, 3], 'x', 'two', { version: 2, revision: 2 });
    expect(judge(bound, freed, get(['b', 20, 21], 'x')).type).toBe('not-linearizable');
  });
});

describe('an unknown put that an answer shows', () => {
  it('is named, with what the answer proves of it, where it has no place', () => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { version: 1, revision: 5 }),
      put(['b', 2, undefined], 'x', 'lost'),
      get(['c', 3, 4], 'x', record('lost', 1, 4, 4)),
    );
    if (verdict.type !== 'not-linearizable') throw new Error('revision 4 comes after 5');
    const { firstUnplaceable, longestPrefixes } = verdict;
    expect(firstUnplaceable).toMatchObject({ id: 1, returnMs: 4, output: { revision: 4 } });
    expect(longestPrefixes.map((prefix) => prefix.map(({ id }) => id))).toEqual([[0]]);
  });
});

describe('transactions', () => {
  const isAbsent = { key: 'x', target: 'mod-revision', operator: '=', operand: 0 } as const;
  const create = (times: Times, value: string, succeeded: boolean | undefined, revision: number) =>
    txn(
      times,
      { compare: [isAbsent], then: [{ type: 'put', key: 'x', value }] },
      succeeded === undefined ? undefined : { succeeded, revision },
    );

  it('let one of two creators win, and refuse two', () => {
    const race = (first: boolean, second: boolean) =>
      judge(
        create(['a', 0, 9], 'one', first, 5),
        create(['b', 0, 9], 'two', second, second ? 6 : 5),
      ).type;
    expect(race(true, false)).toBe('linearizable');
    expect(race(true, true)).toBe('not-linearizable');
    expect(race(false, false)).toBe('not-linearizable');
  });

  it('of unknown outcome may have taken either branch', () => {
    const lost = create(['a', 0, undefined], 'one', undefined, 0);
    expect(judge(lost, create(['b', 5, 6], 'two', true, 3)).type).toBe('linearizable');
    expect(judge(lost, create(['b', 5, 6], 'two', false, 3)).type).toBe('linearizable');
    expect(judge(lost, get(['b', 5, 6], 'x', record('one', 1, 2, 2))).type).toBe('linearizable');
  });

  const move = (times: Times) =>
    txn(
      times,
      {
        then: [
          { type: 'put', key: 'x', value: 'new' },
          { type: 'put', key: 'y', value: 'new' },
        ],
      },
      { succeeded: true, revision: 3 },
    );
  const both = (times: Times, x: KvRecordShown | undefined, y: KvRecordShown | undefined) =>
    txn(
      times,
      {
        then: [
          { type: 'get', key: 'x' },
          { type: 'get', key: 'y' },
        ],
      },
      {
        succeeded: true,
        results: [
          { type: 'get', record: x },
          { type: 'get', record: y },
        ],
      },
    );

  it('are atomic: no reader sees half of one, and keys that they join are one partition', () => {
    const shown = record('new', 1, 3, 3);
    expect(judge(move(['a', 0, 9]), both(['b', 1, 2], shown, shown)).type).toBe('linearizable');
    expect(judge(move(['a', 0, 9]), both(['b', 1, 2], undefined, undefined)).type).toBe(
      'linearizable',
    );
    expect(judge(move(['a', 0, 9]), both(['b', 1, 2], shown, undefined))).toMatchObject({
      type: 'not-linearizable',
      partition: 'x, y',
    });
  });

  it('are ordered with single reads of the keys that they join', () => {
    const shown = record('new', 1, 3, 3);
    const verdict = judge(move(['a', 0, 9]), get(['b', 1, 2], 'x', shown), get(['b', 3, 4], 'y'));
    expect(verdict).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 2 } });
  });

  it('see their own puts and deletes, in order', () => {
    const verdict = judge(
      txn(
        ['a', 0, 1],
        {
          then: [
            { type: 'put', key: 'x', value: 'one' },
            { type: 'get', key: 'x' },
            { type: 'delete', key: 'x' },
            { type: 'get', key: 'x' },
          ],
        },
        {
          succeeded: true,
          revision: 2,
          results: [
            { type: 'put', version: 1 },
            { type: 'get', record: record('one', 1, 2, 2) },
            { type: 'delete', deleted: 1 },
            { type: 'get', record: undefined },
          ],
        },
      ),
    );
    expect(verdict.type).toBe('linearizable');
  });
});

describe('keys apart', () => {
  it.each([
    [5, 3, 'not-linearizable'],
    [5, 5, 'not-linearizable'],
    [5, 6, 'linearizable'],
  ])('share the revisions of the store: %i, later %i, %s', (first, second, type) => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { revision: first }),
      put(['a', 2, 3], 'y', 'one', { revision: second }),
    );
    expect(verdict.type).toBe(type);
    if (verdict.type !== 'not-linearizable') return;
    expect(verdict).toMatchObject({
      partition: 'all parts together',
      firstUnplaceable: { id: 1 },
      longestPrefixes: [[{ id: 0 }]],
    });
  });

  it('need a revision for each change, also of unknown outcome, also for what gets show', () => {
    const same = (revision: number) =>
      judge(
        put(['a', 0, 9], 'x', 'one', { revision: 5 }),
        put(['b', 0, undefined], 'y', 'lost'),
        get(['c', 20, 21], 'y', record('lost', 1, revision, revision)),
      ).type;
    expect(same(4)).toBe('linearizable');
    expect(same(5)).toBe('not-linearizable');
    const between = (revision: number) =>
      judge(
        put(['a', 0, 1], 'x', 'one', { revision: 5 }),
        put(['a', 2, 3], 'y', 'one'),
        put(['a', 4, 5], 'z', 'one', { revision }),
      ).type;
    expect(between(7)).toBe('linearizable');
    expect(between(6)).toBe('not-linearizable');
  });

  it('may have any order while they are concurrent', () => {
    const verdict = judge(
      put(['a', 0, 5], 'x', 'one', { revision: 6 }),
      put(['b', 0, 5], 'y', 'one', { revision: 4 }),
      put(['b', 5, 6], 'z', 'one', { revision: 5 }),
    );
    expect(verdict.type).toBe('linearizable');
  });
});

describe('transactions that touch no key', () => {
  it.each([
    [{ succeeded: true }, 'linearizable'],
    [{ succeeded: false }, 'not-linearizable'],
    [{ succeeded: true, revision: 1 }, 'not-linearizable'],
    [{ succeeded: true, revision: 2 }, 'linearizable'],
  ])('are judged, too: %o is %s', (output, type) => {
    const verdict = judge(
      put(['a', 0, 1], 'x', 'one', { revision: 2 }),
      txn(['a', 2, 3], {}, output),
      txn(['b', 2, undefined], {}),
    );
    expect(verdict.type).toBe(type);
  });
});

describe('long histories', () => {
  const shape = { operationsMax: 400, processes: 8, unknownChance: 15 };
  const twin = {
    keys: ['a', 'b', 'c'],
    joinsKeys: false,
    freshValues: true,
    comparesRevisions: true,
    leases: false,
    plain: false,
  };

  it('of 20,000 operations on 20 keys are decided in hardly more than a step an operation', () => {
    const keys = Array.from({ length: 20 }, (_, at) => `key${at}`);
    const large = { operationsMax: 20_000, processes: 10, unknownChance: 1 };
    const random = new RandomStream(1, 'large');
    const history = randomHistory(kvTwin({ ...twin, keys }), random, large);
    const verdict = checkLinearizable(keyValueModel, history);
    expect(verdict).toMatchObject({ type: 'linearizable', partitions: 20 });
    if (verdict.type === 'linearizable') expect(verdict.steps).toBeLessThan(40_000);
  });

  it('with many unknown outcomes are decided', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const history = randomHistory(kvTwin(twin), new RandomStream(seed, 'long'), shape);
      expect(checkLinearizable(keyValueModel, history).type).toBe('linearizable');
    }
  });
});
