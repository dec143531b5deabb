import { describe, expect, it } from 'vitest';
import type { LockInput, LockOutput } from '../../src/linearizability/index.js';
import { checkLinearizable, fencedLockModel } from '../../src/linearizability/index.js';
import type { Line } from './support/by-hand.js';
import { byHand } from './support/by-hand.js';

type LockLine = Line<LockInput, LockOutput>;
type Times = readonly [owner: string, callMs: number, returnMs: number | undefined];

const acquire = (
  [owner, call, end]: Times,
  heldUntilMs: number | undefined,
  token: number,
): LockLine => [
  owner,
  call,
  end,
  { type: 'acquire', lock: 'l', owner, heldUntilMs },
  end === undefined ? undefined : { type: 'acquire', token },
];

const release = (
  [owner, call, end]: Times,
  token: number | undefined,
  outcome: 'released' | 'ending' | 'not-held' = 'released',
): LockLine => [
  owner,
  call,
  end,
  { type: 'release', lock: 'l', owner, token },
  end === undefined ? undefined : { type: 'release', outcome },
];

const write = (
  [owner, call, end]: Times,
  token: number,
  accepted: boolean,
  current?: number,
): LockLine => [
  owner,
  call,
  end,
  { type: 'write', lock: 'l', owner, token },
  { type: 'write', accepted, current },
];

const holder = (call: number, end: number, shown?: { owner: string; token: number }): LockLine => [
  'observer',
  call,
  end,
  { type: 'holder', lock: 'l' },
  { type: 'holder', holder: shown },
];

const judge = (...lines: readonly LockLine[]) =>
  checkLinearizable(fencedLockModel, byHand(...lines));

describe('a fenced lock', () => {
  it('passes from owner to owner with tokens that grow', () => {
    const next = (token: number) =>
      judge(
        acquire(['a', 0, 1], 100, 5),
        release(['a', 2, 3], 5),
        acquire(['b', 0, 4], 100, token),
      );
    expect(next(6).type).toBe('linearizable');
    expect(next(9).type).toBe('linearizable');
    expect(next(5).type).toBe('not-linearizable');
    expect(next(4).type).toBe('not-linearizable');
  });

  it('has one holder: the next acquire waits for the release or for the earliest end', () => {
    const next = (call: number, end: number) =>
      judge(acquire(['a', 0, 1], 50, 5), acquire(['b', call, end], 100, 6));
    expect(next(40, 49)).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 1 } });
    expect(next(40, 50).type).toBe('linearizable');
    expect(next(60, 61).type).toBe('linearizable');
  });

  it('shows the expiry as a step of the cluster in the orders it found', () => {
    const verdict = judge(
      acquire(['a', 0, 1], 50, 5),
      acquire(['b', 60, 61], 100, 6),
      acquire(['c', 70, 71], 200, 7),
    );
    if (verdict.type !== 'not-linearizable') throw new Error('c acquired what b held');
    expect(verdict.longestPrefixes[0]?.map(({ process }) => process)).toEqual([
      'a',
      'cluster',
      'b',
    ]);
    expect(verdict.states[0]).toBe('b holds the lock with token 6, at least until 100 ms');
  });

  it('accepts writes of a late holder until somebody else holds it, and never after', () => {
    const late = (accepted: boolean, call: number) =>
      judge(
        acquire(['a', 0, 1], 50, 5),
        write(['a', call, call + 1], 5, accepted),
        acquire(['b', 80, 81], 200, 6),
      ).type;
    expect(late(true, 70)).toBe('linearizable');
    expect(late(false, 70)).toBe('linearizable');
    expect(late(false, 20)).toBe('not-linearizable');
    expect(late(true, 90)).toBe('not-linearizable');
    expect(late(false, 90)).toBe('linearizable');
  });

  it('refuses a write accepted after one that was fenced: an expired grant stays so', () => {
    const verdict = judge(
      acquire(['a', 0, 1], 50, 5),
      write(['a', 60, 61], 5, false),
      write(['a', 62, 63], 5, true),
    );
    expect(verdict).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 2 } });
  });

  it('is not released by anybody else while its lease lasts (N10)', () => {
    const other = (outcome: 'released' | 'ending' | 'not-held', call = 10) =>
      judge(acquire(['a', 0, 1], 50, 5), release(['b', call, call + 1], 5, outcome)).type;
    expect(other('released')).toBe('not-linearizable');
    expect(other('not-held')).toBe('not-linearizable');
    expect(other('ending')).toBe('linearizable');
    expect(other('released', 60)).toBe('linearizable');
  });

  it('fences an ending grant at once, and passes on when it is released or its time is up', () => {
    const ending = [acquire(['a', 0, 1], 50, 5), release(['b', 2, 3], 5, 'ending')] as const;
    expect(judge(...ending, write(['a', 4, 5], 5, true)).type).toBe('not-linearizable');
    expect(judge(...ending, write(['a', 4, 5], 5, false, 5)).type).toBe('linearizable');
    expect(judge(...ending, acquire(['b', 4, 5], 99, 6)).type).toBe('not-linearizable');
    expect(judge(...ending, acquire(['b', 4, 50], 99, 6)).type).toBe('linearizable');
    const released = release(['a', 4, 5], 5);
    expect(judge(...ending, released, acquire(['b', 6, 7], 99, 6)).type).toBe('linearizable');
  });

  it('says busy only while somebody holds it', () => {
    const busy: LockLine = [
      'b',
      10,
      11,
      { type: 'acquire', lock: 'l', owner: 'b' },
      { type: 'busy' },
    ];
    expect(judge(busy).type).toBe('not-linearizable');
    expect(judge(acquire(['a', 0, 1], 5, 5), busy).type).toBe('linearizable');
    expect(judge(acquire(['a', 0, 1], 5, 5), release(['a', 2, 3], 5), busy).type).toBe(
      'not-linearizable',
    );
  });

  it('may have been acquired by an owner who never heard of it, and be freed at any time', () => {
    const lost = acquire(['a', 0, undefined], 1000, 0);
    expect(judge(lost, acquire(['b', 5, 6], 100, 7)).type).toBe('linearizable');
    expect(judge(lost, holder(5, 6, { owner: 'a', token: 4 })).type).toBe('linearizable');
    const shown = [lost, holder(5, 6, { owner: 'a', token: 4 })] as const;
    expect(judge(...shown, acquire(['b', 7, 8], 100, 4)).type).toBe('not-linearizable');
    expect(judge(...shown, acquire(['b', 7, 8], 100, 5)).type).toBe('linearizable');
    const backAgain = judge(...shown, holder(7, 8), holder(9, 10, { owner: 'a', token: 4 }));
    expect(backAgain).toMatchObject({ type: 'not-linearizable', firstUnplaceable: { id: 3 } });
  });

  it('may have been released by a word whose answer was lost', () => {
    const held = acquire(['a', 0, 1], 1000, 5);
    const next = acquire(['b', 10, 11], 2000, 6);
    expect(judge(held, next).type).toBe('not-linearizable');
    expect(judge(held, release(['a', 2, undefined], 5), next).type).toBe('linearizable');
    expect(judge(held, release(['a', 20, undefined], 5), next).type).toBe('not-linearizable');
  });

  it('is judged lock by lock', () => {
    const other: LockLine = [
      'b',
      2,
      3,
      { type: 'acquire', lock: 'm', owner: 'b', heldUntilMs: 100 },
      { type: 'acquire', token: 4 },
    ];
    expect(judge(acquire(['a', 0, 1], 100, 5), other).type).toBe('linearizable');
  });
});
