import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import {
  accepted,
  append,
  heartbeat,
  heartbeatAnswer,
  only,
  preVote,
  rejected,
  vote,
  voteAnswer,
} from './message.js';
import { entriesOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

test('§3.3: if one server’s current term is smaller than the other’s, it updates it', () => {
  const messages = [
    heartbeat('b>a', 7, 1),
    append('b>a', 7, '0/0'),
    vote('b>a', 7, '0/0'),
    voteAnswer('b>a', 7, false),
    accepted('b>a', 7, 0),
    rejected('b>a', 7, 0, '0/0'),
    heartbeatAnswer('b>a', 7, 1),
  ];
  for (const message of messages) {
    const node = new TestNode('a', THREE, { disk: { hardState: hardStateOf(3, 'c') } });
    node.step(message, 400);
    expect([message.type, node.term]).toEqual([message.type, 7]);
  }
});

test('§3.3: a candidate or leader whose term is out of date becomes follower', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.step(heartbeatAnswer('b>a', 9, 0), cluster.nowMs);
  expect(leader.role).toBe('follower');
  expect(leader.term).toBe(9);
});

test('§3.3: a request with a stale term is rejected; the answer carries the newer one', () => {
  for (const message of [
    heartbeat('b>a', 2, 1),
    append('b>a', 2, '0/0', entriesOf(2)),
    vote('b>a', 2, '9/2'),
    preVote('b>a', 2, '9/2'),
  ]) {
    const node = new TestNode('a', THREE, { disk: { hardState: hardStateOf(3) } });
    const before = node.raft.nextDeadlineMs();
    node.step(message, 200);
    expect(node.log).toBe('');
    expect(node.raft.nextDeadlineMs()).toBe(before);
    const [answer] = node.take();
    expect(answer?.term).toBe(3);
    expect(only(node.take(), 'append-accepted')).toEqual([]);
  }
});

test('§3.3: a stale answer is of no consequence', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.elect('a');
  const leader = cluster.node('a');
  const before = JSON.stringify(leader.raft.state);
  for (const message of [
    voteAnswer('b>a', 1, true),
    accepted('b>a', 1, 99),
    rejected('b>a', 1, 0, '0/0'),
    heartbeatAnswer('b>a', 1, 99),
  ]) {
    leader.step(message, cluster.nowMs);
    expect(leader.take()).toEqual([]);
    expect(JSON.stringify(leader.raft.state)).toBe(before);
  }
});

test('§3.3: a follower keeps its timer when it only hears of a newer term', () => {
  const node = new TestNode('a', THREE);
  node.step(voteAnswer('b>a', 4, false), 200);
  expect(node.raft.nextDeadlineMs()).toBe(300);
});

test('a message to or from anyone but a voter is dropped (R-026, R-087)', () => {
  const node = new TestNode('a', THREE);
  for (const message of [
    vote('d>a', 5, '9/4'),
    vote('b>c', 5, '9/4'),
    vote('a>a', 5, '9/4'),
    heartbeat('d>a', 5, 1),
  ]) {
    node.step(message, 400);
  }
  expect(node.term).toBe(0);
  expect(node.take()).toEqual([]);
});

test('two leaders in one term are a broken invariant, and the node stops', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  expect(() => leader.step(heartbeat('b>a', 1, 1), cluster.nowMs)).toThrow('a term has one leader');
  const follower = cluster.node('b');
  expect(() => follower.step(append('c>b', 1, '0/0'), 0)).toThrow('a term has one leader');
});
