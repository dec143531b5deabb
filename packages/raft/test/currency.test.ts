import { expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../src/index.js';
import { Cluster } from './cluster.js';
import { append, heartbeat } from './message.js';
import { entriesOf, TestNode } from './node.js';

function isUpToDate(cluster: Cluster, id: string): boolean {
  return cluster.node(id).raft.isUpToDate(cluster.nowMs);
}

test('a leader is up to date once its own no-op is applied', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  expect(isUpToDate(cluster, 'a')).toBe(false);
  cluster.elect('a');
  expect(isUpToDate(cluster, 'a')).toBe(true);
});

test('after a restart of all, nobody is before an entry of the new term is applied', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  cluster.elect('a');
  cluster.propose('a');
  for (const id of ['a', 'b', 'c']) cluster.node(id).restart(cluster.nowMs);
  for (const id of ['a', 'b', 'c']) expect(isUpToDate(cluster, id)).toBe(false);
  cluster.elect('b');
  cluster.advance(100);
  for (const id of ['a', 'b', 'c']) expect(isUpToDate(cluster, id)).toBe(true);
});

test('a follower that comes back within the term has to apply what it missed first', () => {
  const node = new TestNode('b', ['a', 'b', 'c'], { disk: { entries: [...entriesOf(1, 1)] } });
  node.step(heartbeat('a>b', 1, 1, { commit: 4, match: 2 }), 0);
  expect(node.raft.isUpToDate(0)).toBe(false);
  node.step(append('a>b', 1, '2/1', [], 4), 1);
  node.persist(1);
  expect(node.raft.state.appliedIndex).toBe(2);
  expect(node.raft.isUpToDate(400)).toBe(false);
  const missed = entriesOf(1, 1, 1, 1).slice(2);
  node.step(append('a>b', 1, '2/1', missed, 4), 2);
  node.persist(2);
  expect(node.raft.isUpToDate(2)).toBe(true);
});

test('what is on its way does not count: once up to date, it stays so while entries come', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  cluster.elect('a');
  cluster.advance(100);
  expect(isUpToDate(cluster, 'b')).toBe(true);
  cluster.hangDisk('b');
  for (let at = 0; at < 10; at += 1) cluster.propose('a');
  expect(cluster.node('b').raft.state.appliedIndex).toBeLessThan(cluster.node('a').commitIndex);
  expect(isUpToDate(cluster, 'b')).toBe(true);
});

test('a follower that is not heard is behind two election time-outs after it is sent no more', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  cluster.elect('a');
  cluster.advance(100);
  cluster.lose(({ from }) => from === 'b');
  cluster.advance(1_000);
  // Idle, it lacks nothing; and what is sent ahead of its acknowledgements it applies.
  for (let at = 0; at < 10; at += 1) cluster.propose('a');
  cluster.advance(1_000);
  expect(isUpToDate(cluster, 'b')).toBe(true);
  expect(cluster.node('b').raft.state.appliedIndex).toBe(cluster.node('a').commitIndex);
  for (let at = 0; at < DEFAULT_OPTIONS.limits.inflightMessagesMax; at += 1) cluster.propose('a');
  cluster.advance(1_000);
  expect(cluster.node('b').raft.leader()).toBe('a');
  expect(isUpToDate(cluster, 'b')).toBe(false);
  cluster.heal();
  cluster.advance(200);
  expect(isUpToDate(cluster, 'b')).toBe(true);
});

test('a follower of an idle leader is up to date with the first heartbeat that it has applied', () => {
  const node = new TestNode('b', ['a', 'b', 'c'], { disk: { entries: [...entriesOf(1, 1)] } });
  expect(node.raft.isUpToDate(0)).toBe(false);
  node.step(heartbeat('a>b', 1, 1, { commit: 2 }), 0);
  node.persist(0);
  expect(node.raft.isUpToDate(0)).toBe(true);
});

test('a follower that stood still is not, until it hears its leader again', () => {
  const cluster = new Cluster(['a', 'b', 'c']);
  cluster.elect('a');
  cluster.advance(100);
  const { raft } = cluster.node('b');
  expect(raft.isUpToDate(cluster.nowMs + 599)).toBe(true);
  expect(raft.isUpToDate(cluster.nowMs + 1_000)).toBe(false);
});
