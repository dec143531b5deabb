import { expect, test } from 'vitest';
import { Cluster } from './cluster.js';
import { accepted, append, heartbeat, heartbeatAnswer, only, rejected } from './message.js';
import { entriesOf, entryOf, hardStateOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

/** A follower of b in term 3 with the given terms in its log. */
function follower(...terms: number[]): TestNode {
  const disk = { hardState: hardStateOf(3), entries: entriesOf(...terms) };
  return new TestNode('a', THREE, { disk });
}

/** A leader of term 4 with the given log, whose peers have answered nothing. */
function freshLeader(...terms: number[]): { cluster: Cluster; leader: TestNode } {
  const disk = { hardState: hardStateOf(3), entries: entriesOf(...terms) };
  const cluster = new Cluster(THREE, { disks: { a: disk } });
  cluster.lose(({ type }) => type === 'append-request' || type === 'heartbeat');
  const leader = cluster.elect('a');
  cluster.heal();
  return { cluster, leader };
}

test('§3.5: the leader appends the command to its log and sends it to all others', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  leader.raft.propose(new Uint8Array(3), 'command', 0, cluster.nowMs);
  leader.pump();
  const requests = only(leader.take(), 'append-request');
  expect(requests.map(({ to, prevIndex, entries }) => [to, prevIndex, entries.length])).toEqual([
    ['b', 1, 1],
    ['c', 1, 1],
  ]);
  expect(requests[0]?.entries).toBe(requests[1]?.entries);
});

test('§3.5: what queued until the next Ready leaves as one batch', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  for (let i = 0; i < 5; i += 1) leader.raft.propose(new Uint8Array(1), 'command', 0, 0);
  leader.pump();
  expect(only(leader.take(), 'append-request').map(({ entries }) => entries.length)).toEqual([
    5, 5,
  ]);
  expect(leader.write?.entries.length).toBe(5);
});

test('§3.5: the follower refuses entries whose previous one it does not hold', () => {
  for (const [prev, hint] of [
    ['4/3', '3/2'],
    ['3/3', '3/2'],
    ['2/2', '1/1'],
  ] as const) {
    const node = follower(1, 3, 2 + 1);
    const shorter = follower(1, 1, 2);
    const target = prev === '2/2' ? node : shorter;
    target.step(append('b>a', 3, prev, [entryOf(Number(prev[0]) + 1, 3)]), 100);
    const [answer] = only(target.take(), 'append-rejected');
    expect(`${answer?.prevIndex} ${answer?.hintIndex}/${answer?.hintTerm}`).toBe(
      `${prev[0]} ${hint}`,
    );
  }
});

test('§3.5: an entry that conflicts with a new one is deleted with all that follow it', () => {
  const node = follower(1, 2, 2, 2);
  node.step(append('b>a', 3, '2/2', [entryOf(3, 3)]), 100);
  expect(node.log).toBe('1/1 2/2 3/3');
  expect(node.write?.truncateFrom).toBe(3);
  node.persist(100);
  expect(node.disk.entries.map(({ term }) => term)).toEqual([1, 2, 3]);
  expect(only(node.take(), 'append-accepted').map(({ matchIndex }) => matchIndex)).toEqual([3]);
});

test('R-014: a delayed, shorter request removes nothing', () => {
  const node = follower();
  node.step(append('b>a', 3, '0/0', entriesOf(1, 1, 1), 3), 100);
  node.persist(100);
  node.step(append('b>a', 3, '0/0', entriesOf(1)), 110);
  node.step(append('b>a', 3, '1/1', []), 110);
  expect(node.log).toBe('1/1 2/1 3/1');
  expect(node.write).toBeUndefined();
  expect(node.commitIndex).toBe(3);
});

test('R-014: a request that overlaps adds only what is missing, in one write', () => {
  const node = follower(1, 1);
  node.step(append('b>a', 3, '0/0', entriesOf(1, 1, 3, 3)), 100);
  expect(node.log).toBe('1/1 2/1 3/3 4/3');
  expect(node.write?.truncateFrom).toBeUndefined();
  expect(node.write?.entries.map(({ index }) => index)).toEqual([3, 4]);
});

test('a leader that contradicts a committed entry stops the node', () => {
  const node = follower(1, 1);
  node.step(heartbeat('b>a', 3, 1, { commit: 2 }), 100);
  expect(() => node.step(append('b>a', 3, '1/1', [entryOf(2, 3)]), 100)).toThrow(/never/);
  expect(() => node.step(append('b>a', 3, '2/3', []), 100)).toThrow(/contradicts the committed/);
});

test('R-005: whatever happens to the log, the term stays', () => {
  const disk = { hardState: hardStateOf(9), entries: entriesOf(7, 7) };
  const node = new TestNode('a', THREE, { disk });
  node.step(append('b>a', 9, '1/5', []), 100);
  node.step(append('b>a', 9, '0/0', entriesOf(6)), 100);
  node.persist(100);
  expect(node.log).toBe('1/6');
  expect(node.disk.hardState.term).toBe(9);
});

test('§3.5: the leader decrements nextIndex and retries until the logs agree', () => {
  const { cluster, leader } = freshLeader(1, 1, 3);
  expect(leader.term).toBe(4);
  cluster.advance(100);
  for (const node of cluster.nodes.values()) expect(node.log).toBe('1/1 2/1 3/3 4/4');
});

test('R-017: back-tracking takes round trips by terms, not by entries', () => {
  for (const conflicts of [1, 51, 10_000]) {
    const common = Array.from({ length: 10 }, () => 1);
    const wrong = Array.from({ length: conflicts }, () => 2);
    const right = Array.from({ length: conflicts + 5 }, () => 3);
    const cluster = new Cluster(THREE, {
      disks: {
        a: { hardState: hardStateOf(3), entries: entriesOf(...common, ...right) },
        b: { hardState: hardStateOf(3), entries: entriesOf(...common, ...wrong) },
        c: { hardState: hardStateOf(3), entries: entriesOf(...common, ...right) },
      },
    });
    cluster.elect('a');
    cluster.advance(100);
    expect(cluster.node('b').log).toBe(cluster.node('a').log);
    expect(only(cluster.delivered, 'append-rejected').length).toBeLessThanOrEqual(2);
  }
});

test('R-017: conflicts in many terms converge in as many round trips as there are terms', () => {
  const cluster = new Cluster(THREE, {
    disks: {
      a: { hardState: hardStateOf(40), entries: entriesOf(1, ...Array(30).fill(40)) },
      b: {
        hardState: hardStateOf(40),
        entries: entriesOf(1, ...Array.from({ length: 30 }, (_, i) => 2 + Math.floor(i / 3))),
      },
      c: { hardState: hardStateOf(40), entries: entriesOf(1, ...Array(30).fill(40)) },
    },
  });
  cluster.elect('a');
  cluster.advance(100);
  expect(cluster.node('b').log).toBe(cluster.node('a').log);
  expect(only(cluster.delivered, 'append-rejected').length).toBeLessThanOrEqual(11);
});

test('R-016: a rejection counts only if it answers the last request; match stays', () => {
  const { leader, cluster } = freshLeader(1, 1, 3);
  const { nowMs } = cluster;
  const progress = (): string => {
    const { role } = leader.raft.state;
    const one = role.type === 'leader' ? role.progress[0] : undefined;
    return `${one?.flow.type} match ${one?.match} next ${one?.next}`;
  };
  expect(progress()).toBe('probe match 0 next 4');
  leader.step(rejected('b>a', 4, 1, '0/0'), nowMs);
  leader.step(rejected('b>a', 4, 7, '6/3'), nowMs);
  expect(progress()).toBe('probe match 0 next 4');
  leader.step(rejected('b>a', 4, 3, '2/1'), nowMs);
  expect(progress()).toBe('probe match 0 next 3');
  leader.step(rejected('b>a', 4, 3, '2/1'), nowMs);
  expect(progress()).toBe('probe match 0 next 3');
  leader.step(accepted('b>a', 4, 2), nowMs);
  expect(progress()).toBe('replicate match 2 next 5');
  leader.step(rejected('b>a', 4, 2, '0/0'), nowMs);
  leader.step(rejected('b>a', 4, 9, '0/0'), nowMs);
  expect(progress()).toBe('replicate match 2 next 5');
  leader.step(rejected('b>a', 4, 4, '1/1'), nowMs);
  expect(progress()).toBe('probe match 2 next 3');
  leader.step(accepted('b>a', 4, 1), nowMs);
  expect(progress()).toBe('probe match 2 next 3');
});

test('R-016: a hint above what the leader holds moves nothing upwards', () => {
  const { leader, cluster } = freshLeader(1, 1, 3);
  leader.step(rejected('b>a', 4, 3, '99/99'), cluster.nowMs);
  const { role } = leader.raft.state;
  expect(role.type === 'leader' && role.progress[0]?.next).toBe(3);
});

test('a probe waits for its answer; after a heartbeat it asks again, without the entries', () => {
  const { leader, cluster } = freshLeader(1);
  leader.take();
  leader.step(heartbeatAnswer('b>a', 4, 1), cluster.nowMs);
  expect(only(leader.take(), 'append-request')).toEqual([]);
  leader.raft.heartbeatDue(cluster.nowMs);
  leader.step(heartbeatAnswer('b>a', 4, 2), cluster.nowMs);
  const again = only(leader.take(), 'append-request');
  expect(again).toMatchObject([{ to: 'b', prevIndex: 1, prevTerm: 1, entries: [] }]);
});

test('R-016: a rejection of what is known to match is stale, also while probing', () => {
  const { leader, cluster } = freshLeader(1, 1);
  const { nowMs } = cluster;
  leader.step(accepted('b>a', 4, 3), nowMs);
  leader.raft.propose(new Uint8Array(1), 'command', 0, nowMs);
  leader.pump();
  leader.take();
  leader.step(rejected('b>a', 4, 3, '0/0'), nowMs);
  expect(leader.take()).toEqual([]);
});

test('an append that was lost with none to follow is found out by the next heartbeat', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.advance(60);
  cluster.lose((message) => message.type === 'append-request' && message.entries.length > 0);
  cluster.propose('a');
  cluster.heal();
  expect(cluster.node('b').log).toBe('1/1');
  cluster.advance(120);
  expect(cluster.node('b').log).toBe('1/1 2/1');
  expect(cluster.node('b').commitIndex).toBe(2);
});

test('an acknowledgement that was lost is asked for again', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.lose((message) => message.type === 'append-accepted');
  cluster.propose('a');
  cluster.heal();
  expect(cluster.node('a').commitIndex).toBe(1);
  cluster.advance(120);
  expect(cluster.node('a').commitIndex).toBe(2);
});

test('the window bounds appends under way by messages', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { inflightMessagesMax: 3 } } });
  const leader = cluster.elect('a');
  for (let i = 0; i < 10; i += 1) {
    leader.raft.propose(new Uint8Array(1), 'command', 0, cluster.nowMs);
    leader.pump();
  }
  expect(only(leader.take(), 'append-request').length).toBe(6);
  leader.step(accepted('b>a', 1, 3), cluster.nowMs);
  const [next] = only(leader.take(), 'append-request');
  expect(next?.entries.map(({ index }) => index)).toEqual([5, 6, 7, 8, 9, 10, 11]);
});

test('the window bounds appends under way by bytes, but lets one of any size pass', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { inflightBytesMax: 1000 } } });
  const leader = cluster.elect('a');
  for (let i = 0; i < 3; i += 1) {
    leader.raft.propose(new Uint8Array(5000), 'command', 0, cluster.nowMs);
    leader.pump();
  }
  expect(only(leader.take(), 'append-request').length).toBe(2);
});

test('R-018: batches are cut by bytes; each goes on where the last one ended', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { appendBytesMax: 1000 } } });
  const leader = cluster.elect('a');
  for (const bytes of [436, 436, 436, 5000, 936, 937, 1]) {
    leader.raft.propose(new Uint8Array(bytes), 'command', 0, cluster.nowMs);
  }
  leader.pump();
  const batches = only(leader.take(), 'append-request')
    .filter(({ to }) => to === 'b')
    .map(({ prevIndex, entries }) => [prevIndex, ...entries.map(({ index }) => index)]);
  expect(batches).toEqual([
    [1, 2, 3],
    [3, 4],
    [4, 5],
    [5, 6],
    [6, 7],
    [7, 8],
  ]);
});

test('§3.5: the Log Matching Property: equal index and term mean equal logs up to there', () => {
  const node = follower(1, 1, 2, 2);
  node.step(append('b>a', 3, '4/2', [entryOf(5, 3)]), 100);
  node.step(append('b>a', 3, '3/2', [entryOf(4, 2), entryOf(5, 3)]), 100);
  expect(node.log).toBe('1/1 2/1 3/2 4/2 5/3');
});

test('S8: within its term a leader only appends', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  const before = [...leader.raft.state.log.entries];
  cluster.propose('a');
  cluster.propose('a');
  expect(leader.raft.state.log.entries.slice(0, before.length)).toEqual(before);
});

test('a peer that claims to hold more than there is is a broken invariant', () => {
  const cluster = new Cluster(THREE);
  const leader = cluster.elect('a');
  expect(() => leader.step(accepted('b>a', 1, 99), cluster.nowMs)).toThrow(/matches no more/);
});

test('a gap in an append is a broken invariant', () => {
  const node = follower(1);
  expect(() => node.step(append('b>a', 3, '1/1', [entryOf(3, 3)]), 100)).toThrow(/right after/);
  const other = follower(1, 3);
  expect(() => other.step(append('b>a', 3, '2/3', [entryOf(3, 2)]), 100)).toThrow(/decrease/);
});
