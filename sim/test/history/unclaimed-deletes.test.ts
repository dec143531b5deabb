import { utf8ByteString } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { KeyTable } from '../../src/history/key-table.js';
import { UnclaimedDeletes } from '../../src/history/unclaimed-deletes.js';

type Entry = Parameters<KeyTable['follow']>[0];

type Change = readonly [type: 'put' | 'delete', ...keys: string[]];

/** One revision a change; revision n is applied first at 10·n ms. */
function tableOf(...made: readonly Change[]): KeyTable {
  const table = new KeyTable();
  made.forEach(([type, ...keys], at) => {
    const revision = at + 1;
    const events = keys.map((text) => {
      const key = utf8ByteString(text);
      if (type === 'delete') return { type, key, reason: 'user' as const };
      return { type, record: { key, value: new Uint8Array([revision]) } };
    });
    const entry = { index: revision, appliedAtMs: 10 * revision, changes: { revision, events } };
    table.follow(entry as unknown as Entry);
  });
  return table;
}

const A_TWICE = tableOf(
  ['put', 'a', 'b'],
  ['delete', 'a'],
  ['delete', 'b'],
  ['put', 'a'],
  ['delete', 'a'],
);

describe('deletes that nobody claims', () => {
  it('go to the calls that can have done them, each once', () => {
    const unclaimed = new UnclaimedDeletes(A_TWICE, new Set());
    expect(unclaimed.take(['a'], 5)?.revision).toBe(2);
    expect(unclaimed.take(['a'], 5)?.revision).toBe(5);
    expect(unclaimed.take(['a'], 5)).toBeUndefined();
  });

  it('are never of a call that came after', () => {
    const unclaimed = new UnclaimedDeletes(A_TWICE, new Set());
    expect(unclaimed.take(['a'], 51)).toBeUndefined();
    expect(unclaimed.take(['a'], 50)?.appliedAtMs).toBe(50);
  });

  it('are not those that an answer named', () => {
    const unclaimed = new UnclaimedDeletes(A_TWICE, new Set([2]));
    expect(unclaimed.take(['a'], 0)?.revision).toBe(5);
  });

  it('of several keys are of a call for all of them', () => {
    const unclaimed = new UnclaimedDeletes(
      tableOf(['put', 'a', 'b'], ['delete', 'a', 'b']),
      new Set(),
    );
    expect(unclaimed.take(['a'], 0)).toBeUndefined();
    expect(unclaimed.take(['a', 'b', 'c'], 0)?.keys).toEqual(['a', 'b']);
  });

  it('are not of a call that would have deleted more', () => {
    const unclaimed = new UnclaimedDeletes(tableOf(['put', 'a', 'b'], ['delete', 'a']), new Set());
    expect(unclaimed.take(['a', 'b'], 0)).toBeUndefined();
    expect(unclaimed.take(['a'], 0)?.revision).toBe(2);
  });
});
