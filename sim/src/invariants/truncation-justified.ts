import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S9: entries are removed only above the commit index, and only because the leader sent another
 * one in their place; the disk is truncated exactly where memory was, so that equal entries are
 * never removed and written again.
 */
export function truncationJustified(): Invariant {
  /** Lowest index removed from memory since the last write began. */
  const lowest = new Map<string, number>();
  return {
    id: 'S9',
    onCrashed: ({ node }) => {
      lowest.delete(node);
    },
    onStepped: ({ node, before, after, cause, log }) => {
      if (before === undefined || log.truncatedFrom === undefined) return;
      if (log.truncatedFrom <= before.commitIndex) {
        throw new InvariantBroken(
          'S9',
          `${node} removed ${log.truncatedFrom}, committed are ${before.commitIndex}`,
        );
      }
      if (cause.type !== 'message' || cause.message.type !== 'append-request') {
        throw new InvariantBroken('S9', `${node} removed entries for a ${cause.type}`);
      }
      if (after.lastIndex < log.truncatedFrom) {
        throw new InvariantBroken('S9', `${node} removed ${log.truncatedFrom} for nothing`);
      }
      lowest.set(node, Math.min(lowest.get(node) ?? Infinity, log.truncatedFrom));
    },
    onWriteStarted: ({ node, write }) => {
      const from = write.truncateFrom;
      const justified = lowest.get(node);
      lowest.delete(node);
      if (from === undefined || from === justified) return;
      throw new InvariantBroken(
        'S9',
        `${node} truncates its disk from ${from}, memory was from ${justified ?? 'nowhere'}`,
      );
    },
  };
}
