import type { CoreSnapshot } from '../world/core-view.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

type Field = keyof CoreSnapshot;

const DURABLE_FIELDS = ['term', 'votedFor', 'commitIndex', 'lastIndex'] as const satisfies Field[];
const ROLE_FIELDS = ['role', 'leaderId', 'electionDeadlineMs'] as const satisfies Field[];

/**
 * S31: to be asked for a pre-vote changes nothing: no term, vote, timer, leader or log (§9.6).
 * Only a leader that learns with it how late it is may step down: time deposed it, not the asker.
 */
export function preVoteHarmless(): Invariant {
  return {
    id: 'S31',
    onStepped: ({ node, before, after, cause }) => {
      if (before === undefined || cause.type !== 'message') return;
      if (cause.message.type !== 'pre-vote-request') return;
      const wasDeposedByTime = before.role === 'leader' && after.role === 'follower';
      const fields = wasDeposedByTime ? DURABLE_FIELDS : [...DURABLE_FIELDS, ...ROLE_FIELDS];
      for (const field of fields) {
        if (before[field] === after[field]) continue;
        const change = `${before[field] ?? 'none'} to ${after[field] ?? 'none'}`;
        throw new InvariantBroken(
          'S31',
          `a pre-vote request changed ${field} of ${node}: ${change}`,
        );
      }
    },
  };
}
