import { describe, expect, it } from 'vitest';
import { collect, coreWith, followersOf, leaderOf, ledWorld } from './worlds.js';

describe('leases', () => {
  it('are not renewed by answers that were held up for minutes', () => {
    const world = ledWorld({ leaseReads: true });
    const leader = leaderOf(world);
    const [quick, slow] = followersOf(world);
    // More rounds than the leader remembers the times of.
    world.cut(slow, leader, 'hold');
    world.advance(130_000);
    expect(leaderOf(world)).toBe(leader);
    expect(leader.leaseHeld()).toBe(true);
    world.partition((node) => node === quick, 'drop');
    world.advance(250);
    const held = world.network.heldCount;
    expect(held).toBeGreaterThan(2_048);
    world.heal();
    world.partition((node) => node === quick, 'drop');
    world.cut(leader, slow, 'drop');
    world.advance(100);
    // The answers were news of its peer, so it still leads: but of a time long ago.
    expect(leader.view?.role).toBe('leader');
    expect(leader.leaseHeld()).toBe(false);
  });

  it('hold against a node whose election time-out is shorter than their own', () => {
    const hasty = coreWith((options) =>
      options.id === 'n3' ? { electionTimeoutMs: 120, heartbeatMs: 20 } : {},
    );
    const profile = { leaseReads: true, electionTimeoutMs: 1_000, heartbeatMs: 100 };
    const world = ledWorld(profile, { createCore: hasty });
    // The first to ask is elected; it is to follow one of the others.
    world.partition((node) => node.id === 'n3', 'drop');
    world.advance(6_000);
    world.heal();
    world.advance(3_000);
    const leader = leaderOf(world);
    expect(leader.id).not.toBe('n3');
    expect(leader.leaseHeld()).toBe(true);
    const sent = collect(world, 'sent');
    world.partition((node) => node === leader, 'drop');
    world.advance(850);
    // It has promised its vote, and its own is a vote too.
    expect(sent.filter(({ message }) => message.type === 'pre-vote-request')).toEqual([]);
    world.advance(4_000);
    expect(leaderOf(world)).not.toBe(leader);
  });
});
