import type { Role } from '@raftd/raft';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** A node wins only as a candidate, and loses leadership only to become a follower. */
const SUCCESSORS: Readonly<Record<Role, readonly Role[]>> = {
  follower: ['follower', 'pre-candidate', 'candidate'],
  'pre-candidate': ['pre-candidate', 'follower', 'candidate'],
  candidate: ['candidate', 'follower', 'pre-candidate', 'leader'],
  leader: ['leader', 'follower'],
};

/**
 * S33: a leader knows itself as leader, has its own vote on disk and no election timer; a
 * follower always has one; roles change only along the edges of Figure 3.3 (plus pre-candidate).
 */
export function roleConsistent(): Invariant {
  return {
    id: 'S33',
    onStepped: ({ node, before, after }, cluster) => {
      const from = before?.role ?? 'follower';
      if (!SUCCESSORS[from].includes(after.role)) {
        throw new InvariantBroken('S33', `${node} went from ${from} to ${after.role}`);
      }
      if (after.role === 'follower' && after.electionDeadlineMs === undefined) {
        throw new InvariantBroken('S33', `follower ${node} has no election timer`);
      }
      if (after.role !== 'leader') return;
      const { hardState } = cluster.node(node).disk;
      const hasVote = hardState.term === after.term && hardState.votedFor === node;
      if (after.leaderId === node && hasVote && after.electionDeadlineMs === undefined) return;
      const vote = `durable vote for ${hardState.votedFor ?? 'nobody'} in ${hardState.term}`;
      throw new InvariantBroken(
        'S33',
        `${node} leads term ${after.term}: leader ${after.leaderId ?? 'unknown'}, ${vote}`,
      );
    },
  };
}
