import type { CreateInvariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';

/** S12: the leader of a term holds every entry committed in an earlier term (§3.6.3). */
export const leaderCompleteness: CreateInvariant = ({ committed }) => ({
  id: 'S12',
  onStepped: (event, cluster) => {
    if (!becameLeader(event)) return;
    const { log } = cluster.node(event.node);
    for (const entry of committed) {
      if (entry.committedIn >= event.after.term) continue;
      if (log.chainAt(entry.index) === entry.chain) continue;
      const lost = `${entry.index}/${entry.term}, committed in term ${entry.committedIn}`;
      throw new InvariantBroken(
        'S12',
        `${event.node} leads term ${event.after.term} without entry ${lost}`,
      );
    }
  },
});
