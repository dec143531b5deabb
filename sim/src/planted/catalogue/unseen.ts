import type { PlantedBug } from '../bug.js';

const ELECTIONS = 'packages/coordinator/src/elections.ts';
const FENCES = 'packages/coordinator/src/fences.ts';
const LEASES = 'packages/coordinator/src/leases.ts';
const LEADERSHIP = 'packages/server/src/leadership.ts';
const REQUESTS = 'packages/server/src/requests.ts';

/** Mistakes that no checker notices yet: no part of the catalogue until one does. */
export const UNSEEN_BUGS: readonly PlantedBug[] = [
  {
    id: 'N08a',
    title: 'advances the fence of a resource for a grant that has ended',
    class: 'b',
    edits: [
      {
        file: FENCES,
        anchor: 'if (!isInForce(state.elections.get(election), token)) return refused(',
        replacement: 'if (token < 0n) return refused(',
      },
      {
        file: FENCES,
        anchor: `    assert(token >= fence.token, 'the tokens of one election only grow');
`,
        replacement: '',
      },
    ],
    caughtBy: ['L3'],
    by: ['storm'],
  },
  {
    id: 'P32',
    title: 'stands a campaign that was withdrawn while it was on its way (no tombstone)',
    class: 'b',
    edits: [
      {
        file: ELECTIONS,
        anchor: 'if (lease.campaignIds.has(campaignId)) return',
        replacement: 'if (lease.campaignIds.size < 0) return',
      },
    ],
    caughtBy: ['C5', 'L10'],
    by: ['storm'],
  },
  {
    id: 'P33',
    title: 'leaves keys behind when their lease ends, without a lease',
    class: 'a',
    edits: [
      {
        file: LEASES,
        anchor: '  for (const key of lease.keys) deleteKey(state, entry, key, reason);\n',
        replacement: `  for (const key of lease.keys) {
    const record = state.keys.get(key);
    if (record !== undefined) state.keys.set(key, { ...record, lease: undefined });
  }
`,
      },
    ],
    caughtBy: ['L5', 'I12', 'L9', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'N03',
    title: 'lets cluster time start anew with each leader, so that leases outlive it',
    seenIn: 'etcd-io/etcd#13491, etcd-io/etcd#17132',
    class: 'a',
    edits: [
      {
        file: LEADERSHIP,
        anchor: 'Math.max(replica.lastStampMs, this.#machine.clusterTimeMs)',
        replacement:
          'Math.max(0, Math.min(replica.lastStampMs, this.#machine.clusterTimeMs) - 60_000)',
      },
    ],
    caughtBy: ['L7', 'L11'],
    by: ['storm'],
    only: 'L7',
  },
  {
    id: 'P47',
    title: 'logs no time while leases live, so that a change of leader adds what had passed',
    class: 'a',
    edits: [
      {
        file: LEADERSHIP,
        anchor: 'else if (nowMs - this.#stampedAtMs >= STAMP_EVERY_MS &&',
        replacement: 'else if (nowMs - this.#stampedAtMs >= 240 * STAMP_EVERY_MS &&',
      },
    ],
    caughtBy: ['L11', 'L7'],
    by: ['storm'],
  },
  {
    id: 'P49',
    title: 'forgets the commands that it held while it began to lead',
    class: 'b',
    edits: [
      {
        file: REQUESTS,
        anchor: 'for (const { connection, request } of held) this.#propose(connection, request);',
        replacement: 'void held;',
      },
    ],
    caughtBy: ['liveness'],
    by: ['storm'],
  },
];
