import { beforeEach, describe, expect, test } from 'vitest';
import { stamp, TestCluster, type TestNode } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

let time: VirtualTime;
let cluster: TestCluster;
let leader: TestNode;

function start(reads: 'quorum' | 'lease'): void {
  time = new VirtualTime();
  cluster = new TestCluster(time, 3, { reads });
  leader = cluster.start();
  // A lease needs one answered heartbeat with its promise written.
  time.advance(200);
}

describe('a linearizable read by quorum', () => {
  beforeEach(() => start('quorum'));

  test('is answered after a round of heartbeats, and sees every earlier write', () => {
    const client = cluster.client(leader);
    const put = client.put('a', stamp(1));
    time.advance(10);
    expect(client.replyTo(put)?.type).toBe('command');
    const get = client.get('a');
    time.settle();
    expect(client.replyTo(get)).toBeUndefined();
    time.advance(3);
    expect(client.replyTo(get)).toMatchObject({
      type: 'query',
      result: { type: 'get', record: { version: 1 } },
    });
  });

  test('at a leader deposed without noticing fails, and is never answered from old state', () => {
    cluster.isolate(leader.id);
    const next = cluster.awaitLeader(leader.id);
    cluster.client(next).put('a', stamp(1));
    time.advance(20);
    const client = cluster.client(leader);
    const get = client.get('a');
    time.until('it is answered', () => client.replyTo(get) !== undefined, 3_000);
    expect(client.errorTo(get)?.code).toBe('UNAVAILABLE');
  });

  test('registered before the leader steps down fails with the way to the next one', () => {
    const client = cluster.client(leader);
    cluster.isolate(leader.id);
    const get = client.get('a');
    time.until('it is answered', () => client.replyTo(get) !== undefined, 3_000);
    expect(['UNAVAILABLE', 'NOT_LEADER']).toContain(client.errorTo(get)?.code);
  });

  test('many reads of one turn share one round', () => {
    const client = cluster.client(leader);
    const before = client.frames.length;
    for (let at = 0; at < 100; at += 1) client.get('a');
    time.advance(3);
    expect(client.frames.length - before).toBe(1);
    expect(client.replies.size).toBe(100);
  });

  test('at a follower is refused with the way to the leader; a stale one is answered there', () => {
    const [follower] = cluster.others(leader) as [TestNode];
    const client = cluster.client(follower);
    const linearizable = client.get('a');
    const stale = client.get('a', 'stale');
    time.settle();
    expect(client.errorTo(linearizable)?.code).toBe('NOT_LEADER');
    expect(client.replyTo(stale)?.type).toBe('query');
  });
});

describe('a linearizable read by lease', () => {
  beforeEach(() => start('lease'));

  test('is answered in its own turn, without any round', () => {
    const client = cluster.client(leader);
    const get = client.get('a');
    time.settle();
    expect(client.replyTo(get)?.type).toBe('query');
  });

  test('falls back to a round where the loop stood still longer than the lease', () => {
    const client = cluster.client(leader);
    time.stall(5_000);
    const get = client.get('a');
    time.settle();
    expect(client.replyTo(get)?.type).not.toBe('query');
  });

  test('is not answered by a lease that ran out while the answer was built', () => {
    const client = cluster.client(leader);
    const { machine } = leader;
    const query = machine.query.bind(machine);
    machine.query = (asked) => {
      time.stall(5_000);
      return query(asked);
    };
    const get = client.get('a');
    time.settle();
    expect(client.replyTo(get)?.type).not.toBe('query');
  });
});
