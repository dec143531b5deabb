import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { Leadership } from '../src/leadership.js';
import type { RunBody, RunOptions } from '../src/run.js';
import { FakeCluster } from './harness/cluster.js';
import { TTL } from './harness/lead.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;
let client: Client;
let stop: AbortController;
let log: string[];

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1], silenceMs: 1_000 });
  stop = new AbortController();
  log = [];
});

const leader = () => cluster.state.elections.get('e')?.leader;

function run(body: RunBody, options: Partial<RunOptions> = {}) {
  const all = { candidate: 'a', ttlMs: TTL, signal: stop.signal, ...options };
  return watchOutcome(client.election('e').run(all, body));
}

/** Works until told to stop, and notes by token when it began and ended. */
const work: RunBody = async (leadership) => {
  log.push(`start ${leadership.token}`);
  await aborted(leadership);
  log.push(`stop ${leadership.token}`);
};

function aborted({ signal }: Leadership): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function evict(): void {
  const record = leader();
  if (record !== undefined) cluster.state.endLease(record.lease, 'lease-revoked');
  cluster.publish();
}

describe('run', () => {
  it('campaigns again after a loss, with a new token, until its signal aborts', async () => {
    const running = run(work);
    await world.advance(20);
    evict();
    await world.advance(100);
    expect(log).toEqual(['start 101', 'stop 101', 'start 102']);
    stop.abort();
    await world.advance(50);
    valueOf(running);
    expect(log).toEqual(['start 101', 'stop 101', 'start 102', 'stop 102']);
    expect(leader()).toBeUndefined();
  });

  it('goes on campaigning through an outage of the whole cluster', async () => {
    const running = run(work);
    await world.advance(20);
    for (const node of cluster.nodes) node.kill();
    await world.advance(60_000);
    expect(running.now.state).toBe('pending');
    expect(log).toEqual(['start 101', 'stop 101']);
    for (const lease of [...cluster.state.leases.keys()])
      cluster.state.endLease(lease, 'lease-expired');
    for (const node of cluster.nodes) node.down = false;
    await world.advance(15_000);
    expect(log.at(-1)).toMatch(/^start/);
  });

  it('C17, K-071: a candidate that never led starts nothing and stops nothing', async () => {
    const other = await cluster.connect({ to: [1] });
    const campaigning = watchOutcome(
      other.election('e').campaign({ candidate: 'other', ttlMs: TTL }),
    );
    await world.advance(20);
    valueOf(campaigning);
    const running = run(work);
    await world.advance(1_000);
    stop.abort();
    await world.advance(20);
    valueOf(running);
    expect(log).toEqual([]);
    expect(cluster.state.elections.get('e')?.queue).toEqual([]);
  });

  it('rule 7: on loss the state changes, then the signal, then the body ends, then it releases', async () => {
    run(async (leadership) => {
      await new Promise<void>((resolve) => {
        leadership.signal.addEventListener('abort', () => {
          log.push(`signal, state ${leadership.state}`);
          world.after(500, () => {
            log.push(`body ends, withdrawn ${cluster.commands('withdraw').length}`);
            resolve();
          });
        });
      });
    });
    await world.advance(20);
    cluster.state.markEnding('e');
    cluster.publish();
    await world.advance(400);
    // Ended by somebody else: its successor waits for this acknowledgement or the expiry.
    expect(cluster.commands('withdraw')).toHaveLength(0);
    await world.advance(200);
    expect(log.slice(0, 2)).toEqual(['signal, state lost', 'body ends, withdrawn 0']);
    expect(cluster.commands('withdraw')).toHaveLength(1);
  });

  it('keeps the lease while the body settles after an abort, and releases only then', async () => {
    const running = run(async (leadership) => {
      await aborted(leadership);
      log.push(leadership.state);
      await new Promise<void>((resolve) => world.after(15_000, resolve));
      log.push(`still ours: ${leader()?.holder === leadership.holder}`);
    });
    await world.advance(20);
    stop.abort();
    await world.advance(14_000);
    expect(cluster.commands('lease-renew').length).toBeGreaterThan(4);
    expect(leader()).toBeDefined();
    await world.advance(2_000);
    valueOf(running);
    expect(log).toEqual(['resigning', 'still ours: true']);
    expect(leader()).toBeUndefined();
  });

  it("rejects with the body's own error, unmasked, after resigning", async () => {
    const own = new Error('the ledger is gone');
    const running = run(() => Promise.reject(own));
    await world.advance(50);
    expect(running.now).toEqual({ state: 'rejected', error: own });
    expect(leader()).toBeUndefined();
  });

  it("rejects with the body's own error also when leadership was lost meanwhile", async () => {
    const own = new Error('the ledger is gone');
    const running = run(async (leadership) => {
      await aborted(leadership);
      throw own;
    });
    await world.advance(20);
    evict();
    await world.advance(50);
    expect(running.now).toEqual({ state: 'rejected', error: own });
  });

  it.each(['assertHeld', 'throwIfAborted', 'AbortError'])(
    'takes a body that ends by %s after a loss for ended by the loss',
    async (how) => {
      run(async (leadership) => {
        log.push(`start ${leadership.token}`);
        await aborted(leadership);
        if (how === 'assertHeld') leadership.assertHeld();
        leadership.signal.throwIfAborted();
      });
      await world.advance(20);
      evict();
      await world.advance(100);
      expect(log).toEqual(['start 101', 'start 102']);
    },
  );

  it('campaigns again when the body gave up because of doubt', async () => {
    let bodies = 0;
    run(async (leadership) => {
      bodies += 1;
      if (bodies > 1) return aborted(leadership);
      cluster.node(1).script = (request, usual) =>
        request.type === 'command' ? undefined : usual();
      await new Promise<void>((resolve) => world.after(TTL / 2, resolve));
      cluster.node(1).script = undefined;
      leadership.assertHeld();
    });
    await world.advance(30_000);
    expect(bodies).toBe(2);
  });

  it('resolves when the body returns while leading: its work is done', async () => {
    const running = run(() => undefined);
    await world.advance(50);
    valueOf(running);
    expect(leader()).toBeUndefined();
  });

  it('leaves leadership to expire when the body ignores the abort, and says so', async () => {
    const running = run(() => new Promise(() => undefined), { stuckAfterMs: 5_000 });
    await world.advance(20);
    cluster.state.markEnding('e');
    cluster.publish();
    await world.advance(4_900);
    expect(running.now.state).toBe('pending');
    await world.advance(200);
    expect(errorOf(running)).toMatchObject({ code: 'LEADERSHIP_LOST', reason: 'stuck' });
    await world.advance(10_000);
    expect(cluster.commands('withdraw')).toHaveLength(0);
  });

  it('K-074: its release has a deadline of its own, whatever signal was aborted', async () => {
    run(work);
    await world.advance(20);
    stop.abort(new Error('SIGTERM'));
    await world.advance(20);
    expect(cluster.commands('withdraw')).toHaveLength(1);
    expect(leader()).toBeUndefined();
  });

  it('ends with its client: the body settles, leadership is released, then it closes', async () => {
    const running = run(async (leadership) => {
      await aborted(leadership);
      await new Promise<void>((resolve) => world.after(1_000, resolve));
      log.push('settled');
    });
    await world.advance(20);
    const closed = watchOutcome(client.close());
    await world.advance(900);
    expect(closed.now.state).toBe('pending');
    await world.advance(200);
    valueOf(closed);
    expect(log).toEqual(['settled']);
    expect(leader()).toBeUndefined();
    expect(errorOf(running).code).toBe('CLIENT_CLOSED');
  });

  it('is refused at once with options that can never work', async () => {
    const running = run(work, { candidate: '' });
    await world.settle();
    expect(errorOf(running).class).toBe('invalid');
  });
});
