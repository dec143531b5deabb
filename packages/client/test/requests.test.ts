import type { ReplyBody } from '@raftd/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCluster } from './harness/cluster.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;

beforeEach(() => {
  world = new World();
  cluster = new FakeCluster(world);
});

const refusal = (code: string): ReplyBody =>
  ({ type: 'error', error: { code, message: code, details: {} } }) as ReplyBody;

describe('a call', () => {
  it('goes to the leader, whichever node was asked first', async () => {
    const client = await cluster.connect({ to: [3] });
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(20);
    expect(valueOf(put)).toEqual({ revision: 1, version: 1 });
    expect(cluster.received.every(({ node }) => node.id === 'n1')).toBe(true);
  });

  it('shares one frame with all others of its turn', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.frames = 0;
    const puts = Array.from({ length: 100 }, (_, n) => watchOutcome(client.put(`k${n}`, 'v')));
    await world.advance(5);
    expect(puts.every(({ now }) => now.state === 'resolved')).toBe(true);
    expect(cluster.frames).toBe(1);
  });

  it('K-024, K-027: keeps its very bytes over nodes and connections and is applied once', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = (_request, usual) => {
      usual();
      cluster.elect(2);
      cluster.node(1).kill();
      return undefined;
    };
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(1_000);
    expect(valueOf(put)).toEqual({ revision: 1, version: 1 });
    const sent = cluster.commands('put');
    expect(sent.length).toBeGreaterThan(1);
    for (const { payload } of sent) expect(payload).toEqual(sent[0]?.payload);
    expect(cluster.state.applied).toHaveLength(1);
  });

  it('K-077: follows no redirect to the leader of an older term', async () => {
    cluster.term = 9;
    const client = await cluster.connect({ to: [1] });
    await world.advance(20);
    const stale = cluster.node(3);
    stale.hint = { term: 8 as never, id: cluster.node(2).id, address: cluster.node(2).address };
    cluster.node(1).dropConnections();
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(1_000);
    expect(valueOf(put).version).toBe(1);
    // It may ask around, but takes nobody for the leader on the word of an older term.
    const commands = cluster.received.filter(({ request }) => request.type === 'command');
    expect(new Set(commands.map(({ node }) => node.id))).toEqual(new Set(['n1']));
  });

  it('finds the new leader after the old one was killed, in well under a second', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).kill();
    cluster.leader = undefined;
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(300);
    expect(put.now.state).toBe('pending');
    cluster.elect(3);
    await world.advance(700);
    expect(valueOf(put).version).toBe(1);
  });

  it('K-065: leaves a node that is silent for another one, over a new connection', async () => {
    const client = await cluster.connect({ to: [1], silenceMs: 1_000 });
    cluster.node(1).frozen = true;
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(500);
    cluster.elect(2);
    await world.advance(1_000);
    expect(valueOf(put).version).toBe(1);
    cluster.node(1).thaw();
    await world.advance(100);
    expect(cluster.state.applied).toHaveLength(1);
  });

  it('that was not sent in time is UNAVAILABLE and rejected, with what was tried', async () => {
    const client = await cluster.connect({ to: [1] });
    for (const node of cluster.nodes) node.kill();
    await world.advance(5);
    const put = watchOutcome(client.put('k', 'v', { timeoutMs: 2_000 }));
    await world.advance(2_000);
    const error = errorOf(put);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', class: 'rejected', retryable: true });
    expect(error.attempts.length).toBeGreaterThan(0);
    expect(error.attempts[0]).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('whose answer never came is OUTCOME_UNKNOWN and indeterminate', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = () => undefined;
    cluster.node(2).down = true;
    cluster.node(3).down = true;
    const put = watchOutcome(client.put('k', 'v', { timeoutMs: 2_000 }));
    await world.advance(2_000);
    expect(errorOf(put)).toMatchObject({ code: 'OUTCOME_UNKNOWN', class: 'indeterminate' });
  });

  it('that only reads is never indeterminate', async () => {
    const client = await cluster.connect({ to: [1] });
    for (const node of cluster.nodes) node.frozen = true;
    const get = watchOutcome(client.get('k', { timeoutMs: 3_000 }));
    await world.advance(3_000);
    expect(errorOf(get)).toMatchObject({ code: 'UNAVAILABLE', class: 'rejected' });
  });

  it('has a default deadline', async () => {
    const client = await cluster.connect({ to: [1] });
    for (const node of cluster.nodes) node.kill();
    await world.advance(5);
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(9_000);
    expect(put.now.state).toBe('pending');
    await world.advance(1_001);
    expect(errorOf(put).code).toBe('UNAVAILABLE');
  });

  it('ends with the reason of its signal, at once, and its late answer is dropped', async () => {
    const client = await cluster.connect({ to: [1] });
    const stop = new AbortController();
    const reason = new Error('enough');
    const put = watchOutcome(client.put('k', 'v', { signal: stop.signal }));
    stop.abort(reason);
    await world.settle();
    expect(put.now).toEqual({ state: 'rejected', error: reason });
    await world.advance(100);
    const again = watchOutcome(client.put('k', 'v', { signal: stop.signal }));
    await world.settle();
    expect(again.now).toEqual({ state: 'rejected', error: reason });
  });

  it('is tried again at a leader that has too much at hand', async () => {
    const client = await cluster.connect({ to: [1] });
    let refusals = 2;
    cluster.node(1).script = (_request, usual) => {
      refusals -= 1;
      return refusals >= 0 ? refusal('OVERLOADED') : usual();
    };
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(200);
    expect(valueOf(put).version).toBe(1);
    expect(cluster.commands('put')).toHaveLength(3);
  });

  it('that stays refused so is told the real cause at its deadline', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = () => refusal('OVERLOADED');
    const put = watchOutcome(client.put('k', 'v', { timeoutMs: 1_000 }));
    await world.advance(1_000);
    expect(errorOf(put)).toMatchObject({ code: 'OVERLOADED', class: 'rejected' });
  });

  it('with a definitive error is not tried again', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = () => refusal('LIMIT_EXCEEDED');
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    expect(errorOf(put)).toMatchObject({ code: 'LIMIT_EXCEEDED', class: 'invalid' });
    expect(cluster.commands('put')).toHaveLength(1);
  });

  it('too big for the wire is refused before it is sent', async () => {
    const client = await cluster.connect({ to: [1] });
    const put = watchOutcome(client.put('k'.repeat(5_000), 'v'));
    const other = watchOutcome(client.put('k', Buffer.alloc(1_048_577)));
    await world.settle();
    expect(errorOf(put)).toMatchObject({ code: 'LIMIT_EXCEEDED', class: 'invalid' });
    expect(errorOf(other)).toMatchObject({ code: 'LIMIT_EXCEEDED', class: 'invalid' });
  });

  it('waits for the window, and the queue for it is bounded', async () => {
    const client = await cluster.connect({ to: [1], waitingMax: 10 });
    cluster.node(1).frozen = true;
    const puts = Array.from({ length: 1_035 }, () => watchOutcome(client.put('k', 'v')));
    await world.advance(5);
    expect(errorOf(puts[1_034] ?? { now: { state: 'pending' } }).code).toBe('TOO_MANY_REQUESTS');
    expect(puts.slice(0, 1_034).every(({ now }) => now.state === 'pending')).toBe(true);
    cluster.node(1).thaw();
    await world.advance(20);
    expect(puts.slice(0, 1_034).every(({ now }) => now.state === 'resolved')).toBe(true);
  });

  it('is refused where too many bytes are pending, but never what keeps leases', async () => {
    const client = await cluster.connect({ to: [1], pendingBytesMax: 1_000, waitingMax: 2 });
    cluster.node(1).frozen = true;
    const puts = Array.from({ length: 3 }, () => watchOutcome(client.put('k', 'v'.repeat(400))));
    await world.settle();
    expect(errorOf(puts[2] ?? { now: { state: 'pending' } }).code).toBe('TOO_MANY_REQUESTS');
    const lease = watchOutcome(client.lease());
    await world.settle();
    expect(lease.now.state).toBe('pending');
    cluster.node(1).thaw();
    await world.advance(20);
    valueOf(lease);
    const again = watchOutcome(client.put('k', 'v'.repeat(400)));
    await world.advance(5);
    valueOf(again);
  });

  it('waits with a bounded number of others, whatever it is about', async () => {
    const client = await cluster.connect({ to: [1], waitingMax: 3 });
    cluster.leader = undefined;
    for (const node of cluster.nodes) node.dropConnections();
    await world.advance(5);
    const calls = [
      client.lease({ timeoutMs: 1_000 }),
      client.election('e').campaign({ candidate: 'a', ttlMs: 5_000 }),
      client.fenceAdvance('r', 'e', 1n),
      client.grantLease({ ttlMs: 5_000 }),
      client.revokeLease('l'),
      client.renewLease('l'),
      client.election('e').withdraw('l', 'c'),
      client.put('k', 'v'),
    ].map((call) => watchOutcome<unknown>(call));
    await world.settle();
    const codes = calls.map(({ now }) =>
      now.state === 'rejected' ? errorOf({ now }).code : now.state,
    );
    expect(codes.slice(0, 3)).toEqual(['pending', 'pending', 'pending']);
    expect(new Set(codes.slice(3))).toEqual(new Set(['TOO_MANY_REQUESTS']));
  });

  it('that keeps or gives back what is held is not refused for others, and goes first', async () => {
    const client = await cluster.connect({ to: [1], waitingMax: 3, callTimeoutMs: 60_000 });
    const granting = watchOutcome(client.lease({ ttlMs: 30_000 }));
    const other = watchOutcome(client.lease({ ttlMs: 30_000 }));
    await world.advance(5);
    const lease = valueOf(granting);
    cluster.leader = undefined;
    for (const node of cluster.nodes) node.dropConnections();
    await world.advance(5);
    const grants = [1, 2, 3, 4].map(() => watchOutcome(client.grantLease({ ttlMs: 5_000 })));
    const revoking = watchOutcome(lease.revoke());
    await world.settle();
    expect(errorOf(grants[3] ?? other).code).toBe('TOO_MANY_REQUESTS');
    expect(revoking.now.state).toBe('pending');
    const { length } = cluster.state.applied;
    cluster.elect(1);
    await world.advance(1_000);
    valueOf(revoking);
    expect(valueOf(other).held).toBe(true);
    const types = cluster.state.applied.slice(length).map(({ type }) => type);
    expect(types.slice(0, 2).sort()).toEqual(['lease-renew', 'lease-revoke']);
    expect(types.filter((type) => type === 'lease-grant')).toHaveLength(2);
  });

  it('for a lease that was never sent needs nothing revoked', async () => {
    cluster.leader = undefined;
    const client = await cluster.connect({ to: [1] });
    const stop = new AbortController();
    const leases = [1, 2, 3].map(() => watchOutcome(client.lease({ signal: stop.signal })));
    await world.advance(5);
    stop.abort();
    await world.settle();
    expect(leases.every(({ now }) => now.state === 'rejected')).toBe(true);
    cluster.elect(1);
    await world.advance(2_000);
    expect(cluster.commands('lease-revoke')).toHaveLength(0);
  });

  it('reads from a follower when stale is enough', async () => {
    cluster.leader = undefined;
    const client = await cluster.connect({ to: [2] });
    const get = watchOutcome(client.get('none', { consistency: 'stale' }));
    await world.advance(50);
    expect(valueOf(get)).toBeUndefined();
  });
});

const EXPIRED = { code: 'SESSION_EXPIRED' } as const;

const refusedFor = (what: string): ReplyBody => ({
  type: 'command',
  result: { type: 'refused', refusal: { code: 'CAPACITY_REACHED', what, limit: 1 } },
});
const NO_ROOM = refusedFor('sessionsMax');

/** Cluster time under which the last such command's session was opened. */
function openedAt(type: string): number | undefined {
  const commands = cluster.received.flatMap(({ request }) =>
    request.type === 'command' && request.logged.command.type === type ? [request] : [],
  );
  return commands.at(-1)?.logged.stamp?.openedAtMs;
}

describe('a session', () => {
  it('expired under a sole attempt: rejected, and the next call opens another', async () => {
    const client = await cluster.connect({ to: [1] });
    const first = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    valueOf(first);
    for (const key of cluster.state.replies.keys()) {
      cluster.state.expiredSessions.add(key.split('/')[0] ?? '');
    }
    const refused = watchOutcome(client.put('k', 'w'));
    await world.advance(10);
    expect(errorOf(refused)).toMatchObject({
      code: 'SESSION_EXPIRED',
      class: 'rejected',
      retryable: true,
    });
    const next = watchOutcome(client.put('k', 'w'));
    await world.advance(10);
    expect(valueOf(next).version).toBe(2);
    expect(cluster.state.applied).toHaveLength(2);
  });

  it('expired under a retry: indeterminate, never run again under another session', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = (_request, usual) => {
      usual();
      for (const key of cluster.state.replies.keys()) {
        cluster.state.expiredSessions.add(key.split('/')[0] ?? '');
      }
      cluster.node(1).script = undefined;
      cluster.node(1).dropConnections();
      return undefined;
    };
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(1_000);
    expect(errorOf(put)).toMatchObject({ code: 'SESSION_EXPIRED', class: 'indeterminate' });
    expect(cluster.state.applied).toHaveLength(1);
  });

  it('that found no room, under a sole attempt: rejected, and it may be tried again', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = () => NO_ROOM;
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    const rejected = { code: 'CAPACITY_REACHED', class: 'rejected', retryable: true };
    expect(errorOf(put)).toMatchObject(rejected);
  });

  it('that found no room, while an earlier copy may still run: indeterminate', async () => {
    const client = await cluster.connect({ to: [1] });
    let runFirstCopy: (() => ReplyBody) | undefined;
    cluster.node(1).script = (_request, usual) => {
      // It is in the log of a leader that is cut off, and will be decided much later.
      runFirstCopy = usual;
      cluster.node(1).script = () => NO_ROOM;
      cluster.node(1).dropConnections();
      return undefined;
    };
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(1_000);
    expect(errorOf(put)).toMatchObject({
      code: 'CAPACITY_REACHED',
      class: 'indeterminate',
      retryable: false,
    });
    runFirstCopy?.();
    expect(cluster.state.keys.get('k')?.version).toBe(1);
  });

  it('full of something else is remembered: rejected, however many copies there are', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).script = () => {
      cluster.node(1).script = () => refusedFor('keysPerLeaseMax');
      cluster.node(1).dropConnections();
      return undefined;
    };
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(1_000);
    expect(errorOf(put)).toMatchObject({ code: 'CAPACITY_REACHED', class: 'rejected' });
  });

  it('is touched while idle, and only once there is one', async () => {
    const client = await cluster.connect({ to: [1] });
    await world.advance(400_000);
    expect(cluster.commands('session-touch')).toHaveLength(0);
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(20);
    valueOf(put);
    await world.advance(600_000);
    expect(cluster.commands('session-touch').length).toBe(3);
  });

  it('opens with a fresh cluster time: an old connection is renewed first', async () => {
    const client = await cluster.connect({ to: [1] });
    await world.advance(300_000);
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(20);
    valueOf(put);
    const [sent] = cluster.received.filter(({ request }) => request.type === 'command');
    const stamp = sent?.request.type === 'command' ? sent.request.logged.stamp : undefined;
    expect(stamp?.openedAtMs).toBeGreaterThan(300_000);
    expect(cluster.node(1).dials).toBe(2);
  });

  it("opens with another node's time while the leader has not caught up", async () => {
    cluster.node(1).clusterTime = () => undefined;
    const client = await cluster.connect({ to: [1] });
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(20);
    valueOf(put);
    expect(cluster.nodes.map(({ dials }) => dials)).toEqual([1, 1, 0]);
    expect(openedAt('put')).toBeGreaterThan(1_020);
  });

  it('waits for a node that has caught up, with pauses, and within the deadline', async () => {
    for (const node of cluster.nodes) node.clusterTime = () => undefined;
    const client = await cluster.connect({ to: [1] });
    const late = watchOutcome(client.put('k', 'v', { timeoutMs: 4_000 }));
    const put = watchOutcome(client.put('k', 'w', { timeoutMs: 8_000 }));
    await world.advance(4_001);
    expect(errorOf(late)).toMatchObject({ code: 'UNAVAILABLE', class: 'rejected' });
    const dials = cluster.nodes.map((node) => node.dials);
    expect(Math.min(...dials)).toBeGreaterThan(1);
    expect(Math.max(...dials)).toBeLessThan(15);
    const { nowMs } = world;
    cluster.node(1).clusterTime = () => 5_000;
    await world.advance(2_000);
    expect(valueOf(put).version).toBe(1);
    expect(openedAt('put')).toBe(5_000);
    expect(cluster.commands('put')[0]?.atMs).toBeGreaterThan(nowMs);
    // Nobody wants a time any more.
    const after = cluster.nodes.map((node) => node.dials);
    await world.advance(60_000);
    expect(cluster.nodes.map((node) => node.dials)).toEqual(after);
  });

  it('reads without one: what a session is for waits alone', async () => {
    for (const node of cluster.nodes) node.clusterTime = () => undefined;
    const client = await cluster.connect({ to: [1] });
    const put = watchOutcome(client.put('k', 'v'));
    const get = watchOutcome(client.get('k'));
    await world.advance(200);
    expect(valueOf(get)).toBeUndefined();
    expect(put.now.state).toBe('pending');
  });

  it('is never opened twice with a time under which it has expired', async () => {
    const client = await cluster.connect({ to: [1] });
    for (const node of cluster.nodes) {
      node.clusterTime = () => 1_000;
      node.script = (request, usual) => {
        const stamp = request.type === 'command' ? request.logged.stamp : undefined;
        if ((stamp?.openedAtMs ?? 60_000) >= 60_000) return usual();
        return { type: 'command', result: { type: 'refused', refusal: EXPIRED } };
      };
    }
    const refused = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    expect(errorOf(refused)).toMatchObject({ code: 'SESSION_EXPIRED', class: 'rejected' });
    const next = watchOutcome(client.put('k', 'v'));
    await world.advance(3_000);
    expect(next.now.state).toBe('pending');
    expect(cluster.commands('put')).toHaveLength(1);
    cluster.node(3).clusterTime = () => 60_000;
    await world.advance(3_000);
    expect(valueOf(next).version).toBe(1);
    expect(openedAt('put')).toBe(60_000);
  });

  it('is not kept by renewals where they are all it has had: they open none', async () => {
    const client = await cluster.connect({ to: [1] });
    const granting = watchOutcome(client.lease({ ttlMs: 60_000 }));
    await world.advance(10);
    valueOf(granting);
    const opened = openedAt('lease-grant') ?? 0;
    for (const key of cluster.state.replies.keys()) {
      cluster.state.expiredSessions.add(key.split('/')[0] ?? '');
    }
    const refused = watchOutcome(client.fenceAdvance('r', 'e', 1n));
    await world.advance(10);
    expect(errorOf(refused).code).toBe('SESSION_EXPIRED');
    await world.advance(20 * 60_000);
    const again = watchOutcome(client.fenceAdvance('r', 'e', 1n));
    await world.advance(20);
    valueOf(again);
    // The cluster would open none with a time of ten minutes ago.
    expect((openedAt('fence-advance') ?? 0) - opened).toBeGreaterThan(11 * 60_000);
  });

  it('ends with the client', async () => {
    const client = await cluster.connect({ to: [1] });
    const put = watchOutcome(client.put('k', 'v'));
    await world.advance(10);
    valueOf(put);
    const closed = watchOutcome(client.close());
    await world.advance(10);
    valueOf(closed);
    expect(cluster.commands('session-close')).toHaveLength(1);
    expect(cluster.nodes.every(({ connections }) => connections.length === 0)).toBe(true);
    expect(world.liveTimers.ref).toBe(0);
  });
});

describe('a client', () => {
  it('that reaches no node rejects with what it tried', async () => {
    for (const node of cluster.nodes) node.down = true;
    const connecting = watchOutcome(cluster.connect({ timeoutMs: 3_000 }));
    await world.advance(3_000);
    await world.advance(3_000);
    const error = errorOf(connecting);
    expect(error.code).toBe('UNAVAILABLE');
    expect(new Set(error.attempts.map(({ address }) => address)).size).toBe(3);
  });

  it('settles every call when it closes, and refuses those that come later', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(1).frozen = true;
    const sent = watchOutcome(client.put('k', 'v'));
    const read = watchOutcome(client.get('k'));
    await world.settle();
    const closed = watchOutcome(client.close());
    await world.advance(5_000);
    valueOf(closed);
    expect(errorOf(sent)).toMatchObject({ code: 'CLIENT_CLOSED', class: 'indeterminate' });
    expect(errorOf(read)).toMatchObject({ code: 'CLIENT_CLOSED', class: 'rejected' });
    const late = watchOutcome(client.put('k', 'v'));
    await world.settle();
    expect(errorOf(late)).toMatchObject({ code: 'CLIENT_CLOSED', class: 'rejected' });
    const done = watchOutcome(client.closed);
    await world.settle();
    expect(done.now.state).toBe('resolved');
  });

  it('does not talk to another cluster that took over an address', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.clusterId = 'another';
    cluster.node(1).dropConnections();
    await world.advance(5);
    const put = watchOutcome(client.put('k', 'v', { timeoutMs: 1_000 }));
    await world.advance(1_000);
    const error = errorOf(put);
    expect(error.code).toBe('UNAVAILABLE');
    expect(error.attempts.some(({ code }) => code === 'WRONG_CLUSTER')).toBe(true);
    expect(cluster.state.applied).toHaveLength(0);
  });

  it('asks every node for its status, also those that do not answer', async () => {
    const client = await cluster.connect({ to: [1] });
    cluster.node(3).frozen = true;
    const status = watchOutcome(client.status());
    await world.advance(2_000);
    const { cluster: id, leader, nodes } = valueOf(status);
    expect(id).toBe('cluster');
    expect(leader).toBe('n1');
    expect(nodes.map((node) => [node.id, node.reachable])).toEqual([
      ['n1', true],
      ['n2', true],
      ['n3', false],
    ]);
  });
});
