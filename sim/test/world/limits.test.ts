import { describe, expect, it } from 'vitest';
import { collect, coreWithin, followersOf, leaderOf, ledWorld } from './worlds.js';

/** What an entry of a hundred bytes costs. */
const ENTRY_BYTES = 164;

describe('a leader', () => {
  it('that cannot commit takes only so much, and more once it can', () => {
    const uncommittedBytesMax = 10 * ENTRY_BYTES;
    const world = ledWorld({}, { createCore: coreWithin({ uncommittedBytesMax }) });
    const proposed = collect(world, 'proposed');
    const leader = leaderOf(world);
    world.partition((node) => node === leader, 'hold');
    for (let count = 0; count < 30; count += 1) world.propose(leader, 100);
    expect(proposed.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(10);
    expect(proposed.filter(({ outcome }) => outcome === 'OVERLOADED')).toHaveLength(20);
    world.heal();
    world.advance(200);
    world.propose(leaderOf(world), 100);
    expect(proposed.at(-1)).toMatchObject({ outcome: 'accepted' });
  });

  it('whose log is full takes no more, and neither does its successor, though it can lead', () => {
    const logBytesMax = 20 * ENTRY_BYTES;
    const world = ledWorld({}, { createCore: coreWithin({ logBytesMax }) });
    const proposed = collect(world, 'proposed');
    const fill = (): number => {
      for (let count = 0; count < 30; count += 1) world.propose(leaderOf(world), 100);
      world.advance(200);
      return proposed.filter(({ outcome }) => outcome === 'accepted').length;
    };
    const accepted = fill();
    expect(accepted).toBeGreaterThan(10);
    const first = leaderOf(world);
    world.crash(first, 0);
    world.advance(3_000);
    const { view } = leaderOf(world);
    expect(leaderOf(world)).not.toBe(first);
    expect(view?.entryAt(view.commitIndex)?.term).toBe(view?.term);
    expect(fill()).toBe(accepted);
    expect(proposed.at(-1)).toMatchObject({ outcome: 'OVERLOADED' });
  });

  it('lets so many reads wait, refuses the next, and serves those that waited', () => {
    const world = ledWorld({}, { createCore: coreWithin({ pendingReadsMax: 3 }) });
    const answers = collect(world, 'read-answered');
    const leader = leaderOf(world);
    for (let count = 0; count < 8; count += 1) world.read(leader, 'quorum');
    world.advance(100);
    const types = answers.map(({ outcome }) => outcome.type);
    expect(types.filter((type) => type === 'served')).toHaveLength(3);
    expect(types.filter((type) => type === 'refused')).toHaveLength(5);
  });

  it('keeps its windows right over a thousand appends of which some are always under way', () => {
    const profile = {
      appendBytesMax: 1,
      inflightMessagesMax: 1_000,
      latencyMs: [1, 60],
      writeMs: [0.1, 0.5],
    } as const;
    const world = ledWorld(profile);
    const leader = leaderOf(world);
    const [peer] = followersOf(world);
    let inflightMin = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 400; round += 1) {
      for (let count = 0; count < 3; count += 1) world.propose(leader, 10);
      world.advance(2);
      const inflight = leader.view?.progressOf(peer.id)?.inflightMessages ?? 0;
      if (round > 50) inflightMin = Math.min(inflightMin, inflight);
    }
    // The window is never empty, so what is spent of it has to be let go in between.
    expect(inflightMin).toBeGreaterThan(10);
    world.advance(1_000);
    expect(leader.view?.progressOf(peer.id)?.inflightMessages).toBe(0);
    for (const node of world.nodes) {
      expect(node.view?.appliedIndex).toBe(leader.view?.lastIndex);
    }
  });
});
