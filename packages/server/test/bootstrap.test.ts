import type { NodeId } from '@raftd/raft';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestCluster, TestDisk } from './test-cluster.js';
import { VirtualTime } from './virtual-time.js';

let time: VirtualTime;
let cluster: TestCluster;

beforeEach(() => {
  time = new VirtualTime();
  cluster = new TestCluster(time, 3);
});

describe('bootstrap', () => {
  test('a node runs no Raft until it has heard every listed peer', () => {
    for (const id of ['n1', 'n2', 'n3']) cluster.startNode(id as NodeId);
    cluster.introduce('n2', 'n1');
    time.advance(2_000);
    expect(cluster.node('n1').disk.identity).toBeUndefined();
    expect(cluster.node('n1').server.status().term).toBe(0);
    cluster.introduce('n3', 'n1');
    time.advance(10);
    expect(cluster.node('n1').disk.identity?.members).toHaveLength(3);
  });

  test('the identity is named to peers only once it is durable', () => {
    for (const id of ['n1', 'n2', 'n3']) cluster.startNode(id as NodeId);
    cluster.introduce('n2', 'n1');
    cluster.introduce('n3', 'n1');
    const { peerHandlers } = cluster.node('n1').server;
    expect(peerHandlers.hello('n2' as NodeId, 'bulk').cluster).toBeUndefined();
    time.advance(2);
    expect(peerHandlers.hello('n2' as NodeId, 'bulk').cluster?.members).toHaveLength(3);
  });

  test('a single node forms its cluster at once', () => {
    const alone = new TestCluster(time, 1);
    expect(alone.start().disk.identity?.members).toHaveLength(1);
  });

  test('a slow first start adopts the cluster that the others formed with it', () => {
    cluster.start();
    const { disk } = cluster.node('n3');
    const fresh = new TestDisk(time);
    cluster.startNode('n3' as NodeId, {}, fresh);
    expect(cluster.introduce('n3', 'n1')).toBeUndefined();
    expect(cluster.introduce('n1', 'n3')).toBeUndefined();
    time.advance(2);
    expect(fresh.identity).toEqual(disk.identity);
  });

  test('a cluster formed by other nodes than --peers names is not joined', () => {
    cluster.start();
    const members = ['n1', 'n2', 'n3', 'n4'].map((id) => ({
      id: id as NodeId,
      address: `${id}:1`,
    }));
    const node = cluster.startNode('n3' as NodeId, { members }, new TestDisk(time));
    const hello = cluster.node('n1').server.peerHandlers.hello('n3' as NodeId, 'control');
    node.server.peerHandlers.onHello(hello);
    expect(node.faults).toMatchObject([{ code: 'WRONG_IDENTITY' }]);
    time.advance(100);
    expect(node.disk.identity).toBeUndefined();
  });

  test('an emptied data directory is refused, and its node ends itself', () => {
    cluster.start();
    const wiped = { from: { id: 'n3' as NodeId, incarnation: 'another life' }, cluster: undefined };
    expect(cluster.introduce('n3', 'n1', wiped)?.code).toBe('WRONG_NODE');
    const emptied = new TestCluster(time, 3, { incarnation: 'another life' });
    const node = emptied.startNode('n3' as NodeId);
    const hello = cluster.node('n1').server.peerHandlers.hello('n3' as NodeId, 'control');
    expect(node.server.peerHandlers.onHello(hello)?.code).toBe('WRONG_NODE');
    expect(node.faults).toMatchObject([{ code: 'WRONG_IDENTITY' }]);
  });

  test('a client is turned away until the cluster has formed', () => {
    const client = cluster.client(cluster.startNode('n1' as NodeId));
    expect(client.closedWith?.code).toBe('UNAVAILABLE');
  });
});

describe('a member', () => {
  beforeEach(() => {
    cluster.start();
  });

  test.each([
    { what: 'another cluster name', changed: { clusterName: 'other' }, code: 'WRONG_CLUSTER' },
    { what: 'a hello meant for another node', changed: { to: 'n9' as NodeId }, code: 'WRONG_NODE' },
    {
      what: 'an unknown protocol version',
      changed: { protocolVersion: 99 },
      code: 'UNSUPPORTED_VERSION',
    },
    {
      what: 'a node outside --peers',
      changed: { from: { id: 'n9' as NodeId, incarnation: 'x' } },
      code: 'WRONG_NODE',
    },
    {
      what: 'a peer of another cluster',
      changed: { cluster: { clusterId: 'foreign', members: [] } },
      code: 'WRONG_CLUSTER',
    },
  ])('refuses $what', ({ changed, code }) => {
    expect(cluster.introduce('n2', 'n1', changed)?.code).toBe(code);
    expect(cluster.node('n1').faults).toEqual([]);
  });

  test('ends itself where a majority of its peers belong to another cluster', () => {
    const changed = { cluster: { clusterId: 'foreign', members: [] } };
    cluster.introduce('n2', 'n1', changed);
    cluster.introduce('n3', 'n1', changed);
    expect(cluster.node('n1').faults).toMatchObject([{ code: 'WRONG_IDENTITY' }]);
  });

  test('turns away a client that has spoken to another cluster', () => {
    const client = cluster.client(cluster.node('n1'), 'foreign');
    expect(client.closedWith?.code).toBe('WRONG_CLUSTER');
  });

  test('keeps what it had after a restart: state, cluster and term', () => {
    const leader = cluster.awaitLeader();
    const client = cluster.client(leader);
    client.get('a');
    time.advance(500);
    const before = cluster.node('n1').server.status();
    cluster.node('n1').server.stop(() => undefined);
    const restarted = cluster.startNode('n1' as NodeId, {}, cluster.node('n1').disk);
    time.advance(1_000);
    expect(restarted.server.status().clusterId).toBe(before.clusterId);
    expect(restarted.server.status().term).toBeGreaterThanOrEqual(before.term);
    expect(restarted.machine.initialized).toBe(true);
  });
});
