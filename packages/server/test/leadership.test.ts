import type { Message, NodeId } from '@raftd/raft';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterClock } from '../src/cluster-clock.js';
import { stamp, TestCluster, type TestNode } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

describe('cluster time', () => {
  test('starts at the stamp it is given and counts what passes', () => {
    const clock = new ClusterClock();
    clock.start(5_000, 100);
    expect(clock.read(100)).toBe(5_000);
    expect(clock.read(150.5)).toBe(5_050);
    expect(clock.read(151)).toBe(5_051);
  });

  test('counts at most 200 ms between two readings and never makes up for the rest', () => {
    const clock = new ClusterClock();
    clock.start(0, 0);
    expect(clock.read(10_000)).toBe(200);
    expect(clock.read(10_100)).toBe(300);
  });

  test('never goes back', () => {
    const clock = new ClusterClock();
    clock.start(0, 100);
    expect(clock.read(150)).toBe(50);
    expect(clock.read(120)).toBe(50);
    expect(clock.read(150)).toBe(50);
  });
});

describe('leadership', () => {
  let time: VirtualTime;
  let cluster: TestCluster;

  beforeEach(() => {
    time = new VirtualTime();
    cluster = new TestCluster(time, 3);
  });

  test('starts only once the own no-op is applied; commands that came earlier wait (R-067)', () => {
    const first = cluster.start();
    time.advance(100);
    for (const node of cluster.others(first)) node.disk.delayMs = 30;
    cluster.isolate(first.id);
    let elected: TestNode | undefined;
    time.until('another is elected', () => {
      elected = cluster.others(first).find((node) => node.server.status().role === 'leader');
      return elected !== undefined;
    });
    const next = elected as TestNode;
    const client = cluster.client(next);
    const appliedBefore = next.machine.applied.length;
    const put = client.put('a', stamp(1));
    time.settle();
    expect(client.replyTo(put)).toBeUndefined();
    time.advance(200);
    expect(client.replyTo(put)?.type).toBe('command');
    // The no-op of its term, empty, came before the command.
    const applied = next.machine.applied.slice(appliedBefore);
    expect(applied[0]?.empty).toBe(true);
    expect(applied[1]?.empty).toBe(false);
  });

  test('won and lost within one turn leaves no command and no read without a reply', () => {
    const [id, voter] = [cluster.start(), ...cluster.nodes.values()].map((node) => node.id);
    const node = [...cluster.nodes.values()].find((one) => one.id !== id && one.id !== voter);
    if (node === undefined || voter === undefined) throw new Error('three nodes');
    cluster.isolate(node.id);
    time.until('it asks for votes', () => node.server.status().role === 'pre-candidate');
    const { term } = node.server.status();
    const say = (message: object): void => {
      const envelope = { from: voter, to: node.id };
      node.server.peerHandlers.onMessages(voter, [{ ...envelope, ...message } as Message]);
    };
    say({ type: 'pre-vote-response', term: term + 1, granted: true });
    time.advance(5);
    expect(node.server.status().role).toBe('candidate');
    const client = cluster.client(node);
    say({ type: 'vote-response', term: term + 1, granted: true });
    expect(node.server.status().role).toBe('leader');
    const write = client.put('a', stamp(1));
    const read = client.get('a');
    say({
      type: 'heartbeat',
      term: term + 2,
      commitIndex: 0,
      matchIndex: 0,
      round: 1,
      promiseMs: 0,
    });
    expect(node.server.status().role).toBe('follower');
    time.settle();
    expect(client.errorTo(write)?.code).toBe('NOT_LEADER');
    expect(client.errorTo(read)?.code).toBe('NOT_LEADER');
  });

  test('initializes the machine before any command of a client', () => {
    const leader = cluster.start();
    const [noOp, initialize] = leader.machine.applied;
    expect(noOp).toMatchObject({ index: 1, empty: true });
    expect(initialize).toMatchObject({ index: 2, empty: false });
    expect(leader.machine.initialized).toBe(true);
  });

  test('proposes what is due once, not again in every turn until it is applied', () => {
    const leader = cluster.start();
    time.advance(500);
    expect(leader.machine.applied.filter((entry) => !entry.empty)).toHaveLength(1);
  });

  test('a new leader goes on from the stamps of the log: nothing is reset', () => {
    const first = cluster.start();
    first.machine.wantsTime = true;
    for (const node of cluster.nodes.values()) node.machine.wantsTime = true;
    time.advance(2_000);
    const before = first.machine.clusterTimeMs;
    expect(before).toBeGreaterThan(1_500);
    cluster.isolate(first.id);
    const next = cluster.awaitLeader(first.id);
    time.advance(300);
    const stamps = next.machine.applied.map((entry) => entry.clusterTimeMs);
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
    expect(next.machine.clusterTimeMs).toBeGreaterThanOrEqual(before - 250);
  });

  test('logs the time every 250 ms while something lives by it, and not otherwise', () => {
    const leader = cluster.start();
    time.advance(1_000);
    const idle = leader.machine.applied.length;
    time.advance(1_000);
    expect(leader.machine.applied).toHaveLength(idle);
    leader.machine.wantsTime = true;
    time.advance(1_000);
    const stamped = leader.machine.applied.length - idle;
    expect(stamped).toBeGreaterThanOrEqual(3);
    expect(stamped).toBeLessThanOrEqual(4);
  });

  test('raises the feature level once every member was heard to support it', () => {
    cluster = new TestCluster(time, 3, { featureLevel: 2 });
    const leader = cluster.start();
    time.advance(200);
    expect(leader.machine.featureLevel).toBe(2);
  });

  test('leaves the feature level while one member supports less', () => {
    cluster = new TestCluster(time, 3, { featureLevel: 2 });
    cluster.startNode('n1' as NodeId);
    cluster.startNode('n2' as NodeId);
    cluster.startNode('n3' as NodeId, { featureLevel: 1 });
    cluster.introduceAll();
    const leader = cluster.awaitLeader();
    time.advance(500);
    expect(leader.machine.featureLevel).toBe(1);
  });
});
