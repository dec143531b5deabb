import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S34: a leader commits by counting only entries of its own term (§3.6.2, Figure 3.7). */
export function commitOwnTerm(): Invariant {
  return {
    id: 'S34',
    onStepped: ({ node, before, after }, cluster) => {
      if (after.role !== 'leader' || after.commitIndex === (before?.commitIndex ?? 0)) return;
      const term = cluster.node(node).log.termAt(after.commitIndex);
      if (term === after.term) return;
      throw new InvariantBroken(
        'S34',
        `${node} leads term ${after.term} and committed ${after.commitIndex} of term ${term ?? 0}`,
      );
    },
  };
}
