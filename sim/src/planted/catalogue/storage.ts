import type { PlantedBug } from '../bug.js';

const DISK = 'sim/src/world/disk.ts';
const RECOVER = 'sim/src/storm/disk/recover.ts';
const REPLICA = 'packages/server/src/replica.ts';

/** What `recover` gives back at its end. */
const OPENED = `return { type: 'opened', content: { incarnation, cluster, hardState, entries } };`;

/** Disks and drivers that break their word: what fsync, checksums and recovery are for. */
export const STORAGE_BUGS: readonly PlantedBug[] = [
  {
    id: 'D01',
    title: 'acknowledges writes that a crash can still lose (fsync off)',
    class: 'a',
    edits: [{ file: DISK, anchor: '    if (!this.#lies) {', replacement: '    if (this.#lies) {' }],
    caughtBy: ['S3', 'S7', 'S15'],
    by: ['storm'],
  },
  {
    id: 'M27',
    title: 'takes a torn last record for a whole one',
    class: 'b',
    edits: [
      {
        file: RECOVER,
        anchor: OPENED,
        replacement: `const { torn: cut } = image;
  const written = cut?.type === 'log' ? cut.write.entries[0] : undefined;
  const half = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.length >> 1);
  const torn =
    written?.index === entries.length + 1 && written.payload.length > 1
      ? [{ ...written, payload: half(written.payload) }]
      : [];
  const content = { incarnation, cluster, hardState, entries: [...entries, ...torn] };
  return { type: 'opened', content };`,
      },
    ],
    caughtBy: ['S11', 'S13', 'I7', 'S14'],
    by: ['storm'],
    faults: ['crash', 'torn-write'],
    needs: 'torn-write',
  },
  {
    id: 'M28',
    title: 'cuts its log at a damaged record and goes on voting',
    class: 'b',
    edits: [
      {
        file: RECOVER,
        anchor: 'if (damagedIndex !== undefined) return damaged(',
        replacement: 'if (damagedIndex === -1) return damaged(',
      },
      {
        file: RECOVER,
        anchor: 'const { incarnation, cluster, hardState, entries } = image;',
        replacement: `const { incarnation, cluster, hardState } = image;
  const end = Math.max(1, damagedIndex ?? Infinity) - 1;
  const entries = image.entries.slice(0, end);`,
      },
    ],
    caughtBy: ['I13'],
    by: ['storm'],
    faults: ['corrupt-record'],
    needs: 'corrupt-record',
  },
  {
    id: 'D07',
    title: 'starts although the record of who owns its disk does not add up',
    class: 'a',
    edits: [
      {
        file: RECOVER,
        anchor: 'if (damagedIndex !== undefined) return damaged(',
        replacement: 'if (damagedIndex !== undefined && damagedIndex > 0) return damaged(',
      },
    ],
    caughtBy: ['I13'],
    by: ['storm'],
    faults: ['corrupt-record'],
    only: 'I13',
  },
  {
    id: 'D02',
    title: 'takes the last batch for torn and cuts it, although it was acknowledged',
    class: 'a',
    edits: [
      {
        file: RECOVER,
        anchor: OPENED,
        replacement: `const kept = entries.slice(0, -1);
  return { type: 'opened', content: { incarnation, cluster, hardState, entries: kept } };`,
      },
    ],
    caughtBy: ['S12', 'S14', 'S15', 'S18', 'S7'],
    by: ['storm'],
    faults: ['crash'],
    needs: 'crash',
  },
  {
    id: 'D03',
    title: 'finds an empty log after a restart, though its term and vote are there',
    class: 'a',
    edits: [
      {
        file: RECOVER,
        anchor: OPENED,
        replacement: `const none = entries.slice(0, 0);
  return { type: 'opened', content: { incarnation, cluster, hardState, entries: none } };`,
      },
    ],
    caughtBy: ['S12', 'S14', 'S15', 'S18', 'S7'],
    by: ['storm'],
    faults: ['crash-all'],
    needs: 'crash-all',
  },
  {
    id: 'D04',
    title: 'goes on after a failed write as if it had not failed',
    seenIn: 'the fsync errors of PostgreSQL, 2018',
    class: 'a',
    edits: [
      {
        file: REPLICA,
        anchor: '    if (error !== undefined) {',
        replacement: `    if (error !== undefined && !error.message.startsWith('EIO')) {`,
      },
    ],
    caughtBy: ['S3', 'S7', 'S15', 'S16', 'S33'],
    by: ['storm'],
    faults: ['write-failure'],
    needs: 'write-failure',
  },
  {
    id: 'D05',
    title: 'takes a write that found no space for a written one',
    class: 'a',
    edits: [
      {
        file: REPLICA,
        anchor: '    if (error !== undefined) {',
        replacement: `    if (error !== undefined && !error.message.startsWith('ENOSPC')) {`,
      },
    ],
    caughtBy: ['S3', 'S7', 'S15', 'S16', 'S33'],
    by: ['storm'],
    faults: ['disk-full'],
    needs: 'disk-full',
  },
];
