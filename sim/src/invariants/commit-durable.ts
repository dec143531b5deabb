import { quorumOf } from '../world/cluster-probe.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S15: when a leader moves its commit index, a quorum of disks holds that entry. The leader's own
 * disk counts like any other; nodes that are down count with what they have on disk.
 */
export function commitDurable(): Invariant {
  return {
    id: 'S15',
    onStepped: ({ node, before, after }, cluster) => {
      if (after.role !== 'leader' || after.commitIndex === (before?.commitIndex ?? 0)) return;
      const term = cluster.node(node).log.termAt(after.commitIndex);
      const holders = cluster.nodes.filter(
        (other) => other.disk.entryAt(after.commitIndex)?.term === term,
      );
      if (holders.length >= quorumOf(cluster)) return;
      const names = holders.map((holder) => holder.id).join(', ');
      const entry = `${after.commitIndex}/${term ?? 0}`;
      throw new InvariantBroken(
        'S15',
        `${node} committed ${entry}, durable only on ${names || 'no node'}`,
      );
    },
  };
}
