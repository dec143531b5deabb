import type { CreateInvariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S10: over the whole run at most one node ever leads a term (Election Safety, §3.4). */
export const electionSafety: CreateInvariant = ({ leaders }) => ({
  id: 'S10',
  onStepped: ({ node, after }) => {
    if (after.role !== 'leader') return;
    const earlier = leaders.get(after.term);
    if (earlier === undefined) leaders.set(after.term, node);
    else if (earlier !== node) {
      throw new InvariantBroken('S10', `term ${after.term} has leaders ${earlier} and ${node}`);
    }
  },
});
