import { expect, test } from 'vitest';
import type { LogIndex, Term } from '../src/index.js';
import { Cluster } from './cluster.js';
import { append, heartbeat, only, preVote, preVoteAnswer, rejected, vote } from './message.js';
import { entriesOf, entryOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

test('R-002: a grant leaves only once the vote is durable, in one record with its term', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  expect(node.take()).toEqual([]);
  expect(node.write?.hardState).toEqual({ term: 4, votedFor: 'b', promiseMs: 0 });
  node.persist(400);
  expect(only(node.take(), 'vote-response').map(({ granted }) => granted)).toEqual([true]);
});

test('R-002: a vote that never reached the disk was never given', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  node.restart(500);
  node.step(vote('c>a', 4, '0/0'), 900);
  node.persist(900);
  expect(only(node.take(), 'vote-response').map(({ to, granted }) => [to, granted])).toEqual([
    ['c', true],
  ]);
});

test('R-002: a vote that reached the disk binds after a restart', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  node.persist(400);
  node.restart(500);
  node.step(vote('c>a', 4, '0/0'), 900);
  expect(only(node.take(), 'vote-response').map(({ granted }) => granted)).toEqual([false]);
});

test('S3: a candidate asks for votes only once its own is durable', () => {
  const node = new TestNode('a', THREE);
  node.raft.electionTimeout(400);
  node.step(preVoteAnswer('b>a', 1, true), 400);
  expect(only(node.take(), 'vote-request')).toEqual([]);
  node.persist(400);
  expect(only(node.take(), 'vote-request').length).toBe(2);
});

test('S3: a refusal carries a term only once that term is durable', () => {
  const node = new TestNode('a', THREE, { disk: { entries: entriesOf(3) } });
  node.step(vote('b>a', 4, '0/0'), 400);
  node.step(preVote('b>a', 3, '0/0'), 400);
  node.step(append('c>a', 2, '0/0'), 400);
  node.step(append('c>a', 4, '9/3'), 400);
  expect(node.take()).toEqual([]);
  node.persist(400);
  const types = node.take().map(({ type, term }) => `${type} ${term}`);
  expect(types.sort()).toEqual([
    'append-rejected 4',
    'heartbeat-response 4',
    'pre-vote-response 4',
    'vote-response 4',
  ]);
});

test('R-004: the log a campaign speaks of is in the write that releases it', () => {
  const node = new TestNode('a', THREE);
  node.step(append('b>a', 1, '0/0', entriesOf(1)), 10);
  node.step(append('b>a', 1, '1/1', [entryOf(2, 1)]), 20);
  node.raft.electionTimeout(400);
  node.step(preVoteAnswer('c>a', 2, true), 400);
  node.persist(400);
  expect(only(node.take(), 'vote-request')).toEqual([]);
  expect(node.write?.entries.map(({ index }) => index)).toEqual([2]);
  node.persist(400);
  expect(only(node.take(), 'vote-request')[0]).toMatchObject({ lastIndex: 2, lastTerm: 1 });
  expect(node.disk.entries.length).toBe(2);
});

test('§3.8, S7: a follower acknowledges what is durable, no more', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1)), 10);
  node.step(append('a>b', 1, '2/1', [entryOf(3, 1)]), 10);
  expect(only(node.take(), 'append-accepted')).toEqual([]);
  node.persist(10);
  expect(only(node.take(), 'append-accepted').map(({ matchIndex }) => matchIndex)).toEqual([2]);
  node.persist(10);
  expect(only(node.take(), 'append-accepted').map(({ matchIndex }) => matchIndex)).toEqual([3]);
});

test('a repeated request of what is durable is acknowledged at once', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1)), 10);
  node.persist(10);
  node.take();
  node.step(append('a>b', 1, '0/0', entriesOf(1)), 20);
  expect(node.write).toBeUndefined();
  expect(only(node.take(), 'append-accepted').map(({ matchIndex }) => matchIndex)).toEqual([1]);
});

test('§10.2.1: a leader’s appends leave beside its own write', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.propose(new Uint8Array(1), 'command', 0, cluster.nowMs);
  leader.pump();
  expect(leader.write).toBeDefined();
  expect(only(leader.take(), 'append-request').length).toBe(2);
});

test('one write is in flight; what queues meanwhile becomes the next', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  for (let i = 0; i < 3; i += 1) {
    leader.raft.propose(new Uint8Array(1), 'command', 0, cluster.nowMs);
    leader.pump();
  }
  expect(leader.write?.entries.map(({ index }) => index)).toEqual([2]);
  leader.persist(cluster.nowMs);
  expect(leader.write?.entries.map(({ index }) => index)).toEqual([3, 4]);
});

test('a completion that does not name the write in flight is dropped', () => {
  const node = new TestNode('b', THREE);
  node.raft.persisted(1 as Term, 1 as LogIndex, 0);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1)), 10);
  node.raft.persisted(1 as Term, 1 as LogIndex, 10);
  node.raft.persisted(9 as Term, 2 as LogIndex, 10);
  expect(node.raft.state.persistence.durableIndex).toBe(0);
  node.persist(10);
  node.raft.persisted(1 as Term, 2 as LogIndex, 10);
  expect(node.raft.state.persistence.durableIndex).toBe(2);
});

test('R-074: a completion of what was overwritten meanwhile claims nothing of it', () => {
  const disk = { hardState: hardStateOf(2), entries: entriesOf(1, 1, 1, 1) };
  const node = new TestNode('b', THREE, { disk });
  node.step(append('a>b', 2, '4/1', [entryOf(5, 2)]), 10);
  expect(node.write?.entries.map(({ term }) => term)).toEqual([2]);
  node.step(append('c>b', 3, '4/1', [entryOf(5, 3)]), 20);
  node.step(append('a>b', 4, '4/1', [entryOf(5, 4)]), 30);
  node.take();
  node.persist(40);
  expect(node.raft.state.persistence.durableIndex).toBe(4);
  const acks = only(node.take(), 'append-accepted');
  expect(acks.map(({ to, term, matchIndex }) => `${to} ${term} ${matchIndex}`)).toEqual(['a 2 5']);
  expect(node.write).toMatchObject({ truncateFrom: 5, lastIndex: 5, lastTerm: 4 });
  node.persist(50);
  expect(node.disk.entries.map(({ term }) => term)).toEqual([1, 1, 1, 1, 4]);
  expect(only(node.take(), 'append-accepted')).toMatchObject([{ to: 'a', term: 4, matchIndex: 5 }]);
});

test('R-081: not even if the same entry comes back in a later term', () => {
  const node = new TestNode('b', THREE, { disk: { hardState: hardStateOf(1) } });
  node.step(append('a>b', 1, '0/0', [entryOf(1, 1)]), 10);
  node.step(append('c>b', 2, '0/0', [entryOf(1, 2)]), 20);
  node.step(append('a>b', 3, '0/0', [entryOf(1, 1)]), 30);
  node.persist(40);
  expect(node.raft.state.persistence.durableIndex).toBe(0);
  expect(node.write).toMatchObject({ truncateFrom: 1, lastIndex: 1, lastTerm: 1 });
  node.persist(50);
  expect(node.raft.state.persistence.durableIndex).toBe(1);
});

test('a log that became shorter while a write was in flight is truncated by the next', () => {
  const node = new TestNode('b', THREE, { disk: { hardState: hardStateOf(1) } });
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1, 1)), 10);
  node.step(append('c>b', 2, '1/1', [entryOf(2, 2)]), 20);
  node.persist(30);
  expect(node.write).toMatchObject({ truncateFrom: 2, lastIndex: 2 });
  node.persist(40);
  expect(node.disk.entries.map(({ index, term }) => `${index}/${term}`)).toEqual(['1/1', '2/2']);
});

test('what waited for a write is forgotten when the term moves on', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  node.step(vote('c>a', 4, '0/0'), 400);
  node.step(vote('c>a', 5, '0/0'), 400);
  node.persist(400);
  expect(only(node.take(), 'vote-response').map(({ to, term }) => [to, term])).toEqual([['b', 4]]);
  node.persist(400);
  expect(only(node.take(), 'vote-response').map(({ to, term }) => [to, term])).toEqual([['c', 5]]);
});

test('a message about a hard state in flight leaves when that write is done', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  node.step(vote('c>a', 4, '0/0'), 400);
  node.persist(400);
  expect(node.sent.map(({ to }) => to)).toEqual(['b', 'c']);
});

test('S32: while a disk hangs, one message of a kind waits for each peer, the latest', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 4, '0/0'), 400);
  for (let round = 1; round < 1000; round += 1) {
    node.step(heartbeat('b>a', 4, round, { promiseMs: round }), 400);
    node.step(vote('c>a', 4, '0/0'), 400);
    node.step(rejected('b>a', 4, 0, '0/0'), 400);
  }
  const { afterNextWrite, afterWriteInFlight } = node.raft.state.persistence;
  expect(afterNextWrite.length + afterWriteInFlight.length).toBeLessThanOrEqual(4);
  node.persist(400);
  node.persist(400);
  const rounds = only(node.take(), 'heartbeat-response').map(({ round }) => round);
  expect(rounds).toEqual([999]);
});

test('a Ready without a write has nothing to send after it, and an idle node has no Ready', () => {
  const node = new TestNode('a', THREE);
  expect(node.raft.ready()).toBeUndefined();
  node.raft.electionTimeout(400);
  const ready = node.raft.ready();
  expect(ready?.write).toBeUndefined();
  expect(ready?.messagesAfterWrite).toEqual([]);
  expect(ready?.messages.length).toBe(2);
  expect(node.raft.ready()).toBeUndefined();
});

test('R-001: the vote stays whatever the role does, as long as the term stays', () => {
  const node = new TestNode('a', THREE, { disk: { hardState: hardStateOf(5, 'c') } });
  node.step(heartbeat('c>a', 5, 1), 10);
  node.raft.electionTimeout(400);
  node.step(append('c>a', 5, '0/0', entriesOf(5)), 410);
  node.raft.electionTimeout(800);
  expect(node.raft.state.hardState.votedFor).toBe('c');
  node.step(vote('b>a', 5, '9/5'), 1200);
  node.persist(1200);
  expect(only(node.take(), 'vote-response').map(({ granted }) => granted)).toEqual([false]);
});

test('R-001: a leader that steps down keeps its vote for itself', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  cluster.isolate('a');
  cluster.advance(400);
  expect(leader.role).not.toBe('leader');
  expect(leader.raft.state.hardState).toMatchObject({ term: 1, votedFor: 'a' });
});
