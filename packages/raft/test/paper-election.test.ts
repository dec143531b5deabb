import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { append, heartbeat, only, preVoteAnswer, vote, voteAnswer } from './message.js';
import { entriesOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];
const FIVE = ['a', 'b', 'c', 'd', 'e'];

/** A candidate of term 1 whose vote is durable. */
function candidate(voters = THREE): TestNode {
  const node = new TestNode('a', voters);
  node.raft.electionTimeout(400);
  node.pump();
  for (const peer of voters.slice(1)) node.step(preVoteAnswer(`${peer}>a`, 1, true), 400);
  node.persist(400);
  return node;
}

test('§3.4: when servers start up, they begin as followers', () => {
  expect(new TestNode('a', THREE).role).toBe('follower');
});

test('§3.4: a server remains a follower as long as it hears from a leader', () => {
  const node = new TestNode('b', THREE);
  for (let nowMs = 100; nowMs < 5000; nowMs += 250) {
    node.step(heartbeat('a>b', 1, nowMs), nowMs);
    node.raft.tick(nowMs + 249);
    expect(node.role).toBe('follower');
  }
});

test('§3.4: a follower that hears nothing for an election timeout begins an election', () => {
  const node = new TestNode('a', THREE);
  node.raft.tick(299);
  expect(node.role).toBe('follower');
  node.raft.tick(300);
  expect(node.role).toBe('pre-candidate');
});

test('§3.4: election timeouts are chosen randomly from a fixed interval, [base, 2 · base)', () => {
  for (const random of [0, 0.25, 0.999]) {
    const node = new TestNode('a', THREE, { settings: { random: () => random } });
    expect(node.raft.nextDeadlineMs()).toBeCloseTo(300 * (1 + random));
  }
});

test('§3.4: a candidate increments its term, votes for itself and asks all others', () => {
  const node = candidate(FIVE);
  expect(node.term).toBe(1);
  expect(node.disk.hardState.votedFor).toBe('a');
  const asked = only(node.take(), 'vote-request').map((message) => message.to);
  expect(asked).toEqual(['b', 'c', 'd', 'e']);
});

test('§3.4: a candidate wins with votes from a majority, and not from fewer', () => {
  const node = candidate(FIVE);
  node.step(voteAnswer('b>a', 1, true), 410);
  node.step(voteAnswer('b>a', 1, true), 410);
  expect(node.role).toBe('candidate');
  node.step(voteAnswer('c>a', 1, true), 410);
  expect(node.role).toBe('leader');
});

test('§3.4: each server votes for at most one candidate in a term, the first to come', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 1, '0/0'), 400);
  node.step(vote('c>a', 1, '0/0'), 400);
  node.persist(400);
  const answers = only(node.take(), 'vote-response');
  expect(answers.map(({ to, granted }) => [to, granted])).toEqual([
    ['b', true],
    ['c', false],
  ]);
});

test('§3.4: a repeated request of the same candidate is granted again', () => {
  const node = new TestNode('a', THREE);
  node.step(vote('b>a', 1, '0/0'), 400);
  node.persist(400);
  node.take();
  node.step(vote('b>a', 1, '0/0'), 400);
  expect(only(node.take(), 'vote-response').map(({ granted }) => granted)).toEqual([true]);
});

test('§3.4: once a candidate wins, it becomes leader and sends heartbeats to all others', () => {
  const node = candidate();
  node.take();
  node.step(voteAnswer('b>a', 1, true), 410);
  expect(only(node.take(), 'heartbeat').map(({ to }) => to)).toEqual(['b', 'c']);
});

test('§3.4: a candidate that hears a leader of its own term becomes its follower', () => {
  for (const message of [heartbeat('b>a', 1, 1), append('b>a', 1, '0/0')]) {
    const node = candidate();
    node.step(message, 410);
    expect(node.role).toBe('follower');
    expect(node.raft.leader()).toBe('b');
    expect(node.disk.hardState.votedFor).toBe('a');
  }
});

test('§3.4: a candidate rejects a leader of an older term and continues', () => {
  const node = new TestNode('a', THREE, { disk: { hardState: hardStateOf(4) } });
  node.raft.electionTimeout(400);
  node.step(preVoteAnswer('b>a', 5, true), 400);
  node.persist(400);
  node.take();
  node.step(heartbeat('b>a', 4, 1), 400);
  expect(node.role).toBe('candidate');
  expect(node.take()).toEqual([expect.objectContaining({ term: 5, round: 0, to: 'b' })]);
});

test('§3.4: with split votes a candidate times out and starts anew, in a new term', () => {
  const node = candidate();
  node.take();
  node.raft.tick(node.raft.nextDeadlineMs() ?? 0);
  expect(node.role).toBe('pre-candidate');
  node.step(preVoteAnswer('c>a', 2, true), 800);
  expect(node.term).toBe(2);
});

test('a candidate that too many refuse gives up at once and waits as a follower', () => {
  const node = candidate();
  node.step(voteAnswer('b>a', 1, false), 410);
  expect(node.role).toBe('candidate');
  node.step(voteAnswer('c>a', 1, false), 410);
  expect(node.role).toBe('follower');
  expect(node.disk.hardState.votedFor).toBe('a');
});

test('a candidacy that too few answer in time doubles the next one’s timer, up to eight times', () => {
  const node = candidate();
  const timers: number[] = [];
  for (let term = 2; term <= 7; term += 1) {
    const startMs = node.raft.nextDeadlineMs() ?? 0;
    node.raft.tick(startMs);
    node.step(preVoteAnswer('b>a', term, true), startMs);
    node.persist(startMs);
    timers.push((node.raft.nextDeadlineMs() ?? 0) - startMs);
  }
  expect(timers).toEqual([600, 1200, 2400, 2400, 2400, 2400]);
});

test('a candidacy that a quorum has answered was a split vote: the next timer is no longer', () => {
  const node = candidate();
  const timers: number[] = [];
  for (let term = 2; term <= 5; term += 1) {
    const startMs = node.raft.nextDeadlineMs() ?? 0;
    node.step(voteAnswer('b>a', term - 1, false), startMs);
    node.raft.tick(startMs);
    node.step(preVoteAnswer('b>a', term, true), startMs);
    node.persist(startMs);
    timers.push((node.raft.nextDeadlineMs() ?? 0) - startMs);
  }
  expect(timers).toEqual([300, 300, 300, 300]);
});

test('the timer of a candidate runs from the moment its vote is durable', () => {
  const node = new TestNode('a', THREE);
  node.raft.electionTimeout(400);
  node.step(preVoteAnswer('b>a', 1, true), 400);
  expect(node.role).toBe('candidate');
  expect(node.raft.nextDeadlineMs()).toBeUndefined();
  node.raft.tick(5000);
  node.raft.electionTimeout(5000);
  expect(node.term).toBe(1);
  node.persist(5000);
  expect(node.raft.nextDeadlineMs()).toBe(5300);
});

test('§3.6.1: a voter denies its vote if its own log is more up-to-date', () => {
  const own = entriesOf(1, 1, 3);
  const cases = [
    ['3/3', true],
    ['4/3', true],
    ['1/4', true],
    ['2/3', false],
    ['9/2', false],
    ['3/1', false],
  ] as const;
  for (const [last, granted] of cases) {
    const disk = { hardState: hardStateOf(4), entries: own };
    const node = new TestNode('a', THREE, { disk });
    node.step(vote('b>a', 5, last), 400);
    node.persist(400);
    expect([last, only(node.take(), 'vote-response')[0]?.granted]).toEqual([last, granted]);
  }
});

test('§3.4: granting a vote restarts the timer; refusing one does not', () => {
  const node = new TestNode('a', THREE, { disk: { entries: entriesOf(1) } });
  node.step(vote('b>a', 2, '0/0'), 200);
  expect(node.raft.nextDeadlineMs()).toBe(300);
  node.step(vote('c>a', 3, '1/1'), 200);
  expect(node.raft.nextDeadlineMs()).toBe(500);
});

test('a pre-candidate that votes for another waits for it as a follower', () => {
  const node = new TestNode('a', THREE);
  node.raft.electionTimeout(400);
  node.pump();
  node.step(vote('b>a', 1, '0/0'), 410);
  expect(node.role).toBe('follower');
  expect(node.raft.state.hardState.votedFor).toBe('b');
});

test('§3.2: Election Safety: at most one leader can be elected in a term', () => {
  const cluster = new Cluster(FIVE);
  cluster.nowMs = 1000;
  for (const id of FIVE) cluster.node(id).raft.electionTimeout(1000);
  cluster.settle();
  const terms = [...cluster.nodes.values()].map((node) => node.term);
  expect(cluster.leaders().length).toBeLessThanOrEqual(1);
  cluster.advance(3000);
  expect(cluster.leaders().length).toBe(1);
  expect(Math.max(...terms)).toBeLessThanOrEqual(2);
});
