import type { ByteString, ChangeEvent, Revision } from '@raftd/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { Subscription } from '../src/subscription.js';
import type { WatchEvent } from '../src/watch.js';
import { FakeCluster } from './harness/cluster.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;
let client: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1], silenceMs: 1_000 });
});

async function put(key: string): Promise<void> {
  const putting = watchOutcome(client.put(key, 'v'));
  await world.advance(1_000);
  valueOf(putting);
}

async function read(watch: Subscription<WatchEvent>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const next = watchOutcome(watch.next());
    await world.advance(50);
    const event = valueOf(next).value;
    if (event === undefined) break;
    const key = event.type === 'put' ? event.record.keyText : event.keyText;
    seen.push(`${event.revision} ${event.type} ${key}`);
  }
  return seen;
}

const putEvent = (key: string, revision: number): ChangeEvent => ({
  type: 'put',
  record: {
    key: key as ByteString,
    value: new Uint8Array(),
    createRevision: revision as Revision,
    modRevision: revision as Revision,
    version: 1,
    lease: undefined,
  },
});

describe('a watch', () => {
  it('tells every change in its scope from the next one on', async () => {
    await put('a/0');
    const watch = client.watch({ prefix: 'a/' });
    await world.advance(5);
    await put('a/1');
    await put('b/1');
    await put('a/2');
    expect(await read(watch, 2)).toEqual(['2 put a/1', '4 put a/2']);
  });

  it('tells once from which revision on it stands, over all reconnects', async () => {
    await put('a');
    const opened: number[] = [];
    const watch = client.watch({ prefix: '' }, { onOpened: (from) => opened.push(from) });
    await world.advance(5);
    expect(opened).toEqual([2]);
    cluster.elect(2);
    cluster.node(1).kill();
    await put('b');
    expect(await read(watch, 1)).toEqual(['2 put b']);
    expect(opened).toEqual([2]);
  });

  it('begins where it is told to', async () => {
    await put('a');
    await put('b');
    await put('a');
    const watch = client.watch({ key: 'a' }, { fromRevision: 1 });
    expect(await read(watch, 2)).toEqual(['1 put a', '3 put a']);
  });

  it('C13: resumes by revision at another node: nothing is lost, nothing told twice', async () => {
    const watch = client.watch({ prefix: '' });
    await world.advance(5);
    await put('a');
    expect(await read(watch, 1)).toEqual(['1 put a']);
    cluster.elect(2);
    cluster.node(1).kill();
    await put('b');
    await put('c');
    expect(await read(watch, 2)).toEqual(['2 put b', '3 put c']);
  });

  it('resumes after a node ended it, from the revision after the last one told', async () => {
    const watch = client.watch({ prefix: '' });
    await world.advance(5);
    await put('a');
    const [connection] = cluster.node(1).connections;
    connection?.endWatches({ code: 'WATCH_INTERRUPTED', message: 'no leader', details: {} });
    await world.advance(500);
    // Not at the node that is cut off from its leader, but at another one.
    expect(cluster.node(1).connections.every(({ watches }) => watches.size === 0)).toBe(true);
    await put('b');
    expect(await read(watch, 2)).toEqual(['1 put a', '2 put b']);
    const watches = cluster.received.flatMap(({ request }) =>
      request.type === 'watch' ? [request.fromRevision] : [],
    );
    expect(watches).toEqual([undefined, 2]);
  });

  it('K-036, K-041: ends with COMPACTED where the window has moved on, it never jumps', async () => {
    const watch = client.watch({ prefix: '' });
    await world.advance(5);
    await put('a');
    await read(watch, 1);
    cluster.node(1).dropConnections();
    cluster.state.compactedBelow = 10;
    const next = watchOutcome(watch.next());
    await world.advance(1_000);
    expect(errorOf(next)).toMatchObject({ code: 'COMPACTED', details: { revision: 10 } });
    const after = watchOutcome(watch.next());
    await world.settle();
    expect(valueOf(after).done).toBe(true);
  });

  it('delivers a revision that spans frames whole, and forgets half a one at a break', async () => {
    const watch = client.watch({ prefix: '' }, { fromRevision: 5 });
    await world.advance(5);
    const half = [{ revision: 5, events: [putEvent('a', 5)], more: true }];
    cluster.node(1).connections[0]?.sendEvents(1, half);
    await world.advance(5);
    const next = watchOutcome(watch.next());
    await world.advance(5);
    expect(next.now.state).toBe('pending');
    cluster.node(1).dropConnections();
    await world.advance(1_000);
    const whole = [
      { revision: 5, events: [putEvent('a', 5)], more: true },
      { revision: 5, events: [putEvent('b', 5)], more: false },
    ];
    const connections = cluster.nodes.flatMap((node) => node.connections);
    connections.find(({ watches }) => watches.size > 0)?.sendEvents(2, whole);
    await world.advance(5);
    expect(valueOf(next).value).toMatchObject({ revision: 5, last: false });
    expect(await read(watch, 1)).toEqual(['5 put b']);
  });

  it('K-038, K-043: hears nothing below its start, and nothing of an older opening', async () => {
    const watch = client.watch({ prefix: '' }, { fromRevision: 5 });
    await world.advance(5);
    const [connection] = cluster.node(1).connections;
    connection?.sendEvents(1, [{ revision: 4, events: [putEvent('old', 4)], more: false }]);
    connection?.sendEvents(99, [{ revision: 5, events: [putEvent('other', 5)], more: false }]);
    connection?.sendEvents(1, [{ revision: 6, events: [putEvent('new', 6)], more: false }]);
    expect(await read(watch, 1)).toEqual(['6 put new']);
  });

  it('pauses at the node while its reader is behind, and loses nothing', async () => {
    const watch = client.watch({ prefix: '' });
    await world.advance(5);
    const puts = Array.from({ length: 1_500 }, (_, n) => watchOutcome(client.put(`k${n}`, 'v')));
    await world.advance(100);
    expect(puts.every(({ now }) => now.state === 'resolved')).toBe(true);
    const unwatched = cluster.received.some(({ request }) => request.type === 'unwatch');
    expect(unwatched).toBe(true);
    const seen = await read(watch, 1_500);
    expect(seen.map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: 1_500 }, (_, n) => n + 1),
    );
  });

  it('finds out by itself that an idle connection is dead', async () => {
    const watch = client.watch({ prefix: '' });
    await world.advance(5);
    cluster.node(1).frozen = true;
    cluster.elect(2);
    cluster.state.history.push({ revision: 1 as Revision, events: [putEvent('a', 1)] });
    cluster.state.revision = 1;
    const next = watchOutcome(watch.next());
    await world.advance(10_000);
    expect(valueOf(next).value).toMatchObject({ revision: 1 });
  });

  // Storm seed 0x74b87deb: it stood still for ever.
  it('goes elsewhere when a connection falls silent that is used no more but for it', async () => {
    const first = client.watch({ prefix: '' });
    const second = client.watch({ prefix: '' });
    await world.advance(5);
    const [connection] = cluster.node(1).connections;
    const [one] = connection?.watches.keys() ?? [];
    connection?.endWatch(one ?? 0, { code: 'WATCH_INTERRUPTED', message: 'end', details: {} });
    await world.advance(500);
    cluster.node(1).frozen = true;
    cluster.elect(2);
    cluster.state.history.push({ revision: 1 as Revision, events: [putEvent('a', 1)] });
    cluster.state.revision = 1;
    const shown = [watchOutcome(first.next()), watchOutcome(second.next())];
    await world.advance(10_000);
    for (const next of shown) expect(valueOf(next).value).toMatchObject({ revision: 1 });
  });

  it('ends with the reason of its signal, with its client, and when it is left', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const aborted = client.watch({ key: 'a' }, { signal: stop.signal });
    const waiting = watchOutcome(aborted.next());
    stop.abort(reason);
    await world.settle();
    expect(waiting.now).toEqual({ state: 'rejected', error: reason });

    const left = client.watch({ key: 'a' });
    const pending = watchOutcome(left.next());
    const returned = watchOutcome(left.return());
    await world.advance(5);
    expect(valueOf(returned).done).toBe(true);
    expect(valueOf(pending).done).toBe(true);

    const open = client.watch({ key: 'a' });
    const last = watchOutcome(open.next());
    const closed = watchOutcome(client.close());
    await world.advance(50);
    valueOf(closed);
    expect(valueOf(last).done).toBe(true);
    expect(() => client.watch({ key: 'a' })).toThrow(/closed/);
  });

  it.each([0, -1, 1.5])('K-040: is refused with a start revision of %s', (fromRevision) => {
    expect(() => client.watch({ key: 'a' }, { fromRevision })).toThrow(/fromRevision/);
  });
});
