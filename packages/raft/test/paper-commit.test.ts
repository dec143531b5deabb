import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { accepted, append, heartbeat, only, preVoteAnswer, voteAnswer } from './message.js';
import { entriesOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];
const FIVE = ['a', 'b', 'c', 'd', 'e'];

/** A leader of the next term that nobody has acknowledged anything to. */
function leaderOf(voters: readonly string[], ...terms: number[]): TestNode {
  const term = terms.at(-1) ?? 0;
  const disk = { hardState: hardStateOf(term), entries: entriesOf(...terms) };
  const node = new TestNode('a', voters, { disk });
  node.raft.electionTimeout(400);
  const peers = voters.slice(1);
  for (const peer of peers) node.step(preVoteAnswer(`${peer}>a`, term + 1, true), 400);
  node.persist(400);
  for (const peer of peers) node.step(voteAnswer(`${peer}>a`, term + 1, true), 400);
  node.take();
  return node;
}

test('§3.5: an entry is committed once the leader has replicated it on a majority', () => {
  const leader = leaderOf(FIVE);
  leader.persist(400);
  leader.step(accepted('b>a', 1, 1), 400);
  expect(leader.commitIndex).toBe(0);
  leader.step(accepted('b>a', 1, 1), 400);
  expect(leader.commitIndex).toBe(0);
  leader.step(accepted('c>a', 1, 1), 400);
  expect(leader.commitIndex).toBe(1);
  expect(leader.applied.map(({ index }) => index)).toEqual([1]);
});

test('§3.5: committing an entry also commits all entries before it', () => {
  const leader = leaderOf(THREE, 1, 1, 2);
  leader.persist(400);
  leader.step(accepted('b>a', 3, 4), 400);
  expect(leader.commitIndex).toBe(4);
  expect(leader.applied.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
});

test('§6.4: a new leader appends a no-op of its term, with the last entry’s cluster time', () => {
  const entries = entriesOf(1).map((entry) => ({ ...entry, clusterTimeMs: 777 }));
  const disk = { hardState: hardStateOf(1), entries };
  const node = new TestNode('a', ['a'], { disk });
  node.raft.tick(0);
  node.pump();
  node.persist(0);
  const [, noOp] = node.raft.state.log.entries;
  expect(noOp).toMatchObject({ index: 2, term: 2, kind: 'no-op', clusterTimeMs: 777 });
});

test('R-023, §3.6.2: only entries of the own term are committed by counting (Figure 3.7)', () => {
  const leader = leaderOf(FIVE, 1, 2);
  leader.persist(400);
  leader.step(accepted('b>a', 3, 2), 400);
  leader.step(accepted('c>a', 3, 2), 400);
  expect(leader.commitIndex).toBe(0);
  leader.step(accepted('b>a', 3, 3), 400);
  expect(leader.commitIndex).toBe(0);
  leader.step(accepted('c>a', 3, 3), 400);
  expect(leader.commitIndex).toBe(3);
});

test('R-019: old entries commit only behind one that the next election must respect', () => {
  const hundred = Array.from({ length: 100 }, () => 1);
  const cluster = new Cluster(THREE, {
    disks: {
      a: { hardState: hardStateOf(2), entries: entriesOf(...hundred) },
      b: { hardState: hardStateOf(2), entries: entriesOf(...hundred.slice(0, 50), 2) },
      c: { hardState: hardStateOf(2), entries: entriesOf(...hundred.slice(0, 50)) },
    },
  });
  cluster.isolate('b');
  cluster.lose(
    (message) => message.type === 'append-request' && message.entries.some(({ term }) => term > 2),
  );
  cluster.nowMs += 1000;
  cluster.campaign('a');
  cluster.advance(200);
  expect(cluster.node('a').commitIndex).toBe(0);
  cluster.heal();
  cluster.isolate('b');
  cluster.advance(200);
  expect(cluster.node('a').commitIndex).toBe(101);
  cluster.heal();
  cluster.isolate('a');
  cluster.nowMs += 1000;
  cluster.campaign('b');
  cluster.campaign('b');
  expect(cluster.node('b').role).not.toBe('leader');
});

test('R-024: a leader counts itself up to what its disk holds, and no quorum needs it', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  cluster.hangDisk('a');
  cluster.cut('a', 'c');
  cluster.propose('a');
  expect(leader.commitIndex).toBe(1);
  cluster.heal();
  cluster.advance(100);
  expect(leader.commitIndex).toBe(2);
  expect(leader.applied.length).toBe(1);
  cluster.fixDisk('a');
  cluster.settle();
  expect(leader.applied.length).toBe(2);
});

test('R-079: a single node commits nothing before its own write is durable', () => {
  const node = new TestNode('a', ['a']);
  node.raft.tick(0);
  node.pump();
  node.persist(0);
  expect(node.role).toBe('leader');
  expect(node.commitIndex).toBe(0);
  node.persist(0);
  expect(node.commitIndex).toBe(1);
});

test('R-015: a follower’s commit index never moves back', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1, 1), 3), 10);
  expect(node.commitIndex).toBe(3);
  node.step(append('a>b', 1, '3/1', [], 1), 20);
  node.step(heartbeat('c>b', 2, 1, { commit: 1 }), 30);
  expect(node.commitIndex).toBe(3);
});

test('§3.5: a follower commits up to what the request proves it holds, not beyond', () => {
  const disk = { hardState: hardStateOf(2), entries: entriesOf(1, 1, 1, 1) };
  const node = new TestNode('b', THREE, { disk });
  node.step(append('a>b', 2, '1/1', entriesOf(1, 1).slice(1), 4), 10);
  expect(node.commitIndex).toBe(2);
});

test('R-083: a heartbeat whose match is beyond the log is not believed', () => {
  const node = new TestNode('b', THREE, { disk: { entries: entriesOf(1) } });
  node.step(heartbeat('a>b', 1, 1, { commit: 9 }), 10);
  expect(node.commitIndex).toBe(0);
});

test('R-021: the leader’s bound is remembered until more is proved and durable', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1)), 10);
  node.persist(10);
  node.step(append('a>b', 1, '2/1', entriesOf(1, 1, 1).slice(2)), 20);
  node.step(heartbeat('a>b', 1, 1, { commit: 3 }), 30);
  expect(node.applied.map(({ index }) => index)).toEqual([1, 2]);
  node.persist(40);
  expect(node.applied.map(({ index }) => index)).toEqual([1, 2, 3]);
});

test('R-021: a bound ahead of the log counts when the entries come', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1), 3), 10);
  expect(node.commitIndex).toBe(1);
  node.step(append('a>b', 1, '1/1', entriesOf(1, 1, 1, 1).slice(1), 1), 20);
  expect(node.commitIndex).toBe(3);
});

test('followers learn of a commit at once; what is lost of it the next heartbeat says', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.propose('a');
  for (const id of THREE) expect(cluster.node(id).commitIndex).toBe(2);
  cluster.lose((message) => message.type === 'heartbeat');
  cluster.propose('a');
  expect(cluster.node('b').commitIndex).toBe(2);
  cluster.heal();
  cluster.advance(50);
  for (const id of THREE) expect(cluster.node(id).commitIndex).toBe(3);
});

test('a commit notice goes once, unanswered, and only to whom no append on its way will tell', () => {
  const leader = leaderOf(THREE);
  leader.persist(400);
  for (const peer of ['b', 'c']) leader.step(accepted(`${peer}>a`, 1, 1), 400);
  leader.take();
  for (let at = 0; at < 2; at += 1) leader.raft.propose(new Uint8Array(1), 'command', 0, 400);
  leader.pump();
  leader.persist(400);
  leader.take();
  const notices = (): unknown =>
    only(leader.take(), 'heartbeat').map(({ to, round, commitIndex }) => [to, round, commitIndex]);
  leader.step(accepted('b>a', 1, 3), 400);
  // `c` has an append on its way, and acknowledges it later.
  expect(notices()).toEqual([['b', 0, 3]]);
  leader.pump();
  expect(notices()).toEqual([]);
  leader.step(accepted('c>a', 1, 3), 400);
  expect(notices()).toEqual([['c', 0, 3]]);
  const follower = new TestNode('b', THREE, { disk: { entries: entriesOf(1, 1) } });
  follower.step(heartbeat('a>b', 1, 0, { commit: 2 }), 10);
  follower.persist(10);
  expect(follower.commitIndex).toBe(2);
  expect(follower.take()).toEqual([]);
});

test('a heartbeat says how far all is committed, and how far the follower is known to match', () => {
  const leader = leaderOf(THREE);
  leader.persist(400);
  leader.step(accepted('b>a', 1, 1), 400);
  leader.take();
  leader.raft.heartbeatDue(410);
  leader.pump();
  const beats = only(leader.take(), 'heartbeat');
  expect(beats.map(({ to, commitIndex, matchIndex }) => [to, commitIndex, matchIndex])).toEqual([
    ['b', 1, 1],
    ['c', 1, 0],
  ]);
});

test('§3.5: a follower commits what a heartbeat says up to the match that it proves', () => {
  const node = new TestNode('b', THREE, { disk: { entries: entriesOf(1, 1, 1) } });
  node.step(heartbeat('a>b', 1, 1, { commit: 3, match: 2 }), 10);
  expect(node.commitIndex).toBe(2);
  node.step(append('a>b', 1, '2/1', entriesOf(1, 1, 1).slice(2)), 20);
  expect(node.commitIndex).toBe(3);
});

test('S5: entries are applied once, in order; a driver that says otherwise is stopped', () => {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1), 2), 10);
  node.persist(10);
  expect(() => node.raft.applied(1 as never)).toThrow(/never decreases/);
  expect(() => node.raft.applied(3 as never)).toThrow(/handed over/);
});

test('§3.6.3, State Machine Safety: all nodes apply the same entries in the same order', () => {
  const cluster = new Cluster(FIVE);
  cluster.elect('a');
  for (let i = 0; i < 5; i += 1) cluster.propose('a');
  cluster.isolate('a');
  cluster.node('a').raft.propose(new Uint8Array(9), 'command', 0, cluster.nowMs);
  cluster.settle();
  cluster.elect('b');
  cluster.propose('b');
  cluster.heal();
  cluster.advance(500);
  const applied = [...cluster.nodes.values()].map((node) => JSON.stringify(node.applied));
  expect(new Set(applied).size).toBe(1);
  expect(cluster.node('a').applied.length).toBe(8);
});
