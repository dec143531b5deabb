import type { PlantedBug } from '../bug.js';

/** What the cluster keeps of elections and resources, and shows of them. */
export const RECORD_BUGS: readonly PlantedBug[] = [
  {
    id: 'P82',
    title: 'lets a resource go from the election it is bound to to another with a newer token',
    class: 'a',
    edits: [
      {
        file: 'packages/coordinator/src/fences.ts',
        anchor: 'if (fence !== undefined && fence.election !== election) {',
        replacement:
          'if (fence !== undefined && fence.election !== election && token < fence.token) {',
      },
    ],
    caughtBy: ['C3'],
    by: ['storm'],
  },
  {
    id: 'P83',
    title: 'sends the record of a leader without its metadata',
    class: 'a',
    edits: [
      {
        file: 'packages/protocol/src/records.ts',
        anchor: '    leader.metadata,\n',
        replacement: '    leader.metadata.subarray(0, 0),\n',
      },
    ],
    caughtBy: ['I12'],
    by: ['storm'],
  },
];
