import type { Edit } from './bug.js';

/** The source has changed under a planted bug, which would plant nothing now. */
export class AnchorLost extends Error {
  constructor(edit: Edit, count: number) {
    super(`${edit.file} has this text ${count} times, not once:\n${edit.anchor}`);
    this.name = 'AnchorLost';
  }
}

/**
 * The source with the mistakes in it.
 * @throws {AnchorLost}
 */
export function plant(source: string, edits: readonly Edit[]): string {
  let planted = source;
  for (const edit of edits) {
    const parts = planted.split(edit.anchor);
    const [before, after] = parts;
    if (before === undefined || after === undefined || parts.length !== 2) {
      throw new AnchorLost(edit, parts.length - 1);
    }
    planted = before + edit.replacement + after;
  }
  return planted;
}
