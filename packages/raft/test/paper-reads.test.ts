import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { accepted, heartbeat, heartbeatAnswer, only } from './message.js';
import type { TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

/** A leader of term 1 with its no-op committed, and a read registered. */
function reading(): { cluster: Cluster; leader: TestNode; round: number; readId: number } {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  const readId = read(leader, cluster);
  const round = only(leader.take(), 'heartbeat')[0]?.round ?? 0;
  return { cluster, leader, round, readId };
}

function read(node: TestNode, cluster: Cluster): number {
  const requested = node.raft.readIndex(cluster.nowMs);
  node.pump();
  if (requested.type === 'rejected') throw new Error(requested.code);
  return requested.readId;
}

test('§6.4: a read is confirmed by a majority’s answers to a round of heartbeats', () => {
  const { cluster, leader, round, readId } = reading();
  expect(leader.confirmed).toEqual([]);
  leader.step(heartbeatAnswer('b>a', 1, round), cluster.nowMs);
  expect(leader.confirmed).toEqual([{ readId, index: 1 }]);
});

test('§6.4: a leader without an own-term commit knows no read index yet', () => {
  const cluster = new Cluster(THREE);
  cluster.lose(({ type }) => type === 'append-request');
  const leader = cluster.elect('a');
  expect(leader.raft.readIndex(cluster.nowMs)).toEqual({ type: 'rejected', code: 'NOT_READY' });
  cluster.heal();
  cluster.advance(60);
  expect(leader.raft.readIndex(cluster.nowMs).type).toBe('accepted');
});

test('only a leader takes reads', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  const rejection = { type: 'rejected', code: 'NOT_LEADER' };
  expect(cluster.node('b').raft.readIndex(cluster.nowMs)).toEqual(rejection);
});

test('§6.4: one round serves all reads that queued', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  for (let i = 0; i < 100; i += 1) leader.raft.readIndex(cluster.nowMs);
  leader.pump();
  const rounds = only(leader.take(), 'heartbeat');
  expect(rounds.map(({ to }) => to)).toEqual(['b', 'c']);
  leader.step(heartbeatAnswer('c>a', 1, rounds[0]?.round ?? 0), cluster.nowMs);
  expect(leader.confirmed.length).toBe(100);
});

test('a read that comes while a round is in flight waits for the next one', () => {
  const { cluster, leader, round, readId } = reading();
  const second = read(leader, cluster);
  expect(only(leader.take(), 'heartbeat')).toEqual([]);
  leader.step(heartbeatAnswer('b>a', 1, round), cluster.nowMs);
  expect(leader.confirmed.map((one) => one.readId)).toEqual([readId]);
  const next = only(leader.take(), 'heartbeat')[0]?.round ?? 0;
  expect(next).toBe(round + 1);
  leader.step(heartbeatAnswer('c>a', 1, round), cluster.nowMs);
  expect(leader.confirmed.length).toBe(1);
  leader.step(heartbeatAnswer('c>a', 1, next), cluster.nowMs);
  expect(leader.confirmed.map((one) => one.readId)).toEqual([readId, second]);
});

test('a scheduled heartbeat is a round too: a read whose own was lost is not', () => {
  const { cluster, leader, readId } = reading();
  const later = read(leader, cluster);
  leader.take();
  leader.raft.heartbeatDue(cluster.nowMs);
  leader.pump();
  const round = only(leader.take(), 'heartbeat')[0]?.round ?? 0;
  leader.step(heartbeatAnswer('b>a', 1, round), cluster.nowMs);
  expect(leader.confirmed.map((one) => one.readId)).toEqual([readId, later]);
});

test('R-056, R-060: late, repeated or foreign answers to earlier rounds confirm nothing', () => {
  const { cluster, leader, round } = reading();
  leader.step(heartbeatAnswer('b>a', 1, round), cluster.nowMs);
  const second = read(leader, cluster);
  for (let i = 0; i < 3; i += 1) {
    leader.step(heartbeatAnswer('b>a', 1, round), cluster.nowMs);
    leader.step(heartbeatAnswer('c>a', 1, round), cluster.nowMs);
    leader.step(heartbeatAnswer('b>a', 1, round - 1), cluster.nowMs);
  }
  leader.step(heartbeatAnswer('b>a', 1, 99), cluster.nowMs);
  leader.step(heartbeatAnswer('b>a', 0, round + 1), cluster.nowMs);
  leader.step(accepted('b>a', 1, 1), cluster.nowMs);
  expect(leader.confirmed.map((one) => one.readId)).not.toContain(second);
});

test('R-056: the deposed leader of the report answers nothing from its old rounds', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  const old = cluster.node('a');
  read(old, cluster);
  cluster.settle();
  const replies = only(cluster.delivered, 'heartbeat-response').filter(({ to }) => to === 'a');
  cluster.isolate('a');
  cluster.elect('b');
  cluster.propose('b');
  const confirmedBefore = old.confirmed.length;
  old.raft.readIndex(cluster.nowMs);
  for (const reply of [...replies, ...replies]) old.step(reply, cluster.nowMs);
  expect(old.confirmed.length).toBe(confirmedBefore);
});

test('R-055: a leader that was deposed without noticing serves no read', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.isolate('a');
  const old = cluster.node('a');
  const readId = read(old, cluster);
  cluster.advance(2000);
  expect(cluster.leaders().length).toBe(1);
  expect(cluster.leaders()).not.toContain('a');
  expect(old.confirmed).toEqual([]);
  expect(old.aborted).toEqual([readId]);
});

test('R-057: a read is not confirmed before its round, however far applied', () => {
  const { leader } = reading();
  expect(leader.raft.state.appliedIndex).toBe(1);
  expect(leader.confirmed).toEqual([]);
});

test('R-058: only voters count: an answer of anyone else confirms nothing', () => {
  const { cluster, leader, round } = reading();
  leader.step(heartbeatAnswer('x>a', 1, round), cluster.nowMs);
  leader.step(heartbeatAnswer('y>a', 1, round), cluster.nowMs);
  expect(leader.confirmed).toEqual([]);
});

test('a leader that steps down aborts every read that waits, once', () => {
  const { cluster, leader, readId } = reading();
  const second = read(leader, cluster);
  leader.step(heartbeat('b>a', 2, 1), cluster.nowMs);
  expect(leader.aborted).toEqual([readId, second]);
});

test('a single voter confirms its reads itself', () => {
  const cluster = new Cluster(['a']);
  const leader = cluster.elect('a');
  const readId = read(leader, cluster);
  expect(leader.confirmed).toEqual([{ readId, index: 1 }]);
});

test('waiting reads are bounded, with a typed refusal', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { pendingReadsMax: 2 } } });
  const leader = cluster.elect('a');
  read(leader, cluster);
  read(leader, cluster);
  const rejection = { type: 'rejected', code: 'OVERLOADED' };
  expect(leader.raft.readIndex(cluster.nowMs)).toEqual(rejection);
});
