import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { heartbeat, only, preVote, preVoteAnswer, vote, voteAnswer } from './message.js';
import { entriesOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

/** The answer of a node with the given disk to one pre-vote request, at 400 ms. */
function answerOf(message: ReturnType<typeof preVote>, term: number, votedFor?: string): string {
  const disk = { hardState: hardStateOf(term, votedFor), entries: entriesOf(1, 2) };
  const node = new TestNode('a', THREE, { disk });
  node.step(message, 400);
  const [answer] = only(node.take(), 'pre-vote-response');
  return `${answer?.granted ? 'granted' : 'refused'} ${answer?.term}`;
}

test('§9.6: the term is only incremented once a majority would vote for the asker', () => {
  const node = new TestNode('a', THREE);
  node.raft.tick(300);
  node.pump();
  expect(node.role).toBe('pre-candidate');
  expect(node.term).toBe(0);
  const asked = only(node.take(), 'pre-vote-request');
  expect(asked.map(({ to, term }) => [to, term])).toEqual([
    ['b', 1],
    ['c', 1],
  ]);
  node.step(preVoteAnswer('b>a', 1, true), 310);
  expect(node.role).toBe('candidate');
  expect(node.term).toBe(1);
});

test('§9.6: a server grants it if the asker’s log is up-to-date and it heard no leader', () => {
  expect(answerOf(preVote('b>a', 4, '2/2'), 3)).toBe('granted 4');
  expect(answerOf(preVote('b>a', 4, '9/1'), 3)).toBe('refused 3');
  expect(answerOf(preVote('b>a', 4, '1/2'), 3)).toBe('refused 3');
});

test('§9.6: a pre-vote for the current term is granted only while that vote is free', () => {
  expect(answerOf(preVote('b>a', 3, '2/2'), 3)).toBe('granted 3');
  expect(answerOf(preVote('b>a', 3, '2/2'), 3, 'b')).toBe('granted 3');
  expect(answerOf(preVote('b>a', 3, '2/2'), 3, 'c')).toBe('refused 3');
  expect(answerOf(preVote('b>a', 2, '2/2'), 3)).toBe('refused 3');
});

test('§9.6: handling a pre-vote changes no term, vote, timer, leader or lease (S31)', () => {
  const node = new TestNode('a', THREE, { disk: { entries: entriesOf(1) } });
  node.step(heartbeat('b>a', 1, 1, { promiseMs: 300 }), 100);
  node.persist(100);
  node.take();
  const before = JSON.stringify({ ...node.raft.state, nowMs: 0 });
  node.step(preVote('c>a', 9, '9/9'), 150);
  expect(JSON.stringify({ ...node.raft.state, nowMs: 0 })).toBe(before);
  node.step(preVote('c>a', 9, '9/9'), 450);
  expect(only(node.take(), 'pre-vote-response').map(({ granted }) => granted)).toEqual([
    false,
    true,
  ]);
  expect(JSON.stringify({ ...node.raft.state, nowMs: 0 })).toBe(before);
});

test('§9.6: a server that was partitioned away does not disrupt the leader when it returns', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.isolate('c');
  cluster.advance(5000);
  expect(cluster.node('c').role).toBe('pre-candidate');
  expect(cluster.node('c').term).toBe(1);
  cluster.heal();
  cluster.advance(100);
  expect(cluster.leaders()).toEqual(['a']);
  expect(cluster.node('c').role).toBe('follower');
  expect(cluster.node('a').term).toBe(1);
});

test('a pre-candidate that times out asks again, in the same term', () => {
  const node = new TestNode('a', THREE);
  node.raft.tick(300);
  node.raft.tick(600);
  node.pump();
  expect(node.term).toBe(0);
  expect(only(node.take(), 'pre-vote-request').length).toBe(4);
});

test('a lone voter needs no pre-vote', () => {
  const node = new TestNode('a', ['a']);
  node.raft.tick(0);
  expect(node.role).toBe('candidate');
});

test('R-003: a grant of a pre-vote counts in no election, an older one nowhere', () => {
  const node = new TestNode('a', ['a', 'b', 'c', 'd', 'e']);
  node.raft.electionTimeout(300);
  node.step(preVoteAnswer('b>a', 1, true), 300);
  node.step(preVoteAnswer('c>a', 1, true), 300);
  node.persist(300);
  expect(node.role).toBe('candidate');
  node.step(preVoteAnswer('d>a', 1, true), 300);
  node.step(preVoteAnswer('e>a', 1, true), 300);
  node.step(preVoteAnswer('d>a', 2, true), 300);
  node.step(preVoteAnswer('e>a', 2, true), 300);
  expect(node.role).toBe('candidate');
  expect(node.term).toBe(1);
});

test('R-003: a vote or pre-vote that arrives after the election is won starts nothing', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.step(preVoteAnswer('c>a', 2, true), cluster.nowMs);
  leader.step(voteAnswer('c>a', 1, true), cluster.nowMs);
  expect(leader.role).toBe('leader');
  expect(leader.term).toBe(1);
});

test('R-006: a refusal carries the refuser’s term; the asker adopts it, then asks on', () => {
  const cluster = new Cluster(THREE, {
    disks: {
      a: { hardState: hardStateOf(4), entries: entriesOf(1, 4, 4) },
      b: { hardState: hardStateOf(4), entries: entriesOf(1, 4, 4) },
      c: { hardState: hardStateOf(8), entries: entriesOf(1) },
    },
  });
  cluster.stop('b');
  cluster.nowMs = 1000;
  cluster.campaign('a');
  expect(cluster.node('a').term).toBe(8);
  expect(cluster.node('a').role).toBe('follower');
  cluster.campaign('a');
  expect(cluster.leaders()).toEqual(['a']);
  expect(cluster.node('a').term).toBe(9);
});

test('R-012: the longer log and the higher term do not block each other', () => {
  const cluster = new Cluster(['a', 'b', 'c', 'd'], {
    disks: {
      a: { hardState: hardStateOf(4), entries: entriesOf(1, 4, 4) },
      b: { hardState: hardStateOf(4), entries: entriesOf(1, 4, 4) },
      c: { hardState: hardStateOf(8), entries: entriesOf(1, 4) },
      d: { hardState: hardStateOf(8), entries: entriesOf(1, 4) },
    },
  });
  cluster.advance(5000);
  expect(cluster.leaders().length).toBe(1);
  expect(['a', 'b']).toContain(cluster.leaders()[0]);
});

test('R-007: the known leader itself is never refused because a leader exists', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 1, 1, { promiseMs: 300 }), 100);
  node.persist(100);
  node.take();
  node.step(preVote('a>b', 2, '0/0'), 110);
  node.step(vote('a>b', 2, '0/0'), 110);
  node.persist(110);
  expect(only(node.take(), 'pre-vote-response')[0]?.granted).toBe(true);
  expect(node.raft.state.hardState).toMatchObject({ term: 2, votedFor: 'a' });
});
