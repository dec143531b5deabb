import type { CoreSnapshot } from '../world/core-view.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

const UNTOUCHED = [
  'term',
  'votedFor',
  'role',
  'leaderId',
  'commitIndex',
  'lastIndex',
  'electionDeadlineMs',
] as const satisfies readonly (keyof CoreSnapshot)[];

/** S31: to be asked for a pre-vote changes nothing: no term, vote, timer, leader or log (§9.6). */
export function preVoteHarmless(): Invariant {
  return {
    id: 'S31',
    onStepped: ({ node, before, after, cause }) => {
      if (before === undefined || cause.type !== 'message') return;
      if (cause.message.type !== 'pre-vote-request') return;
      for (const field of UNTOUCHED) {
        if (before[field] === after[field]) continue;
        throw new InvariantBroken(
          'S31',
          `a pre-vote request changed ${field} of ${node}: ${before[field] ?? 'none'} to ${after[field] ?? 'none'}`,
        );
      }
    },
  };
}
