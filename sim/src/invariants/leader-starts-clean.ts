import type { Invariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';

/** S19: a new leader knows nothing of its peers' logs and has no read waiting. */
export function leaderStartsClean(): Invariant {
  return {
    id: 'S19',
    onStepped: (event, cluster) => {
      if (!becameLeader(event)) return;
      const { node, view } = event;
      if (view.pendingReads > 0) {
        throw new InvariantBroken('S19', `${node} became leader with reads waiting`);
      }
      for (const peer of cluster.nodes) {
        const progress = view.progressOf(peer.id);
        if (progress === undefined || progress.match === 0) continue;
        throw new InvariantBroken(
          'S19',
          `${node} became leader with match ${progress.match} of ${peer.id}`,
        );
      }
    },
  };
}
