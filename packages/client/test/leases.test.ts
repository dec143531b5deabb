import { beforeEach, describe, expect, it } from 'vitest';
import { holdMs, stopBudgetMs } from '../src/deadline.js';
import { LeaseLostError } from '../src/errors.js';
import type { Client } from '../src/client.js';
import type { Lease, LeaseOptions } from '../src/lease.js';
import { FakeCluster } from './harness/cluster.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

const TTL = 10_000;
const STOP = holdMs(TTL) - stopBudgetMs(TTL);

let world: World;
let cluster: FakeCluster;
let client: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1], silenceMs: 1_000 });
});

async function grant(options: LeaseOptions = {}): Promise<Lease> {
  const granting = watchOutcome(client.lease({ ttlMs: TTL, ...options }));
  await world.advance(5);
  return valueOf(granting);
}

/** When the grant of this lease left, in true time. */
const sentAt = (lease: Lease): number => world.nowMs + lease.remainingMs - STOP;

describe('a lease', () => {
  it('counts from the send of its grant, not from the answer', async () => {
    const before = world.nowMs;
    const lease = await grant();
    expect(sentAt(lease)).toBeCloseTo(before, 6);
    expect(lease.held).toBe(true);
  });

  it('is renewed every quarter of its TTL ± 10 %, each attempt with its own number', async () => {
    const lease = await grant();
    await world.advance(60_000);
    const renewals = cluster.commands('lease-renew');
    const gaps = renewals.slice(1).map(({ atMs }, index) => atMs - (renewals[index]?.atMs ?? 0));
    expect(gaps.length).toBeGreaterThan(20);
    for (const gap of gaps) {
      expect(gap).toBeGreaterThan(2_240);
      expect(gap).toBeLessThan(2_760);
    }
    expect(new Set(gaps.map((gap) => Math.round(gap))).size).toBeGreaterThan(5);
    expect(cluster.state.leases.get(lease.id)?.attempt).toBe(renewals.length);
    expect(lease.held).toBe(true);
  });

  it('shares one command with all leases of its client', async () => {
    await grant();
    await grant({ ttlMs: 20_000 });
    await grant({ ttlMs: 30_000 });
    await world.advance(2_800);
    expect(cluster.commands('lease-renew')).toHaveLength(1);
    expect([...cluster.state.leases.values()].map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });

  it('K-056, K-060: is lost by the local clock alone, before the TTL has passed', async () => {
    const lease = await grant();
    const sent = sentAt(lease);
    for (const node of cluster.nodes) node.frozen = true;
    const before = sent + STOP - world.nowMs;
    await world.advance(before - 1);
    expect(lease.held).toBe(true);
    expect(lease.signal.aborted).toBe(false);
    await world.advance(2);
    expect(lease.held).toBe(false);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
    expect(lease.signal.reason).toMatchObject({ code: 'LEASE_LOST', reason: 'expired' });
  });

  it('K-059: counts from the send of the last acknowledged renewal, not from its failure', async () => {
    const lease = await grant();
    await world.advance(2_800);
    const lastSent = (cluster.commands('lease-renew').at(-1)?.atMs ?? 0) - 1;
    for (const node of cluster.nodes) node.frozen = true;
    await world.advance(lastSent + STOP - world.nowMs - 1);
    expect(lease.held).toBe(true);
    await world.advance(2);
    expect(lease.held).toBe(false);
  });

  it('a late answer counts by the send time of its own attempt', async () => {
    const lease = await grant();
    cluster.node(1).frozen = true;
    cluster.node(2).down = true;
    cluster.node(3).down = true;
    await world.advance(2_800);
    // The first attempt left between 2,250 and 2,750 ms; its answer comes at 6,000.
    const grantSent = sentAt(lease);
    await world.advance(6_000 - (world.nowMs - grantSent));
    const calls = cluster.commands('lease-renew').length;
    cluster.node(1).thaw();
    await world.advance(2);
    expect(cluster.commands('lease-renew').length).toBeGreaterThan(calls);
    const counted = sentAt(lease) - grantSent;
    expect(counted).toBeGreaterThan(2_200);
    expect(counted).toBeLessThan(6_000);
  });

  it('K-057, K-065: an attempt that hangs is followed by another, at another node', async () => {
    const lease = await grant();
    cluster.node(1).frozen = true;
    cluster.elect(2);
    await world.advance(6_000);
    expect(lease.held).toBe(true);
    expect(cluster.received.some(({ node }) => node.id === 'n2')).toBe(true);
    await world.advance(20_000);
    expect(lease.held).toBe(true);
  });

  it('counts nothing by its own renewals that a foreign one overtook, and goes above it', async () => {
    const lease = await grant();
    const counted = sentAt(lease);
    cluster.state.renewAll(3);
    cluster.node(1).answerDelayMs = 400;
    while (cluster.commands('lease-renew').length < 2) await world.advance(10);
    const [overtaken, above] = cluster.commands('lease-renew').map(({ atMs }) => atMs);
    expect((above ?? 0) - (overtaken ?? 0)).toBe(402);
    // Answered, yet nothing moved.
    expect(sentAt(lease)).toBeCloseTo(counted, 6);
    expect(cluster.state.leases.get(lease.id)?.attempt).toBe(4);
    await world.advance(410);
    expect(sentAt(lease)).toBeCloseTo((above ?? 0) - 1, 6);
    cluster.node(1).answerDelayMs = 0;
    await world.advance(60_000);
    expect(lease.held).toBe(true);
  });

  it('is lost in time, though a foreign renewer keeps its attempts from counting', async () => {
    const lease = await grant();
    const counted = sentAt(lease);
    cluster.node(1).script = (request, usual) => {
      if (request.type === 'command') cluster.state.renewAll(1_000);
      return usual();
    };
    await world.advance(counted + STOP - world.nowMs + 1);
    expect(lease.signal.reason).toMatchObject({ reason: 'expired' });
    // Never a tight loop.
    expect(cluster.commands('lease-renew').length).toBeLessThan(60);
  });

  it('an own attempt overtaken by a later one is no reason to renew again', async () => {
    const lease = await grant();
    cluster.node(1).answerDelayMs = 2_500;
    await world.advance(30_000);
    const { length } = cluster.commands('lease-renew');
    expect(lease.held).toBe(true);
    expect(length).toBeLessThan(30_000 / (TTL / 6) + 2);
  });

  it('that nobody can renew any more, all numbers being used up, is lost', async () => {
    const lease = await grant();
    cluster.state.renewAll(Number.MAX_SAFE_INTEGER);
    await world.advance(2_800);
    expect(lease.signal.reason).toMatchObject({ reason: 'revoked' });
  });

  it('K-064: outlives a blip, a leaderless time and refusals that say nothing of it', async () => {
    const lease = await grant();
    cluster.node(1).dropConnections();
    await world.advance(1_000);
    expect(lease.held).toBe(true);
    cluster.leader = undefined;
    await world.advance(4_000);
    cluster.elect(3);
    await world.advance(20_000);
    expect(lease.held).toBe(true);
    expect(lease.remainingMs).toBeGreaterThan(STOP - 2_800);
  });

  it('is lost at once when the state machine does not know it any more', async () => {
    const lease = await grant();
    cluster.state.endLease(lease.id, 'lease-expired');
    await world.advance(2_800);
    expect(lease.held).toBe(false);
    expect(lease.signal.aborted).toBe(true);
  });

  it('is lost when somebody else revoked it, though it still lives', async () => {
    const lease = await grant();
    const record = cluster.state.leases.get(lease.id);
    if (record !== undefined) record.ending = true;
    await world.advance(2_800);
    expect(lease.signal.reason).toMatchObject({ reason: 'revoked' });
  });

  it('K-054: that took longer to grant than it is worth is given back', async () => {
    cluster.node(1).frozen = true;
    cluster.node(2).down = true;
    cluster.node(3).down = true;
    const granting = watchOutcome(client.lease({ ttlMs: 2_000, timeoutMs: 20_000 }));
    await world.advance(5_000);
    cluster.node(1).thaw();
    await world.advance(6_000);
    expect(errorOf(granting).code).toBe('LEASE_LOST');
    expect(cluster.state.leases.size).toBe(0);
    expect(cluster.commands('lease-revoke')).toHaveLength(1);
  });

  it('K-055: revoked is over at once, whatever answers still come', async () => {
    const lease = await grant();
    cluster.node(1).frozen = true;
    await world.advance(2_800);
    const revoking = watchOutcome(lease.revoke());
    expect(lease.held).toBe(false);
    expect(lease.signal.aborted).toBe(true);
    cluster.node(1).thaw();
    await world.advance(2_000);
    valueOf(revoking);
    expect(lease.held).toBe(false);
    expect(cluster.state.leases.size).toBe(0);
  });

  it('K-072: revoked at once is never renewed, and leaves no timer', async () => {
    const lease = await grant();
    const revoking = watchOutcome(lease.revoke());
    await world.advance(5);
    valueOf(revoking);
    const before = world.liveTimers.ref;
    await world.advance(60_000);
    expect(cluster.commands('lease-renew')).toHaveLength(0);
    expect(before).toBe(0);
  });

  it('K-061: lost here is not renewed any more, so that others can have it', async () => {
    const lease = await grant();
    world.wallOffsetMs += 3_600_000;
    expect(lease.held).toBe(false);
    await world.advance(60_000);
    expect(cluster.commands('lease-renew')).toHaveLength(0);
    world.wallOffsetMs = 0;
    expect(lease.held).toBe(false);
  });

  it('K-070: its revocation can be repeated until the cluster confirms it', async () => {
    const lease = await grant();
    cluster.leader = undefined;
    const failing = watchOutcome(lease.revoke());
    await world.advance(3_100);
    expect(errorOf(failing).retryable).toBe(true);
    cluster.elect(2);
    const again = watchOutcome(lease.revoke());
    await world.advance(2_000);
    valueOf(again);
    expect(cluster.state.leases.size).toBe(0);
  });

  it('K-066: outlives the longest timer that a run time can count', async () => {
    const lease = await grant({ ttlMs: 2 ** 33 });
    await world.advance(2 ** 31 * 1.1 + 1_000);
    expect(cluster.commands('lease-renew')).toHaveLength(1);
    expect(cluster.state.leases.get(lease.id)?.attempt).toBe(1);
    expect(lease.held).toBe(true);
  });

  it('K-067: has one handle for its whole life', async () => {
    const lease = await grant();
    const { signal } = lease;
    await world.advance(30_000);
    expect(lease.signal).toBe(signal);
    expect(lease.held).toBe(true);
  });

  it.each([0, -1, 1.5, 30, Number.NaN])('is refused with a TTL of %s ms', async (ttlMs) => {
    const granting = watchOutcome(client.lease({ ttlMs }));
    await world.settle();
    expect(errorOf(granting)).toMatchObject({ code: 'INVALID_ARGUMENT', class: 'invalid' });
  });

  it('warns when its TTL may not outlive a Raft fail-over', async () => {
    await grant({ ttlMs: 2_000 });
    expect(world.logged.map(({ message }) => message)).toContain(
      'the TTL may not outlive a Raft fail-over',
    );
  });

  it('is lost when its client closes', async () => {
    const lease = await grant();
    const closed = watchOutcome(client.close());
    await world.advance(20);
    valueOf(closed);
    expect(lease.signal.reason).toMatchObject({ reason: 'closed' });
  });
});
