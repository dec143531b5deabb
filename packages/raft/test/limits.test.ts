import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_OPTIONS, InvalidOption, Raft } from '../src/index.js';
import { Cluster } from './cluster.js';
import { NO_HARD_STATE, type NodeSettings, optionsOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

test('beyond the uncommitted bytes a leader answers OVERLOADED, until more is committed', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { uncommittedBytesMax: 1000 } } });
  const leader = cluster.elect('a');
  const propose = (bytes: number): unknown =>
    leader.raft.propose(new Uint8Array(bytes), 'command', 0, cluster.nowMs);
  expect(propose(436)).toMatchObject({ type: 'accepted', index: 2, term: 1 });
  expect(propose(436)).toMatchObject({ type: 'accepted', index: 3 });
  const rejection = { type: 'rejected', code: 'OVERLOADED', limit: 'uncommittedBytesMax' };
  expect(propose(0)).toEqual(rejection);
  cluster.settle();
  expect(propose(0)).toMatchObject({ type: 'accepted', index: 4 });
});

test('beyond the log bytes a leader refuses commands, but no-ops pass', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { logBytesMax: 200 } } });
  const leader = cluster.elect('a');
  cluster.propose('a', 72);
  const propose = (kind: 'command' | 'no-op'): unknown =>
    leader.raft.propose(new Uint8Array(0), kind, 0, cluster.nowMs);
  expect(propose('command')).toEqual({
    type: 'rejected',
    code: 'OVERLOADED',
    limit: 'logBytesMax',
  });
  expect(propose('no-op')).toMatchObject({ type: 'accepted', index: 3 });
});

test('what is urgent passes a full leader, up to a quarter above its limits', () => {
  for (const limits of [{ uncommittedBytesMax: 1000 }, { logBytesMax: 1000 }]) {
    const cluster = new Cluster(['a', 'b', 'c'], { settings: { limits } });
    const { raft } = cluster.elect('a');
    const propose = (bytes: number, urgent: boolean): string => {
      const payload = new Uint8Array(bytes);
      return raft.propose(payload, 'command', 0, cluster.nowMs, { urgent }).type;
    };
    // The no-op of the log takes 64 of its bytes, and is committed.
    expect(propose(800, false)).toBe('accepted');
    expect(propose(100, false)).toBe('rejected');
    expect(propose(100, true)).toBe('accepted');
    expect(propose(300, true)).toBe('rejected');
    expect(propose(64, true)).toBe('accepted');
  }
});

test('a new leader’s no-op passes a full log', () => {
  const cluster = new Cluster(THREE, { settings: { limits: { logBytesMax: 200 } } });
  cluster.elect('a');
  cluster.propose('a', 72);
  cluster.elect('b');
  expect(cluster.node('b').commitIndex).toBe(3);
});

test('a follower refuses proposals and names the leader it knows', () => {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  const proposed = cluster.node('b').raft.propose(new Uint8Array(1), 'command', 0, cluster.nowMs);
  expect(proposed).toEqual({ type: 'rejected', code: 'NOT_LEADER', leader: 'a' });
});

test('the cluster time of entries never decreases along the log', () => {
  const cluster = new Cluster(THREE);
  const { raft } = cluster.elect('a');
  for (const time of [100, 50, 200]) raft.propose(new Uint8Array(1), 'command', time, 0);
  expect(raft.state.log.entries.map(({ clusterTimeMs }) => clusterTimeMs)).toEqual([
    0, 100, 100, 200,
  ]);
});

test('the defaults are those of DESIGN', () => {
  expect(DEFAULT_OPTIONS).toMatchObject({
    heartbeatMs: 50,
    electionTimeoutMs: 300,
    leaseReads: false,
    clockRateBound: 0.01,
  });
  expect(DEFAULT_LIMITS).toMatchObject({
    appendBytesMax: 262_144,
    uncommittedBytesMax: 67_108_864,
    logBytesMax: 4_294_967_296,
  });
});

test('an option that cannot work is refused by name', () => {
  const cases: [NodeSettings, string][] = [
    [{ heartbeatMs: 0 }, 'heartbeatMs'],
    [{ heartbeatMs: 1.5 }, 'heartbeatMs'],
    [{ electionTimeoutMs: -1 }, 'electionTimeoutMs'],
    [{ electionTimeoutMs: 99 }, 'electionTimeoutMs'],
    [{ electionTimeoutMs: 60_001, leaseReads: true }, 'electionTimeoutMs'],
    [{ clockRateBound: 0.1 }, 'clockRateBound'],
    [{ clockRateBound: -0.1 }, 'clockRateBound'],
    [{ clockRateBound: Number.NaN }, 'clockRateBound'],
    [{ limits: { appendBytesMax: 0 } }, 'limits.appendBytesMax'],
    [{ limits: { logBytesMax: Number.NaN } }, 'limits.logBytesMax'],
  ];
  for (const [settings, option] of cases) {
    let refusal: unknown;
    try {
      new TestNode('a', THREE, { settings });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(InvalidOption);
    expect(refusal).toMatchObject({ code: 'INVALID_OPTION', option });
  }
  expect(() => new TestNode('', THREE)).toThrow('id must not be empty');
});

test('a node that is not among the voters is a fault of its driver', () => {
  const loaded = { hardState: NO_HARD_STATE, entries: [], membership: { voters: [] } };
  const options = optionsOf('a' as never);
  expect(() => new Raft(options, loaded, 0)).toThrow('a node is one of its voters');
});

test('a proposal costs no copy of the log: 50,000 entries in a few seconds at most', () => {
  const cluster = new Cluster(['a'], { settings: { limits: { uncommittedBytesMax: 2 ** 40 } } });
  const { raft } = cluster.elect('a');
  const payload = new Uint8Array(256);
  for (let i = 0; i < 50_000; i += 1) {
    raft.propose(payload, 'command', i, cluster.nowMs);
    if (i % 50 === 0) cluster.settle();
  }
  cluster.settle();
  expect(raft.state.commitIndex).toBe(50_001);
});
