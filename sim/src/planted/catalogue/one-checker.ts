import type { PlantedBug } from '../bug.js';

/**
 * Mistakes that do no harm soon, or none that clients would notice: one checker alone sees each,
 * which is why that checker exists.
 */
export const ONE_CHECKER_BUGS: readonly PlantedBug[] = [
  {
    id: 'P09',
    title: 'takes it for granted as a new leader that everybody has the first entry',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/progress.ts',
        anchor: '    match: NO_INDEX,',
        replacement: '    match: Math.min(1, next - 1) as LogIndex,',
      },
    ],
    caughtBy: ['S19'],
    by: ['storm'],
    only: 'S19',
  },
  {
    id: 'P16',
    title: 'stamps entries behind the entry before, once the leader has changed',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/proposal.ts',
        anchor: 'const clusterTimeMs = Math.max(proposal.clusterTimeMs, lastClusterTimeMs(state));',
        replacement: 'const { clusterTimeMs } = proposal;',
      },
      {
        file: 'packages/server/src/leadership.ts',
        anchor: 'Math.max(replica.lastStampMs, this.#machine.clusterTimeMs)',
        replacement: 'Math.max(0, replica.lastStampMs - 200)',
      },
    ],
    caughtBy: ['S6'],
    by: ['storm'],
    only: 'S6',
  },
  {
    id: 'P17',
    title: 'asks for votes in the very step in which it ceases to lead',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/timers.ts',
        anchor: 'excusedMs)) becomeFollower(state);',
        replacement: `excusedMs)) {
    becomeFollower(state);
    electionTimeout(state);
  }`,
      },
    ],
    caughtBy: ['S33'],
    by: ['storm'],
    faults: ['partition'],
    only: 'S33',
  },
  {
    id: 'P18',
    title: 'sends appends without end to a follower that acknowledges none',
    class: 'a',
    edits: [
      {
        file: 'packages/raft/src/progress.ts',
        anchor: `  return (
    inflightCount(inflight) < limits.inflightMessagesMax && inflight.bytes < limits.inflightBytesMax
  );`,
        replacement: '  return inflightCount(inflight) < 1_000 * limits.inflightMessagesMax;',
      },
      {
        file: 'packages/raft/src/invariants.ts',
        anchor: 'assert(inflightCount(inflight) <= state.options.limits.inflightMessagesMax,',
        replacement: 'assert(inflightCount(inflight) >= 0,',
      },
    ],
    caughtBy: ['S32'],
    by: ['storm'],
    faults: ['partition'],
    only: 'S32',
  },
  {
    id: 'P74',
    title: 'says of a refusal that nobody knows whether it happened',
    class: 'a',
    edits: [
      {
        file: 'packages/client/src/outcome.ts',
        anchor: '  return fromBody(body, { attempts });\n',
        replacement: `  return fromBody(body, { attempts, class: 'indeterminate' });\n`,
      },
    ],
    caughtBy: ['C20'],
    by: ['storm'],
    only: 'C20',
  },
  {
    id: 'D06',
    title: 'guards a resource by no maximum: it takes every token',
    class: 'a',
    edits: [
      {
        file: 'sim/src/workload/resource.ts',
        anchor: 'return token === maximum.token && holder === maximum.holder;',
        replacement: 'return token > 0n || holder === maximum.holder;',
      },
    ],
    caughtBy: ['L3'],
    by: ['storm'],
    faults: ['freeze-client'],
    only: 'L3',
  },
  {
    id: 'P75',
    title: 'numbers its sessions anew in each process, and goes on in those of a former one',
    class: 'a',
    edits: [
      {
        file: 'packages/client/src/sessions.ts',
        anchor: 'new Session(this.#ports.randomId() as SessionId,',
        replacement: `new Session(
      this.#ports.randomId().replace(/^[^-]*-([^.]*)[.][0-9]+/, '$1') as SessionId,`,
      },
    ],
    caughtBy: ['C20', 'I14', 'linearizability'],
    by: ['storm'],
    faults: ['client-death'],
    needs: 'client-death',
  },
];
