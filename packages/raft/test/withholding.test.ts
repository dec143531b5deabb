import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { append, heartbeat, heartbeatAnswer, only, preVote, vote } from './message.js';
import { TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];
const FIVE = ['a', 'b', 'c', 'd', 'e'];

/** 10 election timeouts of the default. */
const LONG_MS = 10 * 600;

test('§4.2.3: a request within the election timeout of hearing a leader changes nothing', () => {
  for (const message of [heartbeat('b>a', 1, 1), append('b>a', 1, '0/0')]) {
    const node = new TestNode('a', THREE);
    node.step(message, 100);
    node.persist(100);
    node.take();
    node.step(vote('c>a', 9, '9/9'), 399);
    expect(node.term).toBe(1);
    expect(node.take()).toEqual([]);
    node.step(vote('c>a', 9, '9/9'), 400);
    expect(node.term).toBe(9);
  }
});

test('§9.6: and a pre-vote is refused', () => {
  const node = new TestNode('a', THREE);
  node.step(heartbeat('b>a', 1, 1), 100);
  node.persist(100);
  node.step(preVote('c>a', 2, '9/9'), 399);
  node.step(preVote('c>a', 2, '9/9'), 400);
  const answers = only(node.take(), 'pre-vote-response').map(({ granted }) => granted);
  expect(answers).toEqual([false, true]);
});

test('a leader that hears its quorum refuses pre-votes and ignores votes', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.step(vote('c>a', 9, '9/9'), cluster.nowMs + 299);
  leader.step(preVote('c>a', 9, '9/9'), cluster.nowMs + 299);
  expect(leader.role).toBe('leader');
  expect(only(leader.take(), 'pre-vote-response').map(({ granted }) => granted)).toEqual([false]);
});

test('a leader that lost its quorum votes for another, if that has its log', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.heartbeatDue(cluster.nowMs + 200);
  leader.step(vote('c>a', 9, '9/9'), cluster.nowMs + 300);
  expect(leader.role).toBe('follower');
  expect(leader.term).toBe(9);
  expect(leader.raft.state.hardState.votedFor).toBe('c');
});

test('§6.2, L6: a leader that no quorum answers for an election timeout steps down', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  cluster.isolate('a');
  cluster.advance(295);
  expect(leader.role).toBe('leader');
  cluster.advance(60);
  expect(leader.role).not.toBe('leader');
  expect(leader.term).toBe(1);
  expect(leader.raft.leader()).toBeUndefined();
});

test('one of two peers is enough, and replayed answers are none', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  cluster.isolate('c');
  cluster.advance(LONG_MS);
  expect(leader.role).toBe('leader');
  cluster.isolate('a');
  for (let i = 0; i < 40; i += 1) {
    cluster.advance(10);
    leader.step(heartbeatAnswer('b>a', 1, 1), cluster.nowMs);
  }
  expect(leader.role).not.toBe('leader');
});

test('quorumCheck can be asked for directly, and concerns leaders only', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.quorumCheck(cluster.nowMs + 40);
  expect(leader.role).toBe('leader');
  leader.raft.quorumCheck(cluster.nowMs + 300);
  expect(leader.role).toBe('follower');
  leader.raft.quorumCheck(cluster.nowMs + 900);
  leader.raft.heartbeatDue(cluster.nowMs + 900);
  expect(leader.role).toBe('follower');
});

test('R-008 (1): nodes that hear only a follower leave the leader alone', () => {
  const cluster = new Cluster(FIVE);
  cluster.elect('c');
  for (const [x, y] of ['ad', 'ae', 'bd', 'be', 'cd', 'ce', 'de'].map((pair) => [...pair])) {
    if (`${x}${y}` !== 'bd' && `${x}${y}` !== 'ce') cluster.cut(x ?? '', y ?? '');
  }
  cluster.cut('c', 'e');
  cluster.cut('a', 'e');
  const { term } = cluster.node('c');
  cluster.advance(LONG_MS);
  expect(cluster.leaders()).toEqual(['c']);
  expect(cluster.node('c').term).toBe(term);
});

test('R-008 (2): a leader that can send but not receive makes way for another', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.cutOneWay('b', 'a');
  cluster.cutOneWay('c', 'a');
  cluster.advance(LONG_MS);
  const [leader] = cluster.leaders();
  expect(['b', 'c']).toContain(leader);
  cluster.propose(leader ?? '');
  expect(cluster.node(leader ?? '').commitIndex).toBeGreaterThan(1);
});

test('R-008 (3): when all keep only their link to one node, that node leads', () => {
  const cluster = new Cluster(FIVE);
  cluster.elect('c');
  for (const x of ['b', 'c', 'd', 'e']) {
    for (const y of ['b', 'c', 'd', 'e']) if (x !== y) cluster.cut(x, y);
  }
  cluster.advance(LONG_MS);
  expect(cluster.leaders()).toEqual(['a']);
  cluster.propose('a');
  expect(cluster.node('a').commitIndex).toBeGreaterThan(1);
});

test('R-008 (4): if that node’s log is behind nobody can lead, and nothing unsafe happens', () => {
  const cluster = new Cluster(FIVE);
  cluster.elect('c');
  cluster.isolate('a');
  cluster.propose('c');
  cluster.heal();
  for (const x of ['b', 'c', 'd', 'e']) {
    for (const y of ['b', 'c', 'd', 'e']) if (x !== y) cluster.cut(x, y);
  }
  cluster.lose(({ type, to }) => type === 'append-request' && to === 'a');
  const before = cluster.node('c').commitIndex;
  cluster.advance(LONG_MS);
  expect(cluster.leaders().length).toBe(0);
  expect(cluster.node('c').commitIndex).toBe(before);
  cluster.heal();
  cluster.advance(LONG_MS);
  expect(cluster.leaders().length).toBe(1);
});

test('R-008 (5): on a line with the leader at one end, terms do not alternate for ever', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.cut('a', 'c');
  cluster.advance(LONG_MS);
  const terms = (): number => Math.max(...[...cluster.nodes.values()].map(({ term }) => term));
  const before = terms();
  cluster.advance(LONG_MS);
  expect(terms()).toBe(before);
  expect(cluster.leaders().length).toBe(1);
});
