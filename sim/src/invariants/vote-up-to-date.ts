import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S17: a vote goes only to a candidate whose log is at least as up to date (§3.6.1). */
export function voteUpToDate(): Invariant {
  return {
    id: 'S17',
    onStepped: ({ node, before, after, cause, view }) => {
      if (cause.type !== 'message' || cause.message.type !== 'vote-request') return;
      const request = cause.message;
      const isVote = after.votedFor === request.from && after.term === request.term;
      const hadVoted = before?.term === after.term && before.votedFor === request.from;
      if (!isVote || hadVoted) return;
      const lastTerm = view.entryAt(after.lastIndex)?.term ?? 0;
      if (request.lastTerm > lastTerm) return;
      if (request.lastTerm === lastTerm && request.lastIndex >= after.lastIndex) return;
      const candidate = `${request.from} with ${request.lastIndex}/${request.lastTerm}`;
      throw new InvariantBroken(
        'S17',
        `${node} with ${after.lastIndex}/${lastTerm} voted for ${candidate}`,
      );
    },
  };
}
