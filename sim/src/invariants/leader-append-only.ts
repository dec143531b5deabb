import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S8: within its term a leader only appends (Leader Append-Only, §3.5). */
export function leaderAppendOnly(): Invariant {
  return {
    id: 'S8',
    onStepped: ({ node, before, after, log }) => {
      if (before?.role !== 'leader' || after.role !== 'leader') return;
      if (before.term !== after.term || log.truncatedFrom === undefined) return;
      throw new InvariantBroken(
        'S8',
        `${node} leads term ${after.term} and removed its entries from ${log.truncatedFrom}`,
      );
    },
  };
}
