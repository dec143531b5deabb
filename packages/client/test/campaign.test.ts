import type { ReplyBody } from '@raftd/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import { decodeMetadata } from '../src/campaign.js';
import { FakeCluster } from './harness/cluster.js';
import { lead, TTL } from './harness/lead.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;
let client: Client;
let other: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1], silenceMs: 1_000 });
  other = await cluster.connect({ to: [1], silenceMs: 1_000 });
});

const queue = () => cluster.state.elections.get('e')?.queue ?? [];
const leader = () => cluster.state.elections.get('e')?.leader;
const campaigns = () => cluster.state.applied.filter(({ type }) => type === 'campaign');
const wait = (candidate: string, options: object = {}) =>
  watchOutcome(client.election('e').campaign({ candidate, ttlMs: TTL, ...options }));

/** Somebody else leads, so that a campaign of `client` waits. */
async function occupied() {
  return lead(world, other, { candidate: 'other' });
}

const FULL = { code: 'CAPACITY_REACHED', what: 'queueMax', limit: 1 } as const;

describe('a campaign', () => {
  it('wins a vacant election with the token the state machine gave', async () => {
    const leadership = await lead(world, client, { metadata: { host: 'h' } });
    expect(leadership.token).toBe(leader()?.token);
    expect(leadership.holder).toBe(leader()?.holder);
    expect(leadership.state).toBe('leading');
    expect(decodeMetadata(leader()?.metadata ?? new Uint8Array())).toEqual({ host: 'h' });
  });

  it('waits in line and wins by the push of its grant', async () => {
    const first = await occupied();
    const waiting = wait('b');
    await world.advance(30_000);
    expect(waiting.now.state).toBe('pending');
    const resigning = watchOutcome(first.resign());
    await world.advance(10);
    valueOf(resigning);
    expect(valueOf(waiting).token).toBe(leader()?.token);
    expect(valueOf(waiting).token).toBeGreaterThan(first.token);
  });

  it('has as many candidates beside it as there are, without a warning of leaks', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    await occupied();
    const waiting = Array.from({ length: 20 }, (_, at) => wait(`candidate-${at}`));
    await world.advance(100);
    process.off('warning', onWarning);
    expect(waiting.every(({ now }) => now.state === 'pending')).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('watches only its own campaign: a hand-over wakes one waiter', async () => {
    const first = await occupied();
    const waiting = [wait('b'), wait('c'), wait('d')];
    await world.advance(100);
    const before = cluster.received.length;
    await watchResign(first);
    expect(waiting.filter(({ now }) => now.state === 'resolved')).toHaveLength(1);
    const queries = cluster.received
      .slice(before)
      .filter(({ request }) => request.type === 'query');
    expect(queries).toHaveLength(0);
  });

  it('learns of its grant from a renewal, when the push was lost', async () => {
    const first = await occupied();
    const waiting = wait('b');
    await world.advance(20);
    for (const connection of cluster.node(1).connections) connection.watches.clear();
    await watchResign(first);
    expect(waiting.now.state).toBe('pending');
    await world.advance(2_800);
    expect(valueOf(waiting).token).toBe(leader()?.token);
  });

  it('asks where it stands after a reconnect', async () => {
    const first = await occupied();
    const waiting = wait('b', { ttlMs: 60_000 });
    await world.advance(20);
    cluster.elect(2);
    cluster.node(1).kill();
    await world.advance(1_000);
    const asked = cluster.received.filter(
      ({ request }) => request.type === 'query' && request.query.type === 'campaign-show',
    );
    expect(asked.length).toBeGreaterThan(0);
    await watchResign(first);
    await world.advance(1_000);
    expect(valueOf(waiting).token).toBe(leader()?.token);
  });

  it('asks for the present state when the watch is too far behind', async () => {
    const first = await occupied();
    const waiting = wait('b', { ttlMs: 60_000 });
    await world.advance(20);
    cluster.state.endLease(first.lease, 'lease-expired');
    cluster.state.compactedBelow = 1_000;
    cluster.node(1).dropConnections();
    await world.advance(1_000);
    expect(valueOf(waiting).token).toBe(leader()?.token);
  });

  it('rule 14, K-045: is never inferred from the queue: alone in line is not leading', async () => {
    await occupied();
    const waiting = wait('b');
    await world.advance(20);
    const election = cluster.state.elections.get('e');
    if (election !== undefined) election.leader = undefined;
    await world.advance(30_000);
    expect(waiting.now.state).toBe('pending');
  });

  it('K-044, K-048: an entry of an earlier campaign is not its own', async () => {
    const first = await lead(world, client);
    world.block(20_000);
    expect(first.held).toBe(false);
    const again = wait('a');
    await world.advance(20);
    // The old entry still stands in the cluster, under the old lease.
    expect(leader()?.holder).toBe(first.holder);
    expect(again.now.state).toBe('pending');
    cluster.state.endLease(first.lease, 'lease-expired');
    cluster.publish();
    await world.advance(20);
    expect(valueOf(again).holder).not.toBe(first.holder);
    expect(valueOf(again).token).toBeGreaterThan(first.token);
    expect(first.held).toBe(false);
  });

  it('K-046: keeps its place over reconnects: it never creates another entry', async () => {
    await occupied();
    const waiting = wait('b');
    for (let round = 0; round < 5; round += 1) {
      await world.advance(500);
      cluster.node(1).dropConnections();
    }
    await world.advance(1_000);
    expect(waiting.now.state).toBe('pending');
    expect(queue()).toHaveLength(1);
    expect(campaigns()).toHaveLength(2);
  });

  it('C23, K-044: stands anew, under another id and lease, when its lease did not last', async () => {
    const first = await occupied();
    const waiting = wait('b');
    await world.advance(20);
    const [lost] = queue();
    cluster.state.endLease(lost?.lease ?? '', 'lease-expired');
    cluster.publish();
    await world.advance(1_000);
    const [anew, ...others] = queue();
    expect(others).toEqual([]);
    expect(anew?.campaignId).not.toBe(lost?.campaignId);
    expect(anew?.lease).not.toBe(lost?.lease);
    expect(cluster.state.withdrawn).toContain(lost?.campaignId);
    await watchResign(first);
    expect(valueOf(waiting).holder).toBe(anew?.campaignId);
  });

  it('C23: outlives an outage longer than its lease and every time limit', async () => {
    await occupied();
    const waiting = wait('b');
    await world.advance(20);
    for (const node of cluster.nodes) node.kill();
    await world.advance(120_000);
    cluster.state.expire();
    expect(queue()).toHaveLength(0);
    for (const node of cluster.nodes) node.down = false;
    await world.advance(5_000);
    expect(valueOf(waiting).held).toBe(true);
    expect(cluster.state.leases.size).toBe(1);
  });

  it('C23: is told to stop in an outage by its signal, its wait limit and its client', async () => {
    await occupied();
    const stop = new AbortController();
    const waiting = [
      wait('b', { signal: stop.signal }),
      wait('c', { timeoutMs: 60_000 }),
      wait('d'),
    ];
    await world.advance(20);
    cluster.leader = undefined;
    await world.advance(30_000);
    expect(waiting.map(({ now }) => now.state)).toEqual(['pending', 'pending', 'pending']);
    stop.abort(new Error('enough'));
    await world.advance(31_000);
    const closed = watchOutcome(client.close());
    await world.advance(10_000);
    valueOf(closed);
    const [aborted, late, ended] = waiting.map(({ now }) => now.state === 'rejected' && now.error);
    expect(aborted).toBe(stop.signal.reason);
    expect(late).toMatchObject({ code: 'TIMEOUT' });
    expect(ended).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(world.liveTimers.ref).toBeLessThan(5);
  });

  it('that never stood in line tells why at once', async () => {
    cluster.leader = undefined;
    const waiting = wait('b');
    await world.advance(10_100);
    expect(errorOf(waiting)).toMatchObject({ code: 'UNAVAILABLE', class: 'rejected' });
  });

  it('ends when somebody withdraws it or revokes its lease', async () => {
    await occupied();
    const waiting = [wait('b'), wait('c')];
    await world.advance(20);
    const [one, two] = queue();
    const tool = other.election('e').withdraw(one?.lease ?? '', one?.campaignId ?? '');
    const withdrawing = watchOutcome(tool);
    const revoking = watchOutcome(other.revokeLease(two?.lease ?? ''));
    await world.advance(20);
    expect(valueOf(withdrawing).outcome).toBe('removed');
    expect(valueOf(revoking).outcome).toBe('revoked');
    const errors = waiting.map(({ now }) => errorOf({ now }));
    expect(errors).toMatchObject([
      { code: 'CAMPAIGN_WITHDRAWN', class: 'rejected' },
      { code: 'LEASE_LOST', class: 'rejected', details: { reason: 'revoked' } },
    ]);
  });

  it('whose answer is gone asks where it stands: it was applied', async () => {
    const first = await occupied();
    cluster.node(1).script = (request, usual) => {
      const body = usual();
      if (request.type !== 'command') return body;
      if (request.logged.command.type !== 'campaign') return body;
      const refusal = { code: 'REPLY_DROPPED', sequence: 2 } as const;
      return { type: 'command', result: { type: 'refused', refusal } };
    };
    const waiting = wait('b');
    await world.advance(20);
    expect(waiting.now.state).toBe('pending');
    cluster.node(1).script = undefined;
    await watchResign(first);
    await world.advance(3_000);
    expect(valueOf(waiting).held).toBe(true);
    expect(campaigns()).toHaveLength(2);
  });

  it('a full queue is an error of its own, which run() waits out', async () => {
    await occupied();
    const limit = { type: 'refused', refusal: FULL } as const;
    const tries: number[] = [];
    cluster.node(1).script = (request, usual) => {
      if (request.type !== 'command' || request.logged.command.type !== 'campaign') return usual();
      tries.push(world.nowMs);
      return { type: 'command', result: limit };
    };
    const waiting = wait('b');
    await world.advance(20);
    expect(errorOf(waiting)).toMatchObject({ code: 'CAPACITY_REACHED', class: 'rejected' });
    const stop = new AbortController();
    const options = { candidate: 'b', ttlMs: TTL, signal: stop.signal };
    const running = watchOutcome(client.election('e').run(options, () => undefined));
    await world.advance(60_000);
    expect(running.now.state).toBe('pending');
    expect(tries.length).toBeGreaterThan(5);
    expect(tries.length).toBeLessThan(40);
    cluster.node(1).script = undefined;
    await world.advance(10_500);
    expect(queue()).toHaveLength(1);
    stop.abort();
    await world.advance(20);
    valueOf(running);
  });

  it.each(['LIMIT_EXCEEDED', 'INVALID_ARGUMENT'] as const)(
    'refused with %s will never be accepted: run() gives up',
    async (code) => {
      const refusal = { code, field: 'candidate', limit: 1, reason: 'as the test has it' };
      cluster.node(1).script = (request, usual) =>
        request.type === 'command' && request.logged.command.type === 'campaign'
          ? { type: 'command', result: { type: 'refused', refusal } }
          : usual();
      const running = watchOutcome(
        client.election('e').run({ candidate: 'b', ttlMs: TTL }, () => undefined),
      );
      await world.advance(20);
      expect(errorOf(running).code).toBe(code);
    },
  );

  it('K-051, K-053: aborted while it waits, rejects at once and leaves no entry', async () => {
    await occupied();
    const stop = new AbortController();
    const reason = new Error('enough');
    const waiting = wait('b', { signal: stop.signal });
    await world.advance(20);
    expect(queue()).toHaveLength(1);
    stop.abort(reason);
    await world.settle();
    expect(waiting.now).toEqual({ state: 'rejected', error: reason });
    await world.advance(20);
    expect(queue()).toHaveLength(0);
    expect(cluster.state.leases.size).toBe(1);
  });

  it('K-051: aborted while nobody knows whether it was created, withdraws all the same', async () => {
    const stop = new AbortController();
    cluster.node(1).script = (request, usual) => {
      const body = usual();
      const lost = request.type === 'command' && request.logged.command.type === 'campaign';
      return lost ? undefined : body;
    };
    const waiting = wait('b', { signal: stop.signal });
    await world.advance(20);
    expect(leader()?.candidate).toBe('b');
    stop.abort(new Error('enough'));
    await world.advance(20);
    expect(waiting.now.state).toBe('rejected');
    expect(leader()).toBeUndefined();
    expect(cluster.state.leases.size).toBe(0);
  });

  it('K-050: a withdrawal beats a campaign that is still on its way', async () => {
    const stop = new AbortController();
    const held: (() => ReplyBody)[] = [];
    cluster.node(1).script = (request, usual) => {
      const late = request.type === 'command' && request.logged.command.type === 'campaign';
      if (!late) return usual();
      held.push(usual);
      return undefined;
    };
    const waiting = wait('b', { signal: stop.signal });
    await world.advance(20);
    stop.abort(new Error('enough'));
    await world.advance(20);
    expect(waiting.now.state).toBe('rejected');
    for (const late of held) late();
    expect(leader()).toBeUndefined();
    expect(queue()).toHaveLength(0);
  });

  it('K-050: close is a barrier: nothing is created after it, what stood is withdrawn', async () => {
    await occupied();
    const waiting = wait('b');
    await world.advance(20);
    const closed = watchOutcome(client.close());
    const late = wait('c');
    await world.advance(50);
    valueOf(closed);
    expect(errorOf(waiting).code).toBe('CLIENT_CLOSED');
    expect(errorOf(late).code).toBe('CLIENT_CLOSED');
    expect(queue()).toHaveLength(0);
    expect(campaigns()).toHaveLength(2);
  });

  it('K-052: granted after its lease was lost, gives the grant back', async () => {
    const first = await occupied();
    const waiting = wait('b', { ttlMs: 2_000 });
    await world.advance(20);
    world.block(5_000);
    const promoted = queue()[0]?.campaignId;
    cluster.state.endLease(first.lease, 'lease-expired');
    expect(leader()?.holder).toBe(promoted);
    cluster.publish();
    await world.advance(1_000);
    expect(valueOf(waiting).holder).not.toBe(promoted);
    expect(leader()?.holder).toBe(valueOf(waiting).holder);
    expect(cluster.state.withdrawn).toContain(promoted);
  });

  it('has a wait limit where one is given', async () => {
    await occupied();
    const waiting = wait('b', { timeoutMs: 5_000 });
    await world.advance(5_010);
    expect(errorOf(waiting)).toMatchObject({ code: 'TIMEOUT', class: 'rejected' });
    expect(queue()).toHaveLength(0);
  });

  it('out of time, is rejected where the withdrawal is known and in doubt where it is not', async () => {
    await occupied();
    const known = wait('b', { timeoutMs: 5_000 });
    await world.advance(5_010);
    expect(errorOf(known)).toMatchObject({ class: 'rejected', retryable: true });
    expect(errorOf(known).message).toContain('withdrawn');
    const doubtful = wait('c', { timeoutMs: 5_000 });
    await world.advance(1_000);
    cluster.leader = undefined;
    await world.advance(4_010);
    expect(doubtful.now.state).toBe('pending');
    await world.advance(3_100);
    const error = errorOf(doubtful);
    expect(error).toMatchObject({ code: 'TIMEOUT', class: 'indeterminate', retryable: true });
    expect(error.message).toContain('not confirmed');
    expect(queue()).toHaveLength(1);
  });

  it('out of time before anything could stand in line, did not happen', async () => {
    cluster.leader = undefined;
    const waiting = wait('b', { timeoutMs: 500 });
    await world.advance(510);
    expect(errorOf(waiting)).toMatchObject({ code: 'TIMEOUT', class: 'rejected' });
  });

  it('out of time, takes back what an outage kept it from withdrawing', async () => {
    const first = await occupied();
    const waiting = wait('b', { timeoutMs: 60_000 });
    await world.advance(20);
    cluster.leader = undefined;
    await world.advance(50_000);
    expect(queue()).toHaveLength(1);
    cluster.elect(1);
    await world.advance(10_100);
    expect(errorOf(waiting)).toMatchObject({ code: 'TIMEOUT', class: 'rejected' });
    expect(queue()).toHaveLength(0);
    expect(first.held).toBe(false);
  });

  it('K-078: has a random name for itself, whatever its label', async () => {
    const first = await lead(world, client);
    const waiting = wait('a');
    await world.advance(20);
    expect(queue()[0]?.campaignId).not.toBe(first.holder);
    expect(queue()[0]?.candidate).toBe('a');
    await watchResign(first);
    expect(valueOf(waiting).token).toBeGreaterThan(first.token);
  });

  it.each([
    { candidate: '' },
    { candidate: 'x'.repeat(300) },
    { candidate: '\ud800' },
    { ttlMs: 10 },
  ])('is refused before anything is created: %j', async (options) => {
    const waiting = wait('b', options);
    await world.advance(10);
    expect(errorOf(waiting).class).toBe('invalid');
    expect(cluster.state.applied).toHaveLength(0);
  });

  it('a tool can withdraw one by its full name', async () => {
    const first = await occupied();
    const gone = watchOutcome(client.election('e').withdraw(first.lease, 'another'));
    await world.advance(10);
    expect(valueOf(gone).outcome).toBe('not-found');
    expect(leader()?.lease).toBe(first.lease);
  });
});

async function watchResign(leadership: { resign(): Promise<void> }): Promise<void> {
  const resigning = watchOutcome(leadership.resign());
  await world.advance(20);
  valueOf(resigning);
}
