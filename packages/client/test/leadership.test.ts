import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import { holdMs, stopBudgetMs } from '../src/deadline.js';
import { LeadershipLostError, RaftdError } from '../src/errors.js';
import type { Leadership } from '../src/leadership.js';
import { FakeCluster } from './harness/cluster.js';
import { lead, TTL } from './harness/lead.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

const STOP = holdMs(TTL) - stopBudgetMs(TTL);

let world: World;
let cluster: FakeCluster;
let client: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1], silenceMs: 1_000 });
});

const leader = () => cluster.state.elections.get('e')?.leader;

function codeOf(call: () => void): string {
  try {
    call();
  } catch (error) {
    if (error instanceof RaftdError) return error.code;
    throw error;
  }
  return 'none';
}

function isolate(): void {
  for (const node of cluster.nodes) node.frozen = true;
}

async function resign(leadership: Leadership): Promise<void> {
  const resigning = watchOutcome(leadership.resign());
  await world.advance(20);
  valueOf(resigning);
}

describe('a leadership', () => {
  it('is renewed, and held as long as it is', async () => {
    const leadership = await lead(world, client);
    await world.advance(120_000);
    expect(leadership.state).toBe('leading');
    leadership.assertHeld(5_000);
    expect(leadership.remainingMs).toBeGreaterThan(5_000);
  });

  it('K-062: after a blocked event loop the very next line sees the loss', async () => {
    const leadership = await lead(world, client);
    const { signal } = leadership;
    world.block(TTL);
    expect(() => leadership.assertHeld()).toThrow(LeadershipLostError);
    expect(signal.aborted).toBe(true);
    expect(leadership.held).toBe(false);
    expect(leadership.remainingMs).toBe(0);
    expect(leadership.state).toBe('lost');
  });

  it('K-062: so does whoever only looks at the signal', async () => {
    const leadership = await lead(world, client);
    world.block(TTL);
    expect(leadership.signal.aborted).toBe(true);
  });

  it.each([3_600_000, -3_600_000])('wall clock steps by %s ms: never a longer hold', async (ms) => {
    const leadership = await lead(world, client);
    world.wallOffsetMs += ms;
    isolate();
    await world.advance(STOP + 20);
    expect(leadership.held).toBe(false);
  });

  it('a step back of the wall clock alone does not end it', async () => {
    const leadership = await lead(world, client);
    world.wallOffsetMs -= 3_600_000;
    leadership.assertHeld();
    await world.advance(30_000);
    leadership.assertHeld();
  });

  it('a suspend that only the wall clock counts ends it', async () => {
    const leadership = await lead(world, client);
    world.suspend(3_600_000);
    expect(codeOf(() => leadership.assertHeld())).toBe('LEADERSHIP_LOST');
  });

  it('a late renewal cannot revive it, nor an answer that comes after the deadline', async () => {
    const leadership = await lead(world, client);
    await world.advance(2_000);
    cluster.node(1).frozen = true;
    cluster.node(2).down = true;
    cluster.node(3).down = true;
    await world.advance(STOP);
    expect(leadership.state).toBe('lost');
    cluster.node(1).thaw();
    await world.advance(1_000);
    expect(leadership.state).toBe('lost');
    expect(leadership.held).toBe(false);
  });

  it('aborts its signal at the deadline less the stop budget, with a typed reason', async () => {
    const leadership = await lead(world, client);
    isolate();
    const events: string[] = [];
    leadership.signal.addEventListener('abort', () => events.push(leadership.state));
    await world.advance(leadership.remainingMs - 1);
    expect(events).toEqual([]);
    await world.advance(2);
    // The state has changed before anybody hears of it.
    expect(events).toEqual(['lost']);
    expect(leadership.signal.reason).toMatchObject({
      code: 'LEADERSHIP_LOST',
      reason: 'expired',
      details: { election: 'e', token: leadership.token.toString() },
    });
  });

  it('is suspect half a TTL after the last acknowledged send: LEADERSHIP_SUSPECT, retryable', async () => {
    const leadership = await lead(world, client);
    cluster.node(1).script = (request, usual) => (request.type === 'command' ? undefined : usual());
    await world.advance(TTL / 2);
    expect(leadership.state).toBe('suspect');
    expect(leadership.held).toBe(true);
    expect(codeOf(() => leadership.assertHeld())).toBe('LEADERSHIP_SUSPECT');
    try {
      leadership.assertHeld();
    } catch (error) {
      expect(error).toMatchObject({ retryable: true, class: 'rejected' });
    }
    cluster.node(1).script = undefined;
    const recovered = watchOutcome(leadership.untilHeld());
    await world.advance(TTL / 4);
    valueOf(recovered);
    expect(leadership.state).toBe('leading');
    leadership.assertHeld();
  });

  it('is suspect at once when its connection is lost, until a renewal is acknowledged', async () => {
    const leadership = await lead(world, client);
    cluster.node(1).kill();
    cluster.leader = undefined;
    await world.advance(5);
    expect(leadership.state).toBe('suspect');
    cluster.elect(2);
    await world.advance(1_000);
    expect(leadership.state).toBe('leading');
  });

  it('onSuspect continue-fenced: assertHeld passes, until the deadline', async () => {
    const leadership = await lead(world, client, { onSuspect: 'continue-fenced' });
    isolate();
    await world.advance(TTL * 0.7);
    expect(leadership.state).toBe('suspect');
    leadership.assertHeld();
    expect(codeOf(() => leadership.assertHeld(8_000))).toBe('LEADERSHIP_SUSPECT');
    await world.advance(TTL * 0.3);
    expect(codeOf(() => leadership.assertHeld())).toBe('LEADERSHIP_LOST');
  });

  it('onSuspect abort: doubt is loss', async () => {
    const leadership = await lead(world, client, { onSuspect: 'abort' });
    isolate();
    await world.advance(TTL / 2);
    expect(leadership.signal.reason).toMatchObject({ reason: 'suspect' });
    expect(leadership.state).toBe('lost');
  });

  it('ends at once when the server marks it as ending, and lets the successor in', async () => {
    const leadership = await lead(world, client);
    cluster.state.markEnding('e');
    cluster.publish();
    await world.advance(5);
    expect(leadership.signal.reason).toMatchObject({ reason: 'revoked' });
    // Not under running work: the acknowledgement is the caller's resignation.
    expect(leader()?.holder).toBe(leadership.holder);
    await resign(leadership);
    expect(leader()).toBeUndefined();
  });

  it.each(['ending', 'gone'] as const)(
    'ends when a renewal finds it %s, without any push',
    async (how) => {
      const leadership = await lead(world, client);
      for (const connection of cluster.node(1).connections) connection.watches.clear();
      const election = cluster.state.elections.get('e');
      if (election?.leader !== undefined) {
        election.leader = how === 'gone' ? undefined : { ...election.leader, ending: true };
      }
      await world.advance(2_800);
      expect(leadership.signal.reason).toMatchObject({ reason: 'revoked' });
    },
  );

  it('outlives a renewal that was applied before its grant and names none', async () => {
    const other = await cluster.connect({ to: [1] });
    const first = await lead(world, other, { candidate: 'other' });
    const campaigning = client.election('e').campaign({ candidate: 'b', ttlMs: 6_000 });
    const waiting = watchOutcome(campaigning);
    await world.advance(20);
    // The renewal is applied while it still waits; its answer is held back past the grant.
    const late: (() => void)[] = [];
    cluster.node(1).script = (request, usual, connection) => {
      const body = usual();
      const renewal = request.type === 'command' && request.logged.command.type === 'lease-renew';
      if (!renewal) return body;
      late.push(() => connection.reply(request.requestId, body));
      return undefined;
    };
    await world.advance(1_700);
    cluster.node(1).script = undefined;
    expect(late.length).toBeGreaterThan(0);
    const resigning = watchOutcome(first.resign());
    await world.advance(10);
    valueOf(resigning);
    const leadership = valueOf(waiting);
    for (const answer of late) answer();
    await world.advance(10);
    expect(leadership.state).toBe('leading');
    await world.advance(20_000);
    expect(leadership.state).toBe('leading');
  });

  it('ends when a renewal built before its grant was known finds it ending', async () => {
    const late: (() => void)[] = [];
    cluster.node(1).script = (request, usual, connection) => {
      const body = usual();
      const type = request.type === 'command' ? request.logged.command.type : undefined;
      if (type !== 'campaign' && type !== 'lease-renew') return body;
      late.push(() => connection.reply(request.requestId, body));
      return undefined;
    };
    const waiting = watchOutcome(client.election('e').campaign({ candidate: 'b', ttlMs: 4_000 }));
    await world.advance(100);
    const election = cluster.state.elections.get('e');
    if (election?.leader !== undefined) election.leader = { ...election.leader, ending: true };
    await world.advance(1_050);
    cluster.node(1).script = undefined;
    expect(late.length).toBeGreaterThan(1);
    for (const answer of late) answer();
    await world.advance(10);
    expect(valueOf(waiting).signal.reason).toMatchObject({ reason: 'revoked' });
  });

  it('ends when a guarded write is refused: grants never come back', async () => {
    const leadership = await lead(world, client);
    const put = watchOutcome(leadership.guard.put('cursor', '1'));
    await world.advance(5);
    expect(valueOf(put).version).toBe(1);
    const election = cluster.state.elections.get('e');
    if (election !== undefined) election.leader = undefined;
    const refused = watchOutcome(leadership.guard.put('cursor', '2'));
    await world.advance(5);
    expect(errorOf(refused)).toMatchObject({ code: 'FENCED', class: 'rejected', retryable: false });
    expect(leadership.signal.reason).toMatchObject({ reason: 'fenced' });
  });

  it('rule 15, K-068: once lost its guard and its token are dead for ever', async () => {
    const leadership = await lead(world, client);
    world.block(TTL);
    const queued = watchOutcome(leadership.guard.put('cursor', '1'));
    await world.advance(10);
    expect(errorOf(queued)).toMatchObject({ code: 'LEADERSHIP_LOST', reason: 'expired' });
    expect(cluster.commands('put')).toHaveLength(0);
    cluster.state.endLease(leadership.lease, 'lease-expired');
    const again = await lead(world, client);
    expect(leadership.held).toBe(false);
    expect(again.token).toBeGreaterThan(leadership.token);
  });

  it('resigns: here at once, in the cluster when it resolves; repeating it is harmless', async () => {
    const leadership = await lead(world, client);
    const resigning = watchOutcome(leadership.resign());
    expect(leadership.held).toBe(false);
    expect(leadership.state).toBe('resigning');
    expect(leadership.signal.reason).toMatchObject({ reason: 'resigned' });
    await world.advance(10);
    valueOf(resigning);
    expect(leadership.state).toBe('resigned');
    expect(leader()).toBeUndefined();
    await resign(leadership);
    expect(cluster.commands('withdraw')).toHaveLength(1);
    await world.advance(10);
    expect(cluster.state.leases.size).toBe(0);
  });

  it('K-069, K-070, K-073: keeps resigning until confirmed, and never leads meanwhile', async () => {
    const leadership = await lead(world, client);
    cluster.leader = undefined;
    const failing = watchOutcome(leadership.resign());
    await world.advance(3_100);
    expect(errorOf(failing).code).toMatch(/UNAVAILABLE|OUTCOME_UNKNOWN/);
    expect(leadership.state).toBe('resigning');
    expect(leadership.held).toBe(false);
    cluster.elect(2);
    const again = watchOutcome(leadership.resign());
    await world.advance(2_000);
    valueOf(again);
    expect(leadership.state).toBe('resigned');
    expect(leader()).toBeUndefined();
  });

  it('K-074, K-075: resigns also when the signal it campaigned with has aborted', async () => {
    const stop = new AbortController();
    const leadership = await lead(world, client, { signal: stop.signal });
    stop.abort(new Error('SIGTERM'));
    expect(leadership.held).toBe(false);
    expect(leadership.signal.reason).toMatchObject({
      reason: 'aborted',
      cause: new Error('SIGTERM'),
    });
    await resign(leadership);
    expect(leader()).toBeUndefined();
  });

  it('K-076: resigning a lost one returns at once and is not an error', async () => {
    const leadership = await lead(world, client);
    isolate();
    await world.advance(TTL);
    const resigning = watchOutcome(leadership.resign());
    await world.settle();
    expect(resigning.now.state).toBe('resolved');
    expect(leadership.state).toBe('lost');
  });

  it('an old owner that resigns after a successor won changes nothing', async () => {
    const leadership = await lead(world, client);
    world.block(TTL);
    expect(leadership.held).toBe(false);
    cluster.state.endLease(leadership.lease, 'lease-expired');
    const other = await cluster.connect({ to: [1] });
    const successor = await lead(world, other, { candidate: 'b' });
    await resign(leadership);
    await world.advance(100);
    expect(leader()?.holder).toBe(successor.holder);
    expect(successor.held).toBe(true);
  });

  it('K-061: lost here, is not renewed any more', async () => {
    const leadership = await lead(world, client);
    world.wallOffsetMs += 3_600_000;
    expect(leadership.held).toBe(false);
    await world.advance(30_000);
    expect(cluster.commands('lease-renew')).toHaveLength(0);
  });

  it('held when its client closes, is lost and left to expire: never released under work', async () => {
    const leadership = await lead(world, client);
    const closed = watchOutcome(client.close());
    await world.advance(50);
    valueOf(closed);
    expect(leadership.signal.reason).toMatchObject({ reason: 'closed' });
    expect(leader()?.holder).toBe(leadership.holder);
  });

  it('tells of every move of its deadline and its state', async () => {
    const leadership = await lead(world, client);
    const seen: string[] = [];
    const stop = leadership.onChange(() => seen.push(leadership.state));
    await world.advance(2_800);
    expect(seen).toEqual(['leading']);
    isolate();
    await world.advance(TTL);
    expect(seen.at(-1)).toBe('lost');
    expect(seen).toContain('suspect');
    stop();
  });

  it('leaves no timer behind', async () => {
    const leadership = await lead(world, client);
    await resign(leadership);
    await world.advance(3_000);
    expect(world.liveTimers.ref).toBe(0);
  });
});
