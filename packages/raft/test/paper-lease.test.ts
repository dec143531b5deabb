import { expect, test } from 'vitest';
import { LEASE_SLACK_MS, leaseMs } from '../src/index.js';
import { Cluster } from './cluster.js';
import { heartbeat, heartbeatAnswer, only, preVote, vote } from './message.js';
import { hardStateOf, optionsOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];
const LEASE = { leaseReads: true };

/** A follower of a that has promised 300 ms at 100 ms, durably. */
function promised(): TestNode {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 1, 1, { promiseMs: 300 }), 100);
  node.persist(100);
  return node;
}

function votesOf(node: TestNode): boolean[] {
  return only(node.take(), 'vote-response').map(({ granted }) => granted);
}

test('§6.4.1: a leader serves reads without a round while its lease holds', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(1);
});

test('§6.4.1: the lease runs from the time its round was sent, not from the answer', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  cluster.elect('a');
  cluster.isolate('a');
  const leader = cluster.node('a');
  leader.raft.heartbeatDue(cluster.nowMs + 10);
  leader.pump();
  const round = only(leader.take(), 'heartbeat')[0]?.round ?? 0;
  const sentMs = cluster.nowMs + 10;
  leader.step(heartbeatAnswer('b>a', 1, round, 300), sentMs + 200);
  const endMs = sentMs + leaseMs(leader.raft.state.options);
  expect(leader.raft.leaseReadIndex(endMs - 0.01)).toBe(1);
  expect(leader.raft.leaseReadIndex(endMs)).toBeUndefined();
});

test('§6.4.1: the lease is shorter than the promise by what two clocks may drift apart', () => {
  const options = optionsOf('a' as never, { ...LEASE, clockRateBound: 0.05 });
  const lease = leaseMs(options);
  expect((lease + LEASE_SLACK_MS) / 0.95).toBeCloseTo(300 / 1.05);
});

test('the lease counts the send times of a quorum: one slow peer does not matter, two do', () => {
  const cluster = new Cluster(['a', 'b', 'c', 'd', 'e'], { settings: LEASE });
  const leader = cluster.elect('a');
  cluster.cut('a', 'b');
  cluster.cut('a', 'c');
  cluster.advance(1000);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(1);
  cluster.cut('a', 'd');
  cluster.advance(290);
  expect(leader.role).toBe('leader');
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
});

test('an answer that echoes a shorter promise, or none, renews no lease', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  cluster.lose(({ type }) => type === 'heartbeat-response');
  const leader = cluster.elect('a');
  leader.step(heartbeatAnswer('b>a', 1, 1, 0), cluster.nowMs);
  leader.step(heartbeatAnswer('b>a', 1, 1, 299), cluster.nowMs);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
  leader.step(heartbeatAnswer('b>a', 1, 1, 300), cluster.nowMs);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(1);
});

test('a late answer to an earlier round never moves the lease back', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  cluster.advance(200);
  const { role } = leader.raft.state;
  const endMs = role.type === 'leader' ? role.leaseEndMs : undefined;
  leader.step(heartbeatAnswer('b>a', 1, 1, 300), cluster.nowMs);
  expect(role.type === 'leader' && role.leaseEndMs).toBe(endMs);
});

test('an answer to a round that never was, or is forgotten, renews nothing', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  cluster.lose(({ type }) => type === 'heartbeat-response');
  const leader = cluster.elect('a');
  leader.step(heartbeatAnswer('b>a', 1, 0, 300), cluster.nowMs);
  for (let i = 0; i < 2100; i += 1) leader.raft.heartbeatDue(cluster.nowMs);
  leader.step(heartbeatAnswer('b>a', 1, 1, 300), cluster.nowMs);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
  leader.step(heartbeatAnswer('b>a', 1, 2101, 300), cluster.nowMs);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(1);
});

test('§6.4: no lease read before an entry of the own term is committed', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  cluster.lose(({ type }) => type === 'append-request');
  const leader = cluster.elect('a');
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
  cluster.heal();
  cluster.advance(60);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(1);
});

test('with lease reads off a leader asks no promise and serves none', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  expect(only(cluster.delivered, 'heartbeat').every(({ promiseMs }) => promiseMs === 0)).toBe(true);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
  expect(cluster.node('b').raft.leaseReadIndex(cluster.nowMs)).toBeUndefined();
});

test('a single voter needs no lease to be alone', () => {
  const cluster = new Cluster(['a'], { settings: LEASE });
  const leader = cluster.elect('a');
  expect(leader.raft.leaseReadIndex(cluster.nowMs + 1_000_000)).toBe(1);
});

test('§6.4.1: a voter honours a promise whatever its own flags, and just until it ends', () => {
  const node = promised();
  node.step(preVote('c>b', 2, '9/9'), 399);
  node.step(vote('c>b', 2, '9/9'), 399);
  expect(node.raft.state.hardState).toMatchObject({ term: 1, votedFor: undefined });
  node.step(vote('c>b', 2, '9/9'), 400);
  node.persist(400);
  expect(votesOf(node)).toEqual([true]);
});

test('S25: a promise outlives the term, the leader and the role it was made in (R-062)', () => {
  const node = promised();
  node.step(heartbeatAnswer('c>b', 5, 0), 110);
  node.step(vote('c>b', 6, '9/9'), 399);
  expect(node.term).toBe(5);
  expect(votesOf(node)).toEqual([]);
});

test('R-062: a shorter promise does not end a longer one sooner', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 1, 1, { promiseMs: 900 }), 100);
  node.step(heartbeat('a>b', 1, 2, { promiseMs: 1 }), 110);
  node.persist(110);
  node.take();
  node.step(heartbeatAnswer('c>b', 5, 0), 120);
  node.step(vote('c>b', 6, '9/9'), 999);
  expect(node.term).toBe(5);
  expect(node.raft.state.promise?.untilMs).toBe(1000);
});

test('a node does not campaign before its own promise ends', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 1, 1, { promiseMs: 900 }), 100);
  node.raft.tick(400);
  expect(node.role).toBe('follower');
  expect(node.raft.nextDeadlineMs()).toBe(1000);
  node.raft.tick(1000);
  expect(node.role).toBe('pre-candidate');
});

test('the promise is durable before it is echoed', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 0, 1, { promiseMs: 300 }), 100);
  expect(node.take()).toEqual([]);
  expect(node.write?.hardState?.promiseMs).toBe(300);
  node.persist(100);
  expect(only(node.take(), 'heartbeat-response').map(({ promiseMs }) => promiseMs)).toEqual([300]);
  node.step(heartbeat('a>b', 0, 2, { promiseMs: 200 }), 110);
  expect(only(node.take(), 'heartbeat-response').map(({ promiseMs }) => promiseMs)).toEqual([200]);
  expect(node.disk.hardState.promiseMs).toBe(300);
});

test('a promise beyond the limit is not made, and the answer says so', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 0, 1, { promiseMs: 60_001 }), 100);
  expect(only(node.take(), 'heartbeat-response').map(({ promiseMs }) => promiseMs)).toEqual([0]);
  expect(node.raft.state.promise).toBeUndefined();
});

test('after a restart the longest promise is waited out: no vote, no pre-vote, no campaign', () => {
  const node = promised();
  node.restart(200);
  expect(node.disk.hardState.promiseMs).toBe(300);
  node.step(preVote('a>b', 2, '9/9'), 499);
  node.step(vote('a>b', 2, '9/9'), 499);
  expect(only(node.take(), 'pre-vote-response').map(({ granted }) => granted)).toEqual([false]);
  expect(node.term).toBe(1);
  node.raft.electionTimeout(499);
  expect(node.role).toBe('follower');
  node.raft.electionTimeout(500);
  expect(node.role).toBe('pre-candidate');
});

test('a single voter does not wait after a restart: nobody else was promised anything', () => {
  const disk = { hardState: hardStateOf(1, 'a', 300) };
  const node = new TestNode('a', ['a'], { disk });
  node.raft.tick(0);
  expect(node.role).toBe('candidate');
});

test('a leader whose lease is valid votes for nobody else', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  leader.step(preVote('c>a', 2, '9/9'), cluster.nowMs + 250);
  leader.step(vote('c>a', 2, '9/9'), cluster.nowMs + 250);
  expect(leader.role).toBe('leader');
  expect(only(leader.take(), 'pre-vote-response').map(({ granted }) => granted)).toEqual([false]);
});

test('R-061: nothing but the monotonic time handed in moves a lease', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  const before = leader.raft.leaseReadIndex(cluster.nowMs);
  leader.raft.tick(cluster.nowMs - 3_600_000);
  expect(leader.raft.state.nowMs).toBe(cluster.nowMs);
  expect(leader.raft.leaseReadIndex(cluster.nowMs)).toBe(before);
});

test('R-063: the promise is the base election timeout, whatever the campaign timer drew', () => {
  const settings = { ...LEASE, random: () => 0.9 };
  const cluster = new Cluster(THREE, { settings });
  cluster.elect('a');
  const rounds = only(cluster.delivered, 'heartbeat').filter(({ round }) => round > 0);
  const promises = rounds.map(({ promiseMs }) => promiseMs);
  expect(new Set(promises)).toEqual(new Set([300]));
});

test('S24: while a lease is valid no other node can lead', () => {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  cluster.advance(200);
  cluster.isolate('a');
  for (let i = 0; i < 400; i += 1) {
    cluster.advance(5);
    const holders = cluster.leaders().filter((id) => id !== 'a');
    if (leader.raft.leaseReadIndex(cluster.nowMs) !== undefined) expect(holders).toEqual([]);
  }
  expect(cluster.leaders()).toEqual(['b']);
});

/** True ms from the send of a round to the end of the lease, and to the first vote for another. */
function trueEnds(drift: number): { leaseMs: number; voteMs: number } {
  const cluster = new Cluster(THREE, { settings: LEASE });
  const leader = cluster.elect('a');
  const sentMs = cluster.nowMs;
  const voter = cluster.node('b');
  let leaseMs = 0;
  while (leader.raft.leaseReadIndex(sentMs + leaseMs * (1 - drift)) !== undefined) leaseMs += 0.1;
  let voteMs = 0;
  for (let granted = false; !granted; voteMs += 0.1) {
    voter.step(preVote('c>b', 2, '9/9'), sentMs + voteMs * (1 + drift));
    granted = only(voter.take(), 'pre-vote-response').some((answer) => answer.granted);
  }
  return { leaseMs, voteMs };
}

test('S24: within the bound, and only there, a slow clock’s lease ends in time', () => {
  const within = trueEnds(0.01);
  expect(within.leaseMs).toBeLessThan(within.voteMs);
  const beyond = trueEnds(0.05);
  expect(beyond.leaseMs).toBeGreaterThan(beyond.voteMs);
});
