import { describe, expect, it } from 'vitest';
import type { RegisterInput, RegisterOutput, Value } from '../../src/linearizability/index.js';
import {
  checkLinearizable,
  DEFAULT_CHECK_LIMITS,
  registerModel,
} from '../../src/linearizability/index.js';
import type { Line } from './support/by-hand.js';
import { byHand } from './support/by-hand.js';

type RegisterLine = Line<RegisterInput, RegisterOutput>;

const write = (
  process: string,
  callMs: number,
  returnMs: number | undefined,
  value: Value,
): RegisterLine => {
  const output = returnMs === undefined ? undefined : ({ type: 'write' } as const);
  return [process, callMs, returnMs, { type: 'write', value }, output];
};

const read = (process: string, callMs: number, returnMs: number, value: Value): RegisterLine => [
  process,
  callMs,
  returnMs,
  { type: 'read' },
  { type: 'read', value },
];

const cas = (
  process: string,
  [callMs, returnMs]: readonly [number, number | undefined],
  [expected, value]: readonly [Value, Value],
  swapped = true,
): RegisterLine => {
  const output = returnMs === undefined ? undefined : ({ type: 'cas', swapped } as const);
  return [process, callMs, returnMs, { type: 'cas', expected, value }, output];
};

const judge = (...lines: readonly RegisterLine[]) =>
  checkLinearizable(registerModel(0), byHand(...lines));

describe('a register', () => {
  it('accepts the README example of Porcupine: a read beside a write may see it or not', () => {
    const verdict = judge(write('c1', 0, 100, 100), read('c2', 25, 75, 100), read('c3', 30, 60, 0));
    expect(verdict.type).toBe('linearizable');
  });

  it('refuses the other README example of Porcupine: once seen, a write stays seen', () => {
    const verdict = judge(write('c1', 0, 100, 200), read('c2', 10, 30, 200), read('c3', 40, 90, 0));
    expect(verdict).toMatchObject({
      type: 'not-linearizable',
      partition: 'register',
      firstUnplaceable: { id: 2 },
    });
  });

  it('refuses a stale read and shows the longest order without it', () => {
    const verdict = judge(write('a', 0, 1, 1), write('a', 2, 3, 2), read('b', 4, 5, 1));
    expect(verdict).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 2 } });
    if (verdict.type !== 'not-linearizable') return;
    expect(verdict.longestPrefixes.map((prefix) => prefix.map(({ id }) => id))).toEqual([[0, 1]]);
    expect(verdict.states).toEqual(['the register holds 2']);
  });

  it('refuses a lost update: two swaps from the same value', () => {
    expect(judge(cas('a', [0, 5], [0, 1]), cas('b', [1, 6], [0, 2])).type).toBe('not-linearizable');
    const oneFails = judge(cas('a', [0, 5], [0, 1]), cas('b', [1, 6], [0, 2], false));
    expect(oneFails.type).toBe('linearizable');
  });

  it('accepts ABA: a value that went and came back may be swapped twice', () => {
    const swaps = [cas('a', [0, 9], [0, 1]), cas('b', [0, 9], [0, 1])] as const;
    expect(judge(...swaps).type).toBe('not-linearizable');
    expect(judge(...swaps, write('c', 0, 9, 0)).type).toBe('linearizable');
  });

  it('counts a return and a call at the same time as concurrent', () => {
    expect(judge(write('a', 0, 5, 1), read('b', 5, 6, 0)).type).toBe('linearizable');
    expect(judge(write('a', 0, 4, 1), read('b', 5, 6, 0)).type).toBe('not-linearizable');
  });

  it('lets a write of unknown outcome take effect late, early or never, but once', () => {
    const lost = write('a', 0, undefined, 7);
    expect(judge(lost, read('b', 1, 2, 0), read('b', 50, 51, 7)).type).toBe('linearizable');
    expect(judge(lost, read('b', 1, 2, 7), read('b', 3, 4, 7)).type).toBe('linearizable');
    expect(judge(lost, read('b', 1, 2, 0), read('b', 3, 4, 0)).type).toBe('linearizable');
    const twice = judge(lost, read('b', 1, 2, 7), write('b', 3, 4, 0), read('b', 5, 6, 7));
    expect(twice).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 3 } });
  });

  it('does not let an unknown write take effect before its call', () => {
    const verdict = judge(read('b', 0, 1, 7), write('a', 2, undefined, 7));
    expect(verdict).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 0 } });
  });

  it('lets an unknown write of a value that nobody saw explain a swap that failed', () => {
    const failed = cas('b', [1, 2], [0, 5], false);
    expect(judge(failed).type).toBe('not-linearizable');
    expect(judge(write('a', 0, undefined, 9), failed).type).toBe('linearizable');
    expect(judge(cas('a', [0, undefined], [0, 9]), failed).type).toBe('linearizable');
  });

  it('accepts the empty history, and one in which nothing ever returned', () => {
    expect(judge().type).toBe('linearizable');
    expect(judge(write('a', 0, undefined, 1), cas('b', [0, undefined], [3, 4])).type).toBe(
      'linearizable',
    );
  });

  it('is undecided, and says in how many steps, once its budget of steps or memory is spent', () => {
    const lines = Array.from({ length: 9 }, (_, at) => write(`w${at}`, 0, 100, at + 1));
    const history = byHand<RegisterInput, RegisterOutput>(...lines, read('r', 101, 102, 0));
    const judgeWithin = (limits: object) =>
      checkLinearizable(registerModel(0), history, { ...DEFAULT_CHECK_LIMITS, ...limits });
    expect(judgeWithin({}).type).toBe('not-linearizable');
    expect(judgeWithin({ stepsMax: 1000 })).toEqual({
      type: 'undecided',
      partition: 'register',
      steps: 1000,
    });
    expect(judgeWithin({ cacheWordsMax: 1000 }).type).toBe('undecided');
  });

  it('gives the same verdict, prefixes and steps each time', () => {
    const lines = Array.from({ length: 6 }, (_, at) => write(`w${at}`, at, 10 + at, at + 1));
    const history = [...lines, read('r', 20, 21, 0)] as const;
    expect(judge(...history)).toEqual(judge(...history));
  });
});

describe('what cannot be a history is refused as a mistake of the caller', () => {
  const operation = {
    id: 0,
    process: 'a',
    callMs: 1,
    returnMs: 2,
    input: { type: 'read' },
    output: { type: 'read', value: 0 },
  } as const;

  it.each([
    ['an id twice', [operation, operation], 'operation 0 is there twice'],
    ['an id below 0', [{ ...operation, id: -1 }], 'operation -1: ids count from 0'],
    ['no time of call', [{ ...operation, callMs: Number.NaN }], 'called at no time'],
    ['a return before the call', [{ ...operation, returnMs: 0 }], 'returns before it is called'],
    ['a return without an output', [{ ...operation, output: undefined }], 'no output'],
    ['an output without a return', [{ ...operation, returnMs: undefined }], 'no return'],
  ])('%s', (_, history, message) => {
    expect(() => checkLinearizable(registerModel(0), history)).toThrow(message);
  });
});
