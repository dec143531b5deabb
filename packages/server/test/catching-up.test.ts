import { utf8ByteString } from '@raftd/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { stamp, TestCluster, type TestNode } from './test-cluster.js';
import { SESSION_TTL_MS } from './tiny-machine.js';
import { VirtualTime } from './virtual-time.js';

const EVERYTHING = { type: 'range', start: utf8ByteString(''), end: undefined } as const;
const WRITES = 5_000;

let time: VirtualTime;
let cluster: TestCluster;
let leader: TestNode;

/** A long log, then more cluster time than a session lives, then all nodes start again. */
beforeEach(() => {
  time = new VirtualTime();
  cluster = new TestCluster(time, 3);
  leader = cluster.start();
  const client = cluster.client(leader);
  for (let sequence = 1; sequence <= WRITES; sequence += 1) client.put('a', stamp(sequence));
  time.advance(500);
  for (const node of cluster.nodes.values()) node.machine.wantsTime = true;
  time.advance(SESSION_TTL_MS + 60_000);
});

function restartAll(): void {
  const nodes = [...cluster.nodes.values()];
  for (const node of nodes) node.server.stop(() => undefined);
  time.advance(20);
  for (const node of nodes) cluster.startNode(node.id, {}, node.disk);
  cluster.introduceAll();
}

describe('after a restart of all nodes', () => {
  test('the first write of a session opened on a welcome succeeds, at whichever node', () => {
    const before = leader.machine.clusterTimeMs;
    expect(before).toBeGreaterThan(SESSION_TTL_MS);
    restartAll();
    const untold = new Set<string>();
    const told = new Map<string, number>();
    time.until('every node names a cluster time', () => {
      for (const node of cluster.nodes.values()) {
        const { welcome } = cluster.client(node);
        if (welcome === undefined) continue;
        if (welcome.clusterTimeMs === undefined) untold.add(node.id);
        else if (!told.has(node.id)) told.set(node.id, welcome.clusterTimeMs);
      }
      return told.size === 3;
    });
    expect(untold.size).toBe(3);
    const writer = cluster.client(cluster.awaitLeader());
    for (const [id, openedAtMs] of told) {
      expect(openedAtMs).toBeGreaterThan(before - 1_000);
      const request = writer.put('b', stamp(1, `first met ${id}`, openedAtMs));
      time.advance(50);
      expect(writer.replyTo(request)).toMatchObject({ type: 'command', result: { type: 'put' } });
    }
  });

  test('a watch from now on stands only once nothing old can come as new', () => {
    restartAll();
    const refused: string[] = [];
    let revision: number | undefined;
    time.until('a watch stands', () => {
      const client = cluster.client(cluster.node('n1'));
      const watch = { type: 'watch', watchId: 1, target: EVERYTHING } as const;
      const [request] = client.send({ ...watch, fromRevision: undefined });
      time.settle();
      const reply = client.replyTo(request ?? 0);
      if (reply?.type === 'watching') revision = reply.revision;
      if (reply?.type === 'error') refused.push(reply.error.code);
      return revision !== undefined;
    });
    expect(new Set(refused)).toEqual(new Set(['WATCH_INTERRUPTED']));
    expect(revision).toBe(WRITES + 1);
  });

  test('a watch from a revision stands at once and waits for it', () => {
    restartAll();
    const client = cluster.client(cluster.node('n1'));
    const fromRevision = WRITES as never;
    client.send({ type: 'watch', watchId: 1, target: EVERYTHING, fromRevision });
    time.advance(3_000);
    expect(client.revisions(1)).toEqual([WRITES]);
  });
});

test('a node that was cut off within the term names no cluster time of before', () => {
  const [away] = cluster.others(leader) as [TestNode];
  const { term } = leader.server.status();
  cluster.isolate(away.id);
  time.advance(SESSION_TTL_MS + 60_000);
  expect(cluster.client(away).welcome?.clusterTimeMs).toBeUndefined();
  cluster.heal();
  let openedAtMs: number | undefined;
  time.until('it names one', () => {
    openedAtMs = cluster.client(away).welcome?.clusterTimeMs;
    return openedAtMs !== undefined;
  });
  expect(leader.server.status().term).toBe(term);
  expect(openedAtMs).toBeGreaterThan(leader.machine.clusterTimeMs - 1_000);
});
