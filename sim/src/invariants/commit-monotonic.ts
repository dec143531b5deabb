import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S4: while a node lives its commit index never falls, and never passes its last entry. */
export function commitMonotonic(): Invariant {
  return {
    id: 'S4',
    onStepped: ({ node, before, after }) => {
      const floor = before?.commitIndex ?? 0;
      if (after.commitIndex < floor) {
        throw new InvariantBroken(
          'S4',
          `the commit index of ${node} fell from ${floor} to ${after.commitIndex}`,
        );
      }
      if (after.commitIndex > after.lastIndex) {
        throw new InvariantBroken(
          'S4',
          `${node} committed ${after.commitIndex} past its last entry ${after.lastIndex}`,
        );
      }
    },
  };
}
