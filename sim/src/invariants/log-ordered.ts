import type { Entry, LogIndex } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S6: applied ≤ commit ≤ last; indexes follow one another; terms and cluster times never
 * decrease along a log; the last term is not above the current one.
 */
export function logOrdered(): Invariant {
  return {
    id: 'S6',
    onStepped: ({ node, after, view, log }) => {
      if (after.appliedIndex > after.commitIndex) {
        throw new InvariantBroken(
          'S6',
          `${node} has applied ${after.appliedIndex} and committed ${after.commitIndex}`,
        );
      }
      let previous: Entry | undefined = view.entryAt((log.appendedFrom - 1) as LogIndex);
      for (let index: number = log.appendedFrom; index <= after.lastIndex; index += 1) {
        const entry = view.entryAt(index as LogIndex);
        if (entry?.index !== index) {
          throw new InvariantBroken('S6', `${node} has ${entry?.index ?? 'nothing'} at ${index}`);
        }
        assertFollows(node, previous, entry);
        previous = entry;
      }
      if ((previous?.term ?? 0) > after.term) {
        throw new InvariantBroken(
          'S6',
          `the last entry of ${node} has term ${previous?.term ?? 0}, the node ${after.term}`,
        );
      }
    },
  };
}

function assertFollows(node: string, previous: Entry | undefined, entry: Entry): void {
  if (previous === undefined) return;
  if (entry.term < previous.term) {
    throw new InvariantBroken(
      'S6',
      `terms of ${node} fall from ${previous.term} to ${entry.term} at ${entry.index}`,
    );
  }
  if (entry.clusterTimeMs < previous.clusterTimeMs) {
    throw new InvariantBroken('S6', `cluster time of ${node} falls at ${entry.index}`);
  }
}
