import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { heartbeat, heartbeatAnswer, only, preVoteAnswer } from './message.js';
import { TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

test('a late tick sends one heartbeat, not those it missed, and plans the next from now', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.tick(cluster.nowMs + 240);
  leader.pump();
  expect(only(leader.take(), 'heartbeat').length).toBe(2);
  expect(leader.raft.nextDeadlineMs()).toBe(cluster.nowMs + 290);
  leader.raft.tick(cluster.nowMs + 289);
  leader.pump();
  expect(leader.take()).toEqual([]);
});

test('a leader that wakes after an election timeout steps down, whatever woke it', () => {
  const inputs: ((cluster: Cluster, wokeMs: number) => unknown)[] = [
    (cluster, wokeMs) => cluster.node('a').raft.propose(new Uint8Array(1), 'command', 0, wokeMs),
    (cluster, wokeMs) => cluster.node('a').raft.readIndex(wokeMs),
    (cluster, wokeMs) => cluster.node('a').raft.step(heartbeatAnswer('b>a', 1, 2), wokeMs),
    (cluster, wokeMs) => cluster.node('a').raft.persisted(1 as never, 1 as never, wokeMs),
    (cluster, wokeMs) => cluster.node('a').raft.heartbeatDue(wokeMs),
    (cluster, wokeMs) => cluster.node('a').raft.tick(wokeMs),
  ];
  for (const input of inputs) {
    const cluster = new Cluster(THREE);
    const leader = cluster.elect('a');
    input(cluster, cluster.nowMs + 25_000);
    expect(leader.role).toBe('follower');
  }
});

test('after that a proposal and a read are refused as by any follower', () => {
  const cluster = new Cluster(THREE);
  const { raft } = cluster.elect('a');
  const wokeMs = cluster.nowMs + 25_000;
  const rejection = { type: 'rejected', code: 'NOT_LEADER', leader: undefined };
  expect(raft.propose(new Uint8Array(1), 'command', 0, wokeMs)).toEqual(rejection);
  expect(raft.readIndex(wokeMs)).toEqual({ type: 'rejected', code: 'NOT_LEADER' });
  expect(raft.leaseReadIndex(wokeMs)).toBeUndefined();
});

test('a leader that was heard meanwhile goes on, however late its timer', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.heartbeatDue(cluster.nowMs + 10);
  leader.step(heartbeatAnswer('b>a', 1, 2), cluster.nowMs + 300);
  leader.raft.tick(cluster.nowMs + 400);
  expect(leader.role).toBe('leader');
});

test('a pause below an election timeout does not depose: the answers lie unread', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  cluster.advance(45);
  leader.raft.tick(cluster.nowMs + 290);
  expect(leader.role).toBe('leader');
  leader.raft.tick(cluster.nowMs + 290 + 51);
  expect(leader.role).toBe('follower');
});

test('a follower that stood still does not campaign on it: heartbeats lie unread', () => {
  const node = new TestNode('b', THREE);
  node.step(heartbeat('a>b', 1, 1), 100);
  node.raft.tick(25_000);
  expect(node.role).toBe('follower');
  expect(node.raft.nextDeadlineMs()).toBe(25_300);
  node.raft.tick(25_300);
  expect(node.role).toBe('pre-candidate');
});

test('nor does a pre-candidate or a candidate: answers lie unread', () => {
  const node = new TestNode('a', THREE);
  node.raft.tick(300);
  node.raft.tick(25_000);
  expect(node.raft.nextDeadlineMs()).toBe(25_300);
  node.step(preVoteAnswer('b>a', 1, true), 25_000);
  node.persist(25_000);
  node.raft.tick(60_000);
  expect(node.role).toBe('candidate');
  expect(node.raft.nextDeadlineMs()).toBe(60_300);
});

test('time never goes back, whatever is handed in', () => {
  const node = new TestNode('a', THREE);
  node.raft.tick(200);
  node.raft.tick(100);
  expect(node.raft.state.nowMs).toBe(200);
});

test('electionTimeout concerns no leader', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.electionTimeout(cluster.nowMs);
  expect(leader.role).toBe('leader');
});
