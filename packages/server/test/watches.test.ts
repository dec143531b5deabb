import {
  type ChangeEvent,
  type Changes,
  type ErrorBody,
  type Revision,
  utf8ByteString,
  type WatchTarget,
} from '@raftd/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../src/index.js';
import { type Watch, type WatchedChanges, Watches, type WatchOwner } from '../src/watches.js';
import { stamp, TestCluster } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

class Owner implements WatchOwner {
  readonly watches: Map<number, Watch> = new Map();
  readonly frames: { readonly watchId: number; readonly changes: readonly WatchedChanges[] }[] = [];
  readonly ended = new Map<number, ErrorBody>();
  buffered = 0;

  sendEvents(watchId: number, changes: readonly WatchedChanges[]): void {
    this.frames.push({ watchId, changes });
  }

  sendWatchEnded(watchId: number, error: ErrorBody): void {
    this.ended.set(watchId, error);
  }

  bufferedBytes(): number {
    return this.buffered;
  }

  revisions(watchId: number): readonly number[] {
    return this.frames
      .filter((frame) => frame.watchId === watchId)
      .flatMap((frame) => frame.changes.map((changes) => changes.revision));
  }
}

const EVERYTHING: WatchTarget = { type: 'range', start: utf8ByteString(''), end: undefined };

function range(start: string, end: string): WatchTarget {
  return { type: 'range', start: utf8ByteString(start), end: utf8ByteString(end) };
}

let watches: Watches;
let owner: Owner;
let revision: number;

function start(limits: Partial<ServerLimits> = {}): void {
  watches = new Watches({ ...DEFAULT_SERVER_LIMITS, ...limits });
  owner = new Owner();
  revision = 0;
}

beforeEach(() => start());

function put(key: string, bytes = 1): ChangeEvent {
  const record = { key, value: new Uint8Array(bytes), version: 1, lease: undefined };
  return { type: 'put', record: { ...record, createRevision: 1, modRevision: 1 } } as ChangeEvent;
}

function queued(election: string, campaignId: string): ChangeEvent {
  return { type: 'queued', election, campaignId, candidate: 'c' } as ChangeEvent;
}

function publish(...events: readonly ChangeEvent[]): void {
  revision += 1;
  watches.publish({ revision: revision as Changes['revision'], events });
}

function watch(watchId: number, target: WatchTarget, from?: number): unknown {
  return watches.subscribe(owner, watchId, target, from as Revision | undefined);
}

function flushAll(): void {
  while (watches.flush());
}

describe('a watch', () => {
  test('stands from the next revision and gets every one in order, a frame a turn', () => {
    publish(put('a'));
    expect(watch(1, EVERYTHING)).toEqual({ revision: 2 });
    publish(put('a'));
    publish(put('b'));
    flushAll();
    expect(owner.frames).toHaveLength(1);
    expect(owner.revisions(1)).toEqual([2, 3]);
  });

  test('resumes from a revision in the past without a gap into what follows', () => {
    for (let at = 0; at < 2_500; at += 1) publish(put('a'));
    watch(1, EVERYTHING, 500);
    watches.flush();
    publish(put('a'));
    flushAll();
    publish(put('a'));
    flushAll();
    expect(owner.revisions(1)).toEqual(Array.from({ length: 2_003 }, (_, at) => 500 + at));
  });

  test('below the window is refused with the lowest revision that is left (K-036)', () => {
    start({ windowEventsMax: 10 });
    for (let at = 0; at < 25; at += 1) publish(put('a'));
    const refused = { code: 'COMPACTED', details: { revision: 16 } };
    expect(watch(1, EVERYTHING, 15)).toMatchObject(refused);
    expect(watch(2, EVERYTHING, 16)).toEqual({ revision: 16 });
    flushAll();
    expect(owner.revisions(2)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  });

  test('that falls behind the window while it catches up ends: COMPACTED, never a gap', () => {
    start({ windowEventsMax: 10 });
    for (let at = 0; at < 10; at += 1) publish(put('a'));
    owner.buffered = DEFAULT_SERVER_LIMITS.frameBytesTarget + 1;
    watch(1, EVERYTHING, 1);
    flushAll();
    for (let at = 0; at < 5; at += 1) publish(put('a'));
    owner.buffered = 0;
    flushAll();
    expect(owner.revisions(1)).toEqual([]);
    expect(owner.ended.get(1)).toMatchObject({ code: 'COMPACTED', details: { revision: 6 } });
  });

  test('at a node behind its revision gets nothing below it (K-038, K-043)', () => {
    for (let at = 0; at < 180; at += 1) publish(put('a'));
    expect(watch(1, EVERYTHING, 191)).toEqual({ revision: 191 });
    for (let at = 180; at < 192; at += 1) publish(put('a'));
    flushAll();
    expect(owner.revisions(1)).toEqual([191, 192]);
  });

  test('gets the events of its target only', () => {
    watch(1, range('a', 'b'));
    watch(2, range('k', 'k\0'));
    watch(3, { type: 'election', election: 'e' });
    watch(4, { type: 'campaign', election: 'e', campaignId: 'c2' });
    watch(5, { type: 'campaign', election: 'other', campaignId: 'c2' });
    publish(put('a1'), put('b'), put('k'), put('kk'));
    publish(queued('e', 'c1'));
    publish(queued('e', 'c2'));
    publish(queued('f', 'c3'));
    flushAll();
    expect(owner.revisions(1)).toEqual([1]);
    expect(owner.revisions(2)).toEqual([1]);
    expect(owner.revisions(3)).toEqual([2, 3]);
    expect(owner.revisions(4)).toEqual([3]);
    expect(owner.revisions(5)).toEqual([]);
    expect(owner.frames[0]?.changes[0]?.events).toHaveLength(1);
  });

  test('gets the same events by the index as by looking at every event', () => {
    const targets: readonly WatchTarget[] = [
      EVERYTHING,
      range('k', 'k\0'),
      range('k1', 'k3'),
      { type: 'election', election: 'e1' },
      { type: 'campaign', election: 'e2', campaignId: 'c2' },
    ];
    const live = new Owner();
    for (const [at, target] of targets.entries()) watches.subscribe(live, at, target, undefined);
    for (let at = 0; at < 50; at += 1) {
      publish(put(`k${at % 5 === 0 ? '' : at % 5}`), queued(`e${at % 3}`, `c${at % 3}`));
      if (at % 7 === 0) flushAll();
    }
    for (const [at, target] of targets.entries()) watch(at, target, 1);
    flushAll();
    const changes = (of: Owner, watchId: number): unknown =>
      of.frames.filter((frame) => frame.watchId === watchId).flatMap((frame) => frame.changes);
    for (const at of targets.keys()) expect(changes(owner, at)).toEqual(changes(live, at));
  });

  test('gets a revision too big for one frame in parts that say so', () => {
    start({ frameBytesTarget: 1_000 });
    watch(1, EVERYTHING);
    publish(...Array.from({ length: 10 }, (_, at) => put(`k${at}`, 300)));
    publish(put('after'));
    flushAll();
    const parts = owner.frames.flatMap((frame) => frame.changes);
    expect(parts.slice(0, -1).map((part) => part.more)).toEqual([true, true, true, true, false]);
    expect(parts.flatMap((part) => part.events)).toHaveLength(11);
    expect(parts.at(-1)).toMatchObject({ revision: 2, more: false });
    expect(owner.frames.length).toBeGreaterThanOrEqual(4);
  });

  test('of a client that does not read ends, and can be resumed', () => {
    watch(1, EVERYTHING);
    owner.buffered = DEFAULT_SERVER_LIMITS.watchBufferedBytesMax + 1;
    publish(put('a'));
    flushAll();
    expect(owner.ended.get(1)?.code).toBe('SLOW_CONSUMER');
    owner.buffered = 0;
    watch(1, EVERYTHING, 1);
    flushAll();
    expect(owner.revisions(1)).toEqual([1]);
  });

  test('under an id that stands already on its connection is refused', () => {
    watch(1, EVERYTHING);
    expect(watch(1, EVERYTHING)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('gets nothing after it was ended', () => {
    watch(1, EVERYTHING);
    publish(put('a'));
    const standing = owner.watches.get(1);
    if (standing !== undefined) watches.unsubscribe(standing);
    publish(put('a'));
    flushAll();
    expect(owner.frames).toEqual([]);
    expect(watches.count).toBe(0);
  });

  test.each([
    { limit: 'watchesPerConnectionMax' as const },
    { limit: 'watchesMax' as const },
    { limit: 'rangeWatchesMax' as const },
  ])('beyond $limit is refused', ({ limit }) => {
    start({ [limit]: 1 });
    expect(watch(1, EVERYTHING)).toHaveProperty('revision');
    expect(watch(2, EVERYTHING)).toMatchObject({ code: 'TOO_MANY_WATCHES', details: { limit: 1 } });
  });
});

describe('a watch of a node', () => {
  test('follows what is written anywhere, and is resumed after a restart', () => {
    const time = new VirtualTime();
    const cluster = new TestCluster(time, 3);
    const leader = cluster.start();
    const [follower] = cluster.others(leader);
    if (follower === undefined) throw new Error('no follower');
    const client = cluster.client(follower);
    const request = { type: 'watch', watchId: 7, target: EVERYTHING } as const;
    client.send({ ...request, fromRevision: undefined });
    for (let sequence = 1; sequence <= 3; sequence += 1) {
      cluster.client(leader).put('a', stamp(sequence));
    }
    time.advance(100);
    expect(client.revisions(7)).toEqual([1, 2, 3]);
    follower.server.stop(() => undefined);
    const restarted = cluster.startNode(follower.id, {}, follower.disk);
    time.advance(100);
    const resumed = cluster.client(restarted);
    resumed.send({ ...request, fromRevision: 2 as Revision });
    time.advance(10);
    expect(resumed.revisions(7)).toEqual([2, 3]);
  });

  test('ends, resumable, once the node has had no leader for two election time-outs', () => {
    const time = new VirtualTime();
    const cluster = new TestCluster(time, 3);
    const leader = cluster.start();
    const client = cluster.client(leader);
    const request = { type: 'watch', target: EVERYTHING, fromRevision: undefined } as const;
    client.send({ ...request, watchId: 7 });
    cluster.isolate(leader.id);
    time.advance(2_000);
    expect(client.watchEnd(7)?.code).toBe('WATCH_INTERRUPTED');
    const [refused] = client.send({ ...request, watchId: 8 });
    time.settle();
    expect(client.errorTo(refused ?? 0)?.code).toBe('WATCH_INTERRUPTED');
  });

  test('ends, resumable, at a node that hears its leader and is not heard by it', () => {
    const time = new VirtualTime();
    const cluster = new TestCluster(time, 3);
    const leader = cluster.start();
    const [mute] = cluster.others(leader);
    if (mute === undefined) throw new Error('no follower');
    const client = cluster.client(mute);
    const request = { type: 'watch', target: EVERYTHING, fromRevision: undefined } as const;
    client.send({ ...request, watchId: 7 });
    time.settle();
    cluster.mute(mute.id);
    // More than is sent ahead of acknowledgements.
    for (let sequence = 1; sequence <= 300; sequence += 1) {
      cluster.client(leader).put('a', stamp(sequence));
      time.advance(10);
    }
    time.advance(2_000);
    expect(mute.server.status().leader?.id).toBe(leader.id);
    expect(client.watchEnd(7)?.code).toBe('WATCH_INTERRUPTED');
    const seen = client.revisions(7).length;
    const [refused] = client.send({ ...request, watchId: 8, fromRevision: (seen + 1) as Revision });
    time.settle();
    expect(client.errorTo(refused ?? 0)?.code).toBe('WATCH_INTERRUPTED');
  });
});
