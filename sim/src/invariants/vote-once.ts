import type { NodeId, Term } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S2: in a term a node votes for one candidate, counting all its lives. Votes are counted from
 * what left the node (a grant, or a campaign as a vote for itself), not from its memory.
 */
export function voteOnce(): Invariant {
  const votes = new Map<string, NodeId>();

  function cast(voter: NodeId, term: Term, candidate: NodeId): void {
    const key = `${voter}/${term}`;
    const earlier = votes.get(key);
    if (earlier !== undefined && earlier !== candidate) {
      throw new InvariantBroken(
        'S2',
        `${voter} voted for ${earlier} and for ${candidate} in term ${term}`,
      );
    }
    votes.set(key, candidate);
  }

  return {
    id: 'S2',
    onStepped: ({ node, before, after }) => {
      if (before === undefined || before.term !== after.term) return;
      if (before.votedFor === undefined || before.votedFor === after.votedFor) return;
      const change = `from ${before.votedFor} to ${after.votedFor ?? 'nobody'}`;
      throw new InvariantBroken('S2', `${node} changed its vote in term ${after.term} ${change}`);
    },
    onSent: ({ message }) => {
      if (message.type === 'vote-request') cast(message.from, message.term, message.from);
      if (message.type === 'vote-response' && message.granted) {
        cast(message.from, message.term, message.to);
      }
    },
  };
}
