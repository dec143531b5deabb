import type { PlantedBug } from '../bug.js';

const QUERIES = 'packages/coordinator/src/queries.ts';

/** Keys that go with a lease, pages of a range, and what is shown of leases. */
export const LOOK_BUGS: readonly PlantedBug[] = [
  {
    id: 'P37',
    title: 'puts a key with a lease that never learns of it, so that the key outlives the lease',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/kv.ts',
        anchor: '    if (lease !== undefined) state.leases.get(lease)?.keys.add(key);\n',
        replacement: '',
      },
    ],
    caughtBy: ['L11'],
    by: ['storm'],
  },
  {
    id: 'P38',
    title: 'shows how often a lease was renewed as the number of its last renewal',
    class: 'a',
    edits: [
      {
        file: QUERIES,
        anchor: '    attempt: lease.attempt,',
        replacement: '    attempt: lease.renewals,',
      },
    ],
    caughtBy: ['I12'],
    by: ['storm'],
    only: 'I12',
  },
  {
    id: 'P39',
    title: 'shows the whole time of a lease as what remains of it',
    class: 'a',
    edits: [
      {
        file: QUERIES,
        anchor: '    remainingMs: lease.expiresAtMs - state.clusterTimeMs,',
        replacement: '    remainingMs: lease.ttlMs,',
      },
    ],
    caughtBy: ['I12'],
    by: ['storm'],
  },
  {
    id: 'P80',
    title: 'pins the living keys for the next pages of a range, not a copy of them',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/cursors.ts',
        anchor: 'keys: pinned?.keys ?? keys.clone()',
        replacement: 'keys: pinned?.keys ?? keys',
      },
    ],
    caughtBy: ['I12', 'linearizability'],
    by: ['storm'],
  },
];
