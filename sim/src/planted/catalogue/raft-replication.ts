import type { PlantedBug } from '../bug.js';

const COMMIT = 'packages/raft/src/commit.ts';
const INVARIANTS = 'packages/raft/src/invariants.ts';
const HEARTBEAT = 'packages/raft/src/heartbeat.ts';
const PERSISTENCE = 'packages/raft/src/persistence.ts';
const REPLICATION = 'packages/raft/src/replication.ts';

/** The log: what is sent, kept, acknowledged and committed. */
export const REPLICATION_BUGS: readonly PlantedBug[] = [
  {
    id: 'M13',
    title: 'commits entries of earlier terms by counting (Figure 3.7)',
    seenIn: 'logcabin/logcabin#44, bakwc/PySyncObj#169',
    class: 'b',
    edits: [
      {
        file: COMMIT,
        anchor: 'if (termAt(state.log, index) === state.hardState.term) state.commitIndex = index;',
        replacement: 'state.commitIndex = index;',
      },
    ],
    caughtBy: ['S34'],
    by: ['storm', 'explore:replication'],
    only: 'S34',
  },
  {
    id: 'M15',
    title: 'truncates its log at every append, also where it matches',
    seenIn: 'zhebrak/raftos#26, willemt/raft',
    class: 'a',
    edits: [
      {
        file: REPLICATION,
        anchor: 'const known = countKnown(state, entries);',
        replacement: `const held = countKnown(state, entries);
  const known = Math.min(held, Math.max(0, state.commitIndex - prevIndex));`,
      },
      {
        file: REPLICATION,
        anchor: 'assert(from > leader.matchedIndex,',
        replacement: 'assert(from > 0,',
      },
    ],
    caughtBy: ['S9'],
    by: ['storm'],
  },
  {
    id: 'M16',
    title: 'appends wherever its log is long enough, whatever the term before',
    class: 'b',
    edits: [
      {
        file: REPLICATION,
        anchor: 'if (termAt(state.log, message.prevIndex) !== message.prevTerm) {',
        replacement: 'if (termAt(state.log, message.prevIndex) === undefined) {',
      },
    ],
    caughtBy: ['S11', 'S7'],
    by: ['explore:replication'],
  },
  {
    id: 'M17',
    title: 'commits what a heartbeat names, matched or not',
    class: 'b',
    edits: [
      {
        file: HEARTBEAT,
        anchor: 'matchIndex: progress.match,',
        replacement: 'matchIndex: state.commitIndex,',
      },
    ],
    caughtBy: ['S14', 'S12'],
    by: ['storm'],
  },
  {
    id: 'M18a',
    title: 'commits up to the end of its log, beyond the last new entry',
    seenIn: 'bakwc/PySyncObj#166',
    class: 'a',
    edits: [
      {
        file: COMMIT,
        anchor: 'const index = minIndex(leader.commitBound, leader.matchedIndex);',
        replacement: 'const index = minIndex(leader.commitBound, lastIndex(state.log));',
      },
    ],
    caughtBy: ['S14', 'S12'],
    by: ['storm'],
    faults: ['partition'],
    needs: 'partition',
  },
  {
    id: 'M18b',
    title: 'lets its commit index fall',
    seenIn: 'bakwc/PySyncObj#166',
    class: 'a',
    edits: [
      {
        file: COMMIT,
        anchor: 'state.commitIndex = maxIndex(state.commitIndex, index);',
        replacement: 'state.commitIndex = index;',
      },
      {
        file: 'packages/raft/src/invariants.ts',
        anchor: 'assert(handedIndex <= commitIndex,',
        replacement: 'assert(handedIndex >= 0,',
      },
    ],
    caughtBy: ['S4'],
    by: ['storm', 'explore:replication'],
    faults: ['swizzle'],
    needs: 'swizzle',
  },
  {
    id: 'M19',
    title: 'sets match back by a late acknowledgement',
    seenIn: 'bakwc/PySyncObj#167, zhebrak/raftos#25',
    class: 'a',
    edits: [
      {
        file: REPLICATION,
        anchor: 'if (matchIndex < progress.match) return;',
        replacement: '',
      },
    ],
    caughtBy: ['S18'],
    by: ['storm', 'explore:replication'],
    faults: ['reorder'],
    needs: 'reorder',
    only: 'S18',
  },
  {
    id: 'M21',
    title: 'lets a stale rejection move next below match',
    seenIn: 'microsoft/CCF, willemt/raft#118',
    class: 'a',
    edits: [
      {
        file: REPLICATION,
        anchor: 'if (isStaleRejection(progress, prevIndex)) return;',
        replacement: '',
      },
      {
        file: REPLICATION,
        anchor: 'becomeProbe(progress, maxIndex(next, nextIndex(progress.match)));',
        replacement: 'becomeProbe(progress, next);',
      },
      {
        file: 'packages/raft/src/invariants.ts',
        anchor: 'assert(match < next,',
        replacement: 'assert(next > 0,',
      },
    ],
    caughtBy: ['S18'],
    by: ['storm'],
    only: 'S18',
  },
  {
    id: 'M23',
    title: 'sends empty retries for ever where an append was lost',
    seenIn: 'willemt/raft',
    class: 'a',
    edits: [
      {
        file: REPLICATION,
        anchor: 'return prevIndex >= progress.next;',
        replacement: 'return true;',
      },
    ],
    caughtBy: ['liveness'],
    by: ['storm'],
    faults: ['drop'],
    needs: 'drop',
    only: 'liveness',
  },
  {
    id: 'M24',
    title: 'acknowledges as a follower before its append is synced',
    seenIn: 'etcd-io/etcd#14370',
    class: 'a',
    edits: [
      {
        file: PERSISTENCE,
        anchor:
          'if (role.leader === undefined || role.leader.matchedIndex > persistence.durableIndex)',
        replacement: 'if (role.leader === undefined)',
      },
    ],
    caughtBy: ['S7'],
    by: ['storm', 'explore:replication'],
  },
  {
    id: 'M25',
    title: 'counts itself as leader before its own disk has the entry',
    class: 'a',
    edits: [
      {
        file: COMMIT,
        anchor: 'const matches: number[] = [state.persistence.durableIndex];',
        replacement: 'const matches: number[] = [lastIndex(state.log)];',
      },
    ],
    caughtBy: ['S15'],
    by: ['storm', 'explore:replication'],
    only: 'S15',
  },
  {
    id: 'M26',
    title: 'takes the completion of a write for entries that were rewritten since',
    class: 'b',
    edits: [
      {
        file: PERSISTENCE,
        anchor: `  const { inFlight } = persistence;
  if (inFlight !== undefined) inFlight.claimIndex = minIndex(inFlight.claimIndex, kept);
`,
        replacement: '',
      },
      {
        file: INVARIANTS,
        anchor: 'assert(durableIndex <= writtenIndex,',
        replacement: 'assert(writtenIndex >= 0,',
      },
      {
        file: INVARIANTS,
        anchor: 'durableIndex === writtenIndex,',
        replacement: 'durableIndex >= writtenIndex,',
      },
      {
        file: INVARIANTS,
        anchor: 'assert(inFlight.claimIndex === writtenIndex,',
        replacement: 'assert(inFlight.claimIndex >= writtenIndex,',
      },
    ],
    caughtBy: ['S7', 'S15', 'S18'],
    by: ['storm'],
  },
  {
    id: 'P05',
    title: 'cuts its disk one entry lower than its memory, and writes that entry again',
    class: 'b',
    edits: [
      {
        file: PERSISTENCE,
        anchor: 'const written = persistence.writtenIndex;',
        replacement: `const lower = persistence.diskLastIndex > persistence.writtenIndex ? 1 : 0;
  const written = Math.max(0, persistence.writtenIndex - lower) as LogIndex;`,
      },
    ],
    caughtBy: ['S9'],
    by: ['storm'],
  },
  {
    id: 'P06',
    title: 'removes entries of its own log when it begins to lead',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/proposal.ts',
        anchor: 'const role = becomeLeader(state);',
        replacement: `const last = state.log.entries.length;
  if (last > state.commitIndex) {
    state.log.entries.length = last - 1;
    state.log.bytesThrough.length = last - 1;
    const { persistence } = state;
    persistence.durableIndex = Math.min(persistence.durableIndex, last - 1) as LogIndex;
    persistence.writtenIndex = Math.min(persistence.writtenIndex, last - 1) as LogIndex;
  }
  const role = becomeLeader(state);`,
      },
    ],
    caughtBy: ['S8', 'S9', 'S12'],
    by: ['storm'],
  },
  {
    id: 'P07',
    title: 'takes an acknowledgement for one of its whole log',
    class: 'a',
    edits: [
      {
        file: REPLICATION,
        anchor: 'const { matchIndex } = message;',
        replacement: 'const matchIndex = lastIndex(state.log);',
      },
    ],
    caughtBy: ['S15', 'S18'],
    by: ['storm', 'explore:replication'],
  },
  {
    id: 'P08',
    title: 'hands the last applied entry out once more',
    class: 'a',
    edits: [
      {
        file: COMMIT,
        anchor: 'return sliceEntries(state.log, from, through);',
        replacement: 'return sliceEntries(state.log, Math.max(0, from - 1) as LogIndex, through);',
      },
    ],
    caughtBy: ['S5'],
    by: ['storm'],
  },
  {
    id: 'P19',
    title: 'keeps for ever the first goal that its leader told, and never knows that it lags',
    class: 'b',
    edits: [
      {
        file: 'packages/raft/src/currency.ts',
        anchor: `    leader.goalIndex = maxIndex(leader.goalIndex, commitIndex);
    leader.goalMs = state.nowMs;
`,
        replacement: '',
      },
    ],
    caughtBy: ['L9'],
    by: ['storm'],
    faults: [],
    world: { nodeCount: 3, clientCount: 8 },
  },
  {
    id: 'P92',
    title: 'keeps an append in its window that was acknowledged to its very end',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/inflight.ts',
        anchor: '(inflight.lastIndexes[inflight.head] as LogIndex) > matchIndex',
        replacement: '(inflight.lastIndexes[inflight.head] as LogIndex) >= matchIndex',
      },
    ],
    caughtBy: ['S32'],
    by: ['storm'],
  },
];
