import type { PlantedBug } from '../bug.js';

const KV = 'packages/coordinator/src/kv.ts';
const QUERIES = 'packages/coordinator/src/queries.ts';

/** Keys, also those that go with a lease, pages of a range, and what is shown of leases. */
export const LOOK_BUGS: readonly PlantedBug[] = [
  {
    id: 'P33',
    title: 'leaves keys behind when their lease ends, without a lease',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/leases.ts',
        anchor: '  for (const key of lease.keys) deleteKey(state, entry, key, reason);\n',
        replacement: `  for (const key of lease.keys) {
    const record = state.keys.get(key);
    if (record !== undefined) state.keys.set(key, { ...record, lease: undefined });
  }
`,
      },
    ],
    caughtBy: ['L11'],
    by: ['storm'],
  },
  {
    id: 'P34',
    title: 'takes every comparison of a transaction for true',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/txn.ts',
        anchor: 'const succeeded = command.compares.every((compare) => holds(state, compare));',
        replacement: 'const succeeded = command.compares.every(() => true);',
      },
    ],
    caughtBy: ['I15', 'I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P35',
    title: 'leaves the version of a key as it was when it is put again',
    class: 'a',
    edits: [
      {
        file: KV,
        anchor: '    version: previous === undefined ? 1 : previous.version + 1,',
        replacement: '    version: previous === undefined ? 1 : previous.version,',
      },
    ],
    caughtBy: ['I15', 'C25', 'I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P37',
    title: 'puts a key with a lease that never learns of it, so that the key outlives the lease',
    class: 'a',
    edits: [
      {
        file: KV,
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
