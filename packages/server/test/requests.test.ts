import type { ClientRequest, LoggedCommand } from '@raftd/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from '../src/index.js';
import { putRequest, stamp, TestCluster, type TestNode } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

let time: VirtualTime;
let cluster: TestCluster;
let leader: TestNode;

function start(limits: Partial<ServerLimits> = {}): void {
  time = new VirtualTime();
  cluster = new TestCluster(time, 3, { limits: { ...DEFAULT_SERVER_LIMITS, ...limits } });
  leader = cluster.start();
}

beforeEach(() => start());

describe('a client', () => {
  test('is welcomed with the cluster, its members and who leads', () => {
    time.advance(100);
    const [follower] = cluster.others(leader) as [TestNode];
    const [welcome] = cluster.client(follower).frames;
    expect(welcome).toMatchObject({
      type: 'welcome',
      clusterId: leader.server.status().clusterId,
      nodeId: follower.id,
      leader: { id: leader.id, address: `${leader.id}:7400` },
      featureLevel: 1,
    });
  });

  test('of another protocol version is turned away', () => {
    const client = cluster.client(leader);
    client.handlers.onHello({ type: 'client-hello', protocolVersion: 99, clusterId: undefined });
    expect(client.closedWith?.code).toBe('UNSUPPORTED_VERSION');
  });

  test('beyond the limit of connections is turned away', () => {
    start({ connectionsMax: 1 });
    expect(cluster.client(leader).closedWith).toBeUndefined();
    expect(cluster.client(leader).closedWith?.code).toBe('TOO_MANY_CONNECTIONS');
  });

  test('that pipelines too much is told so, and served again afterwards', () => {
    start({ pipelinedRequestsMax: 2 });
    const client = cluster.client(leader);
    const requests = client.send(...[1, 2, 3].map((at) => putRequest('a', stamp(at))));
    time.advance(20);
    const codes = requests.map((request) => client.errorTo(request)?.code);
    expect(codes).toEqual([undefined, undefined, 'TOO_MANY_REQUESTS']);
    const again = client.put('a', stamp(3));
    time.advance(20);
    expect(client.replyTo(again)?.type).toBe('command');
  });

  test('that does not read its replies is closed', () => {
    const client = cluster.client(leader);
    client.buffered = DEFAULT_SERVER_LIMITS.connectionBufferedBytesMax + 1;
    client.get('a', 'stale');
    time.settle();
    expect(client.closedWith?.code).toBe('SLOW_CONSUMER');
  });

  test('that is gone is forgotten: its watches end and its replies go nowhere', () => {
    const client = cluster.client(leader);
    const target = { type: 'election', election: 'e' } as const;
    client.send({ type: 'watch', watchId: 1, target, fromRevision: undefined });
    client.put('a', stamp(1));
    const before = client.frames.length;
    client.handlers.onClose();
    time.advance(100);
    expect(client.frames).toHaveLength(before);
    expect(leader.machine.revision).toBe(1);
  });
});

describe('a request', () => {
  test('for status is answered by any node', () => {
    const [follower] = cluster.others(leader) as [TestNode];
    time.advance(100);
    const client = cluster.client(follower);
    const [request] = client.send({ type: 'status' });
    time.settle();
    expect(client.replyTo(request ?? 0)).toMatchObject({
      type: 'status',
      status: { id: follower.id, role: 'follower', appliedIndex: 2, leader: { id: leader.id } },
    });
  });

  test('with a command of the system is refused', () => {
    const logged: LoggedCommand = {
      stamp: undefined,
      command: { type: 'set-wall-offset', wallOffsetMs: 1 },
    };
    const payload = new Uint8Array([1]);
    const client = cluster.client(leader);
    const request: Omit<Extract<ClientRequest, { type: 'command' }>, 'requestId'> = {
      type: 'command',
      payload,
      logged,
    };
    const [id] = client.send(request);
    time.settle();
    expect(client.errorTo(id ?? 0)?.code).toBe('UNKNOWN_REQUEST');
  });

  test('to end a watch is answered, and no event follows', () => {
    const client = cluster.client(leader);
    const election = { type: 'election', election: 'e' } as const;
    client.send({ type: 'watch', watchId: 1, target: election, fromRevision: undefined });
    const [request] = client.send({ type: 'unwatch', watchId: 1 });
    time.advance(20);
    expect(client.replyTo(request ?? 0)).toEqual({ type: 'unwatched' });
    const [unknown] = client.send({ type: 'unwatch', watchId: 9 });
    time.settle();
    expect(client.replyTo(unknown ?? 0)).toEqual({ type: 'unwatched' });
  });

  test('for a page whose cursor is gone says so', () => {
    const client = cluster.client(leader);
    const query = { type: 'range-next', cursor: 'gone' } as const;
    const [request] = client.send({ type: 'query', consistency: 'stale', query });
    time.settle();
    expect(client.errorTo(request ?? 0)?.code).toBe('CURSOR_EXPIRED');
  });

  test('whose reply would not fit a frame is refused instead', () => {
    start({ replyBytesMax: 50 });
    const client = cluster.client(leader);
    const request = client.get('a', 'stale');
    time.settle();
    expect(client.errorTo(request)?.code).toBe('LIMIT_EXCEEDED');
  });

  test('that was applied and whose reply would not fit a frame says that it was applied', () => {
    start({ replyBytesMax: 50 });
    const client = cluster.client(leader);
    const request = client.put('a', stamp(1));
    time.advance(20);
    expect(client.errorTo(request)?.code).toBe('REPLY_DROPPED');
    expect(leader.machine.revision).toBe(1);
  });

  test('beyond what may be held until leadership starts is refused as overloaded', () => {
    start({ heldCommandsMax: 1 });
    for (const node of cluster.others(leader)) node.disk.delayMs = 30;
    cluster.isolate(leader.id);
    let elected: TestNode | undefined;
    time.until('another is elected', () => {
      elected = cluster.others(leader).find((node) => node.server.status().role === 'leader');
      return elected !== undefined;
    });
    const client = cluster.client(elected as TestNode);
    const [held, refused] = client.send(putRequest('a', stamp(1)), putRequest('a', stamp(2)));
    time.settle();
    expect(client.errorTo(refused ?? 0)?.code).toBe('OVERLOADED');
    time.advance(200);
    expect(client.replyTo(held ?? 0)?.type).toBe('command');
  });

  test('held when the election turns out to be lost did not happen', () => {
    for (const node of cluster.others(leader)) node.disk.delayMs = 30;
    cluster.isolate(leader.id);
    let elected: TestNode | undefined;
    time.until('another is elected', () => {
      elected = cluster.others(leader).find((node) => node.server.status().role === 'leader');
      return elected !== undefined;
    });
    const next = elected as TestNode;
    const client = cluster.client(next);
    const held = client.put('a', stamp(1));
    cluster.isolate(next.id);
    time.advance(1_000);
    expect(client.errorTo(held)?.code).toBe('UNAVAILABLE');
  });
});

describe('a node that stops', () => {
  test('settles what waits, ends its watches and turns new clients away', () => {
    const client = cluster.client(leader);
    const target = { type: 'election', election: 'e' } as const;
    client.send({ type: 'watch', watchId: 1, target, fromRevision: undefined });
    const put = client.put('a', stamp(1));
    const get = client.get('a');
    let stopped = false;
    time.settle();
    leader.server.stop(() => {
      stopped = true;
    });
    expect(client.errorTo(put)?.code).toBe('OUTCOME_UNKNOWN');
    expect(client.errorTo(get)?.code).toBe('SHUTTING_DOWN');
    expect(client.watchEnd(1)?.code).toBe('SHUTTING_DOWN');
    // The write in flight may finish first; what comes meanwhile is answered too.
    expect(stopped).toBe(false);
    const late = client.put('a', stamp(2));
    time.advance(10);
    expect(client.errorTo(late)?.code).toBe('SHUTTING_DOWN');
    expect(stopped).toBe(true);
    expect(client.closedWith?.code).toBe('SHUTTING_DOWN');
    expect(cluster.client(leader).closedWith?.code).toBe('SHUTTING_DOWN');
  });

  test('that had not formed a cluster yet stops as well', () => {
    const fresh = new TestCluster(time, 3);
    const node = fresh.startNode('n1' as TestNode['id']);
    let stopped = false;
    node.server.stop(() => {
      stopped = true;
    });
    expect(stopped).toBe(true);
  });
});
