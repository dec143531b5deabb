import { utf8ByteString } from '@raftd/protocol';
import { describe, expect, it } from 'vitest';
import { type DeletedKeys, UnclaimedDeletes } from '../../src/history/unclaimed-deletes.js';

type Entry = Parameters<UnclaimedDeletes['follow']>[0];

const NOBODY: ReadonlySet<number> = new Set();

function asked(start: string, end?: string): DeletedKeys {
  return {
    start: utf8ByteString(start),
    end: end === undefined ? undefined : utf8ByteString(end),
  };
}

/** Revision n is applied first at 10·n ms and deletes these keys. */
function deletes(unclaimed: UnclaimedDeletes, revision: number, by: DeletedKeys, keys: string[]) {
  const { start, end } = by;
  const command =
    end === undefined ? { type: 'delete', key: start } : { type: 'delete-range', start, end };
  const events = keys.map((key) => ({ type: 'delete', key: utf8ByteString(key), reason: 'user' }));
  const { type } = command;
  const result = { type, revision, deleted: keys.length, more: false };
  const changes = { revision, events };
  const entry = { logged: { command }, result, changes, appliedAtMs: 10 * revision };
  unclaimed.follow(entry as unknown as Entry);
}

function twiceA(): UnclaimedDeletes {
  const unclaimed = new UnclaimedDeletes();
  deletes(unclaimed, 2, asked('a'), ['a']);
  deletes(unclaimed, 3, asked('b'), ['b']);
  deletes(unclaimed, 5, asked('a'), ['a']);
  return unclaimed;
}

describe('deletes that nobody claims', () => {
  it('go to the calls that can have done them, each once', () => {
    const unclaimed = twiceA();
    expect(unclaimed.take(asked('a'), 5, NOBODY)?.revision).toBe(2);
    expect(unclaimed.take(asked('a'), 5, NOBODY)?.revision).toBe(5);
    expect(unclaimed.take(asked('a'), 5, NOBODY)).toBeUndefined();
  });

  it('are never of a call that came after', () => {
    const unclaimed = twiceA();
    expect(unclaimed.take(asked('a'), 51, NOBODY)).toBeUndefined();
    expect(unclaimed.take(asked('a'), 50, NOBODY)?.appliedAtMs).toBe(50);
  });

  it('are not those that an answer named', () => {
    expect(twiceA().take(asked('a'), 0, new Set([2]))?.revision).toBe(5);
  });

  // Seed 0x1000490: the range took the delete of the one key, whose own call then had no effect.
  it('are of a call that asked for the same keys, not of one for which only these were there', () => {
    const unclaimed = new UnclaimedDeletes();
    deletes(unclaimed, 13, asked('k0'), ['k0']);
    deletes(unclaimed, 16, asked('k0', 'k2'), ['k0', 'k1']);
    expect(unclaimed.take(asked('k0', 'k2'), 0, NOBODY)?.keys).toEqual(['k0', 'k1']);
    expect(unclaimed.take(asked('k0'), 0, NOBODY)?.revision).toBe(13);
  });

  it('had an effect, and were asked for', () => {
    const unclaimed = new UnclaimedDeletes();
    const command = { type: 'delete', key: utf8ByteString('a') };
    unclaimed.follow({ logged: { command }, appliedAtMs: 10 } as unknown as Entry);
    unclaimed.follow({ appliedAtMs: 20, changes: { revision: 1, events: [] } } as unknown as Entry);
    expect(unclaimed.take(asked('a'), 0, NOBODY)).toBeUndefined();
  });
});
