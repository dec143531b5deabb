import { beforeEach, describe, expect, test } from 'vitest';
import { stamp, TestCluster, type TestNode } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

let time: VirtualTime;
let cluster: TestCluster;
let leader: TestNode;

beforeEach(() => {
  time = new VirtualTime();
  cluster = new TestCluster(time, 3);
  leader = cluster.start();
});

describe('a write', () => {
  test('is acknowledged once a quorum has it, and is on every node soon after', () => {
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.advance(20);
    expect(client.replyTo(request)).toMatchObject({ type: 'command', result: { version: 1 } });
    time.advance(60);
    for (const node of cluster.nodes.values()) expect(node.machine.revision).toBe(1);
  });

  test('waits for no timer: disk, one trip there and back, and the other disk are enough', () => {
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    // Trip 1 ms, follower's write 2 ms, trip back 1 ms; the leader's own 2 ms are beside it.
    time.advance(4);
    expect(client.replyTo(request)?.type).toBe('command');
  });

  test('is acknowledged by a single node as soon as its disk has it', () => {
    const alone = new TestCluster(time, 1);
    const node = alone.start();
    const client = alone.client(node);
    const request = client.put('a', stamp(1));
    time.advance(2);
    expect(client.replyTo(request)?.type).toBe('command');
  });

  test('of a turn shares one batch and one frame of replies with the others', () => {
    const client = cluster.client(leader);
    const before = client.frames.length;
    for (let sequence = 1; sequence <= 100; sequence += 1) client.put('a', stamp(sequence));
    time.advance(4);
    expect(client.frames.length - before).toBe(1);
    expect(client.replies.size).toBe(100);
  });

  test('at a follower is refused with the way to the leader', () => {
    const [follower] = cluster.others(leader);
    time.advance(60);
    const client = cluster.client(follower as TestNode);
    const request = client.put('a', stamp(1));
    time.settle();
    expect(client.errorTo(request)).toMatchObject({
      code: 'NOT_LEADER',
      details: { id: leader.id, address: `${leader.id}:7400`, term: leader.server.status().term },
    });
  });

  test('at a node that knows no leader is refused as unavailable', () => {
    cluster.isolate(leader.id);
    time.advance(1_000);
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.settle();
    expect(client.errorTo(request)?.code).toBe('UNAVAILABLE');
  });
});

describe('a proposal settles exactly once (R-065)', () => {
  test('undecided when the leader steps down: unknown, without waiting for the next one', () => {
    const client = cluster.client(leader);
    cluster.isolate(leader.id);
    const request = client.put('a', stamp(1));
    time.until('it is answered', () => client.replyTo(request) !== undefined, 1_000);
    expect(client.errorTo(request)?.code).toBe('OUTCOME_UNKNOWN');
    // Overwritten afterwards by the next leader: the answer that was given stays the only one.
    const next = cluster.awaitLeader(leader.id);
    cluster.client(next).put('b', stamp(1, 's2'));
    cluster.heal();
    time.advance(2_000);
    expect(client.replyTo(request)?.type).toBe('error');
    expect(leader.machine.revision).toBe(1);
  });

  test('committed by the next leader: applied once, and the retry gets its result', () => {
    const [target] = cluster.others(leader) as [TestNode];
    const client = cluster.client(leader);
    client.put('a', stamp(1));
    // The entry leaves, then the leader is cut off before any answer arrives.
    time.advance(1);
    cluster.isolate(leader.id);
    const next = cluster.awaitLeader(leader.id);
    const retrying = cluster.client(next);
    const retry = retrying.put('a', stamp(1));
    time.advance(20);
    expect(retrying.replyTo(retry)).toMatchObject({ type: 'command', result: { version: 1 } });
    cluster.heal();
    time.advance(2_000);
    expect(client.replies.size).toBe(1);
    expect(target.machine.revision).toBe(1);
    expect(leader.machine.revision).toBe(1);
  });

  test('a retry of a request that is still pending joins it instead of being logged twice', () => {
    const first = cluster.client(leader);
    const second = cluster.client(leader);
    const before = leader.server.status().commitIndex;
    const request = first.put('a', stamp(1));
    const retry = second.put('a', stamp(1));
    time.advance(20);
    expect(leader.server.status().commitIndex).toBe(before + 1);
    expect(second.replyTo(retry)).toEqual(first.replyTo(request));
  });

  test('a follower whose disk hangs keeps nobody waiting', () => {
    const [slow] = cluster.others(leader) as [TestNode];
    slow.disk.delayMs = 100_000;
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.advance(10);
    expect(client.replyTo(request)?.type).toBe('command');
  });

  test('a proposal that nothing decides is unknown after its time limit', () => {
    // Everybody answers heartbeats, nobody's disk gets anything done.
    for (const node of cluster.nodes.values()) node.disk.frozen = true;
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.until('it is answered', () => client.replyTo(request) !== undefined, 12_000);
    expect(client.errorTo(request)?.code).toBe('OUTCOME_UNKNOWN');
  });
});

describe('a node that starts on a long log', () => {
  test('applies it in steps, so that its loop goes on turning', () => {
    const client = cluster.client(leader);
    for (let sequence = 1; sequence <= 5_000; sequence += 1) client.put('a', stamp(sequence));
    time.advance(500);
    expect(client.replies.size).toBe(5_000);
    leader.server.stop(() => undefined);
    const perRound = new Map<number, number>();
    const restarted = cluster.startNode(leader.id, {}, leader.disk);
    const apply = restarted.machine.apply.bind(restarted.machine);
    restarted.machine.apply = (index, clusterTimeMs, payload) => {
      perRound.set(time.rounds, (perRound.get(time.rounds) ?? 0) + 1);
      return apply(index, clusterTimeMs, payload);
    };
    time.advance(2_000);
    expect(restarted.machine.revision).toBe(5_000);
    expect(Math.max(...perRound.values())).toBeLessThanOrEqual(2_000);
    expect(perRound.size).toBeGreaterThanOrEqual(3);
  });
});

describe('the node stops for good', () => {
  test('when a write fails: nothing more is acknowledged, what waits is unknown', () => {
    leader.disk.failing = true;
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.advance(2_000);
    expect(leader.faults).toMatchObject([{ code: 'STORAGE_FAILED' }]);
    expect(client.errorTo(request)?.code).toBe('OUTCOME_UNKNOWN');
  });

  test('when a committed entry cannot be applied', () => {
    leader.machine.broken = true;
    cluster.client(leader).put('a', stamp(1));
    time.advance(20);
    expect(leader.faults).toMatchObject([{ code: 'APPLY_FAILED' }]);
  });
});
