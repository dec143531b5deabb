import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S5: in each life entries are applied in order, each exactly once, only when committed. */
export function appliedInOrder(): Invariant {
  const applied = new Map<string, number>();
  return {
    id: 'S5',
    onCrashed: ({ node }) => {
      applied.delete(node);
    },
    onApplied: ({ node, entry }, cluster) => {
      const previous = applied.get(node) ?? 0;
      if (entry.index !== previous + 1) {
        throw new InvariantBroken('S5', `${node} applied ${entry.index} after ${previous}`);
      }
      const commitIndex = cluster.node(node).view?.commitIndex ?? 0;
      if (entry.index > commitIndex) {
        throw new InvariantBroken(
          'S5',
          `${node} applied ${entry.index}, committed are only ${commitIndex}`,
        );
      }
      applied.set(node, entry.index);
    },
  };
}
