import type { LogIndex } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { SimulatedDisk } from '../../src/world/disk.js';
import { entry, log } from '../support/cluster-by-hand.js';

const first = 1 as LogIndex;

describe('a copy of a disk', () => {
  it('is damaged without the one it was copied from', () => {
    const disk = written();
    const copy = disk.copy();
    copy.flipBit(first);
    expect(disk.entryAt(first)).toEqual(entry(1, 1));
    expect(copy.entryAt(first)).not.toEqual(entry(1, 1));
    expect(copy.entryAt(first)).toMatchObject({ index: 1, term: 1 });
    expect(copy.entryAt(2 as LogIndex)).toEqual(disk.entryAt(2 as LogIndex));
  });

  it('loses its end', () => {
    const copy = written().copy();
    copy.loseFrom(2 as LogIndex);
    expect(copy.lastIndex).toBe(1);
  });

  function written(): SimulatedDisk {
    const disk = new SimulatedDisk();
    const entries = log(1, 1, 2);
    const write = { hardState: undefined, truncateFrom: undefined, entries };
    const last = { lastIndex: 3 as LogIndex, lastTerm: entry(3, 2).term };
    disk.append({ type: 'log', write: { ...write, ...last } }, 0, () => undefined);
    disk.completeNext();
    return disk;
  }
});
