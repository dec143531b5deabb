import { expect, test } from 'vitest';
import type { Raft } from '../src/index.js';
import { checkInvariants, InvariantViolation, type RaftState } from '../src/index.js';
import { Cluster } from './cluster.js';
import { append, heartbeat, preVoteAnswer } from './message.js';
import { entriesOf, TestNode } from './node.js';

const THREE = ['a', 'b', 'c'];

function leaderState(): RaftState {
  const cluster = new Cluster(THREE);
  cluster.elect('a');
  cluster.propose('a');
  return cluster.node('a').raft.fork().state;
}

function followerState(): RaftState {
  const node = new TestNode('b', THREE);
  node.step(append('a>b', 1, '0/0', entriesOf(1, 1), 1), 10);
  return node.raft.fork().state;
}

function candidateState(): RaftState {
  const node = new TestNode('a', THREE);
  node.raft.electionTimeout(300);
  node.step(preVoteAnswer('b>a', 1, true), 300);
  return node.raft.fork().state;
}

/** The state after `damage` is no longer one that the core may be in. */
function breaks(state: RaftState, damage: (state: never) => void, rule: RegExp): void {
  checkInvariants(state);
  damage(state as never);
  expect(() => checkInvariants(state)).toThrow(InvariantViolation);
  expect(() => checkInvariants(state)).toThrow(rule);
}

type Loose = Record<string, never>;

test('each invariant speaks up when it is broken', () => {
  breaks(leaderState(), (s: Loose) => Object.assign(s, { appliedIndex: 9 }), /handed over/);
  breaks(leaderState(), (s: Loose) => Object.assign(s, { appliedIndex: -1 }), /negative/);
  breaks(leaderState(), (s: Loose) => Object.assign(s, { commitIndex: 1 }), /is committed/);
  breaks(leaderState(), (s: Loose) => Object.assign(s, { commitIndex: 9 }), /in the log/);
  breaks(followerState(), (s: RaftState) => s.log.entries.pop(), /counted/);
  breaks(followerState(), (s: RaftState) => (s.persistence.writtenIndex = 9 as never), /written/);
  breaks(followerState(), (s: RaftState) => (s.persistence.inFlight = undefined), /durable/);
  breaks(
    leaderState(),
    (s: RaftState) => (s.hardState = { ...s.hardState, term: 0 as never }),
    /later term/,
  );
  breaks(
    leaderState(),
    (s: RaftState) => (s.hardState = { ...s.hardState, votedFor: undefined }),
    /voted for itself/,
  );
  breaks(
    leaderState(),
    (s: RaftState) => s.role.type === 'leader' && (s.role.progress[0] as { next: number }).next++,
    /sent/,
  );
  breaks(
    leaderState(),
    (s: RaftState) => s.role.type === 'leader' && s.role.progress.pop(),
    /one progress/,
  );
  breaks(
    candidateState(),
    (s: RaftState) => s.role.type === 'candidate' && s.role.granted.push('a' as never),
    /own vote counts/,
  );
  breaks(
    followerState(),
    (s: RaftState) =>
      s.role.type === 'follower' && s.role.leader && (s.role.leader.matchedIndex = 9 as never),
    /matched/,
  );
});

test('a fork goes its own way, in every role', () => {
  const cluster = new Cluster(THREE, { settings: { leaseReads: true } });
  cluster.elect('a');
  cluster.propose('a');
  const { nowMs } = cluster;
  const pending = cluster.node('a').raft;
  pending.readIndex(nowMs);
  const roles: Raft[] = [pending, cluster.node('b').raft];
  const preCandidate = cluster.node('c').raft.fork();
  preCandidate.electionTimeout(nowMs + 1000);
  const candidate = preCandidate.fork();
  candidate.step(preVoteAnswer('b>c', 2, true), nowMs + 1000);
  const writing = new TestNode('b', THREE);
  writing.step(append('a>b', 1, '0/0', entriesOf(1, 1), 1), 10);
  writing.step(heartbeat('a>b', 1, 1, { promiseMs: 7 }), 10);
  roles.push(preCandidate, candidate, writing.raft);
  for (const raft of roles) {
    const before = JSON.stringify(raft.state);
    const copy = raft.fork();
    expect(JSON.stringify(copy.state)).toBe(before);
    copy.step(heartbeat('b>a', 50, 1), nowMs + 5000);
    copy.step(heartbeat('a>b', 50, 1, { promiseMs: 9 }), nowMs + 5000);
    copy.step(heartbeat('a>c', 50, 1), nowMs + 5000);
    copy.ready();
    copy.electionTimeout(nowMs + 9000);
    expect(JSON.stringify(raft.state)).toBe(before);
    checkInvariants(copy.state);
  }
});

test('a fork draws no random number of its own', () => {
  let draws = 0;
  const settings = { random: () => (draws++, 0) };
  const { raft } = new TestNode('a', THREE, { settings });
  const before = draws;
  raft.fork();
  expect(draws).toBe(before);
});

test('the state is plain data: JSON shows all of it', () => {
  const state = leaderState();
  const restored = JSON.parse(JSON.stringify(state)) as RaftState;
  expect(restored.role).toEqual(JSON.parse(JSON.stringify(state.role)));
  expect(Object.keys(restored)).toContain('persistence');
});
