import type { NodeId } from '@raftd/raft';
import { quorumOf } from '../world/cluster-probe.js';
import type { Invariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';

/** S16: whoever wins a term has the durable votes of a quorum, each voter counted once. */
export function electionQuorum(): Invariant {
  /** By term and candidate: who ever had that vote on disk, also if later terms replaced it. */
  const durableVotes = new Map<string, Set<NodeId>>();
  return {
    id: 'S16',
    onWriteDone: ({ node, write }) => {
      const vote = write.hardState;
      if (vote?.votedFor === undefined) return;
      const key = `${vote.term}/${vote.votedFor}`;
      const voters = durableVotes.get(key) ?? new Set<NodeId>();
      durableVotes.set(key, voters.add(node));
    },
    onStepped: (event, cluster) => {
      if (!becameLeader(event)) return;
      const voters = durableVotes.get(`${event.after.term}/${event.node}`);
      if ((voters?.size ?? 0) >= quorumOf(cluster)) return;
      const names = [...(voters ?? [])].join(', ');
      throw new InvariantBroken(
        'S16',
        `${event.node} leads term ${event.after.term}, durable votes are of ${names || 'nobody'}`,
      );
    },
  };
}
