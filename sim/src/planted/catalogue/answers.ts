import type { PlantedBug } from '../bug.js';

const COMPARES = 'packages/coordinator/src/compares.ts';
const KV = 'packages/coordinator/src/kv.ts';
const TXN = 'packages/coordinator/src/txn.ts';

/** What commands on keys come to, where all replicas are wrong alike and no order is broken. */
export const ANSWER_BUGS: readonly PlantedBug[] = [
  {
    id: 'P100',
    title: 'compares the revision of a key’s creation where that of its last change is asked',
    class: 'a',
    edits: [
      {
        file: COMPARES,
        anchor: 'isOrdered((record?.modRevision ?? 0) - compare.operand',
        replacement: 'isOrdered((record?.createRevision ?? 0) - compare.operand',
      },
    ],
    caughtBy: ['I15'],
    by: ['storm'],
    only: 'I15',
  },
  {
    id: 'P101',
    title: 'takes “greater” for “greater or equal” in comparisons',
    class: 'a',
    edits: [
      { file: COMPARES, anchor: 'return difference > 0;', replacement: 'return difference >= 0;' },
    ],
    caughtBy: ['I15'],
    by: ['storm'],
    only: 'I15',
  },
  {
    id: 'P102',
    title: 'compares values by their length first',
    class: 'b',
    edits: [
      {
        file: COMPARES,
        anchor: '  const shared = Math.min(a.length, b.length);',
        replacement: `  if (a.length !== b.length) return a.length - b.length;
  const shared = Math.min(a.length, b.length);`,
      },
    ],
    caughtBy: ['I15'],
    by: ['storm'],
  },
  {
    id: 'P103',
    title: 'answers nothing of the steps of a transaction’s other branch',
    class: 'a',
    edits: [
      {
        file: TXN,
        anchor: 'succeeded, results };',
        replacement: 'succeeded, results: succeeded ? results : [] };',
      },
    ],
    caughtBy: ['I15'],
    by: ['storm'],
    only: 'I15',
  },
  {
    id: 'P104',
    title: 'says that a range is gone where the limit of one entry left keys of it',
    class: 'b',
    edits: [
      {
        file: KV,
        anchor: 'if (keys.length === max) return { keys, more: true };',
        replacement: 'if (keys.length === max) return { keys, more: false };',
      },
    ],
    caughtBy: ['I15'],
    by: ['storm'],
  },
  {
    id: 'P105',
    title: 'leaves a key on the lease that it had when it is put without one',
    class: 'a',
    edits: [
      {
        file: KV,
        anchor: '  if (previous?.lease !== lease) {',
        replacement: '  if (lease !== undefined && previous?.lease !== lease) {',
      },
    ],
    caughtBy: ['L11'],
    by: ['storm'],
  },
  {
    id: 'P106',
    title: 'hands its caller the results of a transaction in the reverse order',
    class: 'a',
    edits: [
      {
        file: 'packages/client/src/txn.ts',
        anchor: 'results: results.map(toResult) };',
        replacement: 'results: results.map(toResult).toReversed() };',
      },
    ],
    caughtBy: ['I14', 'I12', 'linearizability'],
    by: ['storm'],
  },
  {
    id: 'P107',
    title: 'never tells its caller that a delete of a range left something',
    class: 'b',
    edits: [
      {
        file: 'packages/client/src/kv.ts',
        anchor: '  return { revision, deleted, more };',
        replacement: '  return { revision, deleted, more: more && false };',
      },
    ],
    caughtBy: ['I14'],
    by: ['storm'],
  },
];
