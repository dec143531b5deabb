import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { ElectionView } from '../src/observe.js';
import type { Subscription } from '../src/subscription.js';
import { FakeCluster } from './harness/cluster.js';
import { lead } from './harness/lead.js';
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

async function next(views: Subscription<ElectionView>): Promise<string> {
  const outcome = watchOutcome(views.next());
  await world.advance(1_000);
  const view = valueOf(outcome).value;
  return view === undefined ? 'done' : `${view.leader?.candidate ?? 'vacant'} ${view.token ?? '-'}`;
}

const end = (lease: string): void => {
  cluster.state.endLease(lease, 'lease-expired');
  cluster.publish();
};

describe('an observer', () => {
  it('K-035: hears at once that nobody ever led', async () => {
    expect(await next(client.election('e').observe())).toBe('vacant -');
  });

  it('hears at once who leads', async () => {
    await lead(world, other);
    expect(await next(client.election('e').observe())).toBe('a 101');
  });

  it('K-042, C14: hears every hand-over and every vacancy, in token order', async () => {
    const views = client.election('e').observe();
    const first = await lead(world, other);
    const waiting = watchOutcome(other.election('e').campaign({ candidate: 'b' }));
    await world.advance(20);
    end(first.lease);
    await world.advance(20);
    end(valueOf(waiting).lease);
    expect([await next(views), await next(views), await next(views), await next(views)]).toEqual([
      'vacant -',
      'a 101',
      'b 102',
      'vacant -',
    ]);
  });

  it('K-034: cut off, hears what it missed in order and ends with what holds', async () => {
    const views = client.election('e').observe();
    expect(await next(views)).toBe('vacant -');
    cluster.node(1).connections[0]?.break('cut');
    const first = await lead(world, other, { candidate: 'x' });
    end(first.lease);
    await world.advance(5);
    await lead(world, other, { candidate: 'y' });
    expect([await next(views), await next(views), await next(views)]).toEqual([
      'x 101',
      'vacant -',
      'y 102',
    ]);
  });

  it('K-041: takes a fresh snapshot where the window has moved on', async () => {
    const views = client.election('e').observe();
    expect(await next(views)).toBe('vacant -');
    await lead(world, other);
    expect(await next(views)).toBe('a 101');
    cluster.node(1).connections[0]?.break('cut');
    const [lease] = [...cluster.state.leases.keys()];
    cluster.state.endLease(lease ?? '', 'lease-expired');
    cluster.state.compactedBelow = 1_000;
    expect(await next(views)).toBe('vacant -');
  });

  it('tells that a grant is ending', async () => {
    await lead(world, other);
    const views = client.election('e').observe();
    await next(views);
    cluster.state.markEnding('e');
    cluster.publish();
    const outcome = watchOutcome(views.next());
    await world.advance(10);
    expect(valueOf(outcome).value?.leader?.ending).toBe(true);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const views = client.election('e').observe({ signal: stop.signal });
    await next(views);
    const waiting = watchOutcome(views.next());
    stop.abort();
    await world.settle();
    expect(waiting.now).toEqual({ state: 'rejected', error: stop.signal.reason });
  });

  it('is told that no snapshot could be had', async () => {
    cluster.leader = undefined;
    const views = client.election('e').observe();
    const outcome = watchOutcome(views.next());
    await world.advance(10_100);
    expect(errorOf(outcome).code).toBe('UNAVAILABLE');
  });
});
