import { utf8ByteString } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { KeyTable } from '../../src/history/key-table.js';
import { UnclaimedDeletes } from '../../src/history/unclaimed-deletes.js';

type Entry = Parameters<KeyTable['follow']>[0];

/** Each list: the keys deleted by one revision; revision n is applied first at 10·n ms. */
function tableOf(revisions: readonly (readonly string[])[]): KeyTable {
  const table = new KeyTable();
  revisions.forEach((keys, at) => {
    const revision = at + 1;
    const events = keys.map((key) => ({
      type: 'delete' as const,
      key: utf8ByteString(key),
      reason: 'user' as const,
    }));
    const changes = { revision, events };
    const entry = { index: revision, appliedAtMs: 10 * revision, changes };
    table.follow(entry as unknown as Entry);
  });
  return table;
}

describe('deletes that nobody claims', () => {
  it('go to the calls that can have done them, each once', () => {
    const unclaimed = new UnclaimedDeletes(tableOf([['a'], ['b'], ['a']]), new Set());
    expect(unclaimed.take(new Set(['a']), 5)?.revision).toBe(1);
    expect(unclaimed.take(new Set(['a']), 5)?.revision).toBe(3);
    expect(unclaimed.take(new Set(['a']), 5)).toBeUndefined();
  });

  it('are never of a call that came after', () => {
    const unclaimed = new UnclaimedDeletes(tableOf([['a']]), new Set());
    expect(unclaimed.take(new Set(['a']), 11)).toBeUndefined();
    expect(unclaimed.take(new Set(['a']), 10)?.appliedAtMs).toBe(10);
  });

  it('are not those that an answer named', () => {
    const unclaimed = new UnclaimedDeletes(tableOf([['a'], ['a']]), new Set([1]));
    expect(unclaimed.take(new Set(['a']), 0)?.revision).toBe(2);
  });

  it('of several keys are of a call for all of them', () => {
    const unclaimed = new UnclaimedDeletes(tableOf([['a', 'b']]), new Set());
    expect(unclaimed.take(new Set(['a']), 0)).toBeUndefined();
    expect(unclaimed.take(new Set(['a', 'b', 'c']), 0)?.keys).toEqual(['a', 'b']);
  });
});
