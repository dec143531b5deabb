import type { PlantedBug } from '../bug.js';

const HEARTBEAT = 'packages/raft/src/heartbeat.ts';
const LEASE = 'packages/raft/src/lease.ts';
const READ_INDEX = 'packages/raft/src/read-index.ts';
const TIMERS = 'packages/raft/src/timers.ts';

/** Linearizable reads: rounds of heartbeats, and the leader's lease. */
export const READ_BUGS: readonly PlantedBug[] = [
  {
    id: 'M14',
    title: 'serves reads before it has committed in its own term',
    seenIn: 'adjoint-io/raft#54',
    class: 'a',
    edits: [
      {
        file: READ_INDEX,
        anchor: `if (!hasOwnTermCommit(state)) return { type: 'rejected', code: 'NOT_READY' };`,
        replacement: '',
      },
      {
        file: 'packages/raft/src/invariants.ts',
        anchor: 'assert(termAt(state.log, read.index) === state.hardState.term,',
        replacement: 'assert(read.index >= 0,',
      },
    ],
    caughtBy: ['S23', 'I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'M36',
    title: 'serves lease reads as an isolated leader, for no quorum check ends it',
    seenIn: 'Consul 2014',
    class: 'b',
    edits: [
      {
        file: TIMERS,
        anchor: `if (role.type === 'leader' && isQuorumSilent(state, role, excusedMs))`,
        replacement: `if (role.type === 'leader' && state.nowMs < 0)`,
      },
      {
        file: LEASE,
        anchor: 'return role.leaseEndMs !== undefined && nowMs < role.leaseEndMs;',
        replacement: 'return role.leaseEndMs !== undefined;',
      },
    ],
    caughtBy: ['S24', 'S23', 'I12', 'linearizability'],
    by: ['storm'],
    faults: ['one-way-cut'],
    needs: 'one-way-cut',
  },
  {
    id: 'M40',
    title: 'answers a read at the commit index of its arrival, and checks no quorum',
    seenIn: 'etcd-io/etcd#20418',
    class: 'a',
    edits: [
      {
        file: READ_INDEX,
        anchor: 'reads.pending.push({ readId, index: state.commitIndex, round:',
        replacement: `state.outbox.confirmedReads.push({ readId, index: state.commitIndex });
  ({ round:`,
      },
      {
        file: TIMERS,
        anchor: `if (role.type === 'leader' && isQuorumSilent(state, role, excusedMs))`,
        replacement: `if (role.type === 'leader' && state.nowMs < 0)`,
      },
    ],
    caughtBy: ['S23', 'I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P13',
    title: 'votes for whoever asks, whatever it hears and promised',
    class: 'b',
    edits: [
      {
        file: LEASE,
        anchor: 'return promise !== undefined && state.nowMs < promise.untilMs &&',
        replacement: 'return promise !== undefined && state.nowMs < 0 &&',
      },
      {
        file: 'packages/raft/src/withholding.ts',
        anchor: `if (role.type === 'follower' && isHeard(`,
        replacement: `if (role.type === 'follower' && state.nowMs < 0 && isHeard(`,
      },
    ],
    caughtBy: ['S25', 'S24'],
    by: ['storm'],
    only: 'S25',
  },
  {
    id: 'P14',
    title: 'counts a lease without the promise of a quorum',
    class: 'b',
    edits: [
      {
        file: LEASE,
        anchor: '(one) => one.promisedFromMs ?? Number.NEGATIVE_INFINITY',
        replacement: '() => sentMs',
      },
      {
        file: TIMERS,
        anchor: `if (role.type === 'leader' && isQuorumSilent(state, role, excusedMs))`,
        replacement: `if (role.type === 'leader' && state.nowMs < 0)`,
      },
    ],
    caughtBy: ['S24', 'S23', 'I12', 'linearizability'],
    by: ['storm'],
    faults: ['partition'],
    world: { nodeCount: 5 },
  },
  {
    id: 'P15',
    title: 'counts as leader on the longest election time-out instead of the shortest',
    class: 'b',
    edits: [
      {
        file: LEASE,
        anchor: 'return (electionTimeoutMs * (1 - clockRateBound)) / (1 + clockRateBound)',
        replacement: 'return 2 * electionTimeoutMs * (1 - clockRateBound)',
      },
    ],
    caughtBy: ['S24', 'S23', 'I12', 'linearizability'],
    by: ['storm'],
    faults: ['freeze-node'],
    only: 'S24',
  },
  {
    id: 'P10',
    title: 'takes any answer for one to the latest round (context reused)',
    class: 'a',
    edits: [
      {
        file: HEARTBEAT,
        anchor: 'progress.ackedRound = message.round;',
        replacement: 'progress.ackedRound = role.reads.startedRound;',
      },
    ],
    caughtBy: ['S23'],
    by: ['storm'],
    only: 'S23',
  },
  {
    id: 'P90',
    title: 'lets a read join the round that is already under way',
    class: 'a',
    edits: [
      {
        file: READ_INDEX,
        anchor: 'round: reads.startedRound + 1 });',
        replacement: 'round: reads.startedRound + (reads.pending.length > 0 ? 0 : 1) });',
      },
    ],
    caughtBy: ['S23'],
    by: ['storm'],
  },
  {
    id: 'P11',
    title: 'lets a lease run from the receipt of an answer',
    class: 'a',
    edits: [
      {
        file: LEASE,
        anchor: 'progress.promisedFromMs = Math.max(progress.promisedFromMs ?? sentMs, sentMs);',
        replacement: 'progress.promisedFromMs = state.nowMs;',
      },
    ],
    caughtBy: ['S24'],
    by: ['storm'],
    only: 'S24',
  },
  {
    id: 'P91',
    title: 'counts its lease as if all clocks ran alike',
    class: 'a',
    edits: [
      {
        file: LEASE,
        anchor: 'return (electionTimeoutMs * (1 - clockRateBound)) / (1 + clockRateBound) - LEASE',
        replacement: 'return electionTimeoutMs + 0 * clockRateBound - LEASE',
      },
    ],
    caughtBy: ['S24'],
    by: ['storm'],
  },
  {
    id: 'P93',
    title: 'asks whether its lease holds by the time of its last input, not of the reply',
    class: 'b',
    edits: [
      {
        file: LEASE,
        anchor: 'return isLeaseValid(state, role, nowMs) && hasOwnTermCommit(state);',
        replacement: `const heardMs = Math.min(nowMs, state.nowMs);
  return isLeaseValid(state, role, heardMs) && hasOwnTermCommit(state);`,
      },
    ],
    caughtBy: ['S24', 'S23', 'I12', 'linearizability'],
    by: ['storm'],
    faults: ['freeze-node'],
    needs: 'freeze-node',
  },
];
