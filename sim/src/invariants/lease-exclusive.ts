import type { NodeProbe } from '../world/cluster-probe.js';
import type { Stepped } from '../world/events.js';
import type { CreateInvariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';

/**
 * S24: in true time, once a node leads a later term, no other believes in its lease any more. A
 * frozen node counts: it may wake and serve before it hears of anything.
 */
export const leaseExclusive: CreateInvariant = ({ leaders }) => {
  let latestTerm = 0;
  return {
    id: 'S24',
    restsOnClocks: true,
    onStepped: (event, cluster) => {
      const { node, after } = event;
      if (after.role !== 'leader') return;
      if (becameLeader(event)) {
        latestTerm = Math.max(latestTerm, ...leaders.keys(), after.term);
        for (const other of cluster.nodes) assertNoOlderLease(event, other);
      }
      if (after.term >= latestTerm || !cluster.node(node).leaseHeld()) return;
      throw new InvariantBroken(
        'S24',
        `${node} holds its lease of term ${after.term}, term ${latestTerm} has a leader`,
      );
    },
  };
};

function assertNoOlderLease({ node, after }: Stepped, other: NodeProbe): void {
  if (other.id === node || other.view?.role !== 'leader') return;
  if (other.view.term >= after.term || !other.leaseHeld()) return;
  throw new InvariantBroken(
    'S24',
    `${node} leads term ${after.term} while ${other.id} holds its lease of term ${other.view.term}`,
  );
}
