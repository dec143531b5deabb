import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S1: the current term never decreases while a node lives, and on disk never at all. */
export function termMonotonic(): Invariant {
  const durableTerms = new Map<string, number>();
  return {
    id: 'S1',
    onStepped: ({ node, before, after }, cluster) => {
      const floor = before?.term ?? cluster.node(node).disk.hardState.term;
      if (after.term < floor) {
        throw new InvariantBroken('S1', `the term of ${node} fell from ${floor} to ${after.term}`);
      }
    },
    onWriteDone: ({ node }, cluster) => {
      const { term } = cluster.node(node).disk.hardState;
      const floor = durableTerms.get(node) ?? 0;
      if (term < floor) {
        throw new InvariantBroken(
          'S1',
          `the durable term of ${node} fell from ${floor} to ${term}`,
        );
      }
      durableTerms.set(node, term);
    },
  };
}
