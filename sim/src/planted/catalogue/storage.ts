import type { PlantedBug } from '../bug.js';

const DISK = 'sim/src/world/disk.ts';

/** Disks and drivers that break their word: what fsync, order and recovery are for. */
export const STORAGE_BUGS: readonly PlantedBug[] = [
  {
    id: 'D01',
    title: 'acknowledges writes that a crash can still lose (fsync off)',
    class: 'a',
    edits: [
      {
        file: DISK,
        anchor: '    if (!this.#lies) {',
        replacement: '    if (this.#lies) {',
      },
    ],
    caughtBy: ['S3', 'S7', 'S15'],
    by: ['storm'],
  },
];
