import type { NodeId } from '@raftd/raft';
import type { ClusterProbe } from '../world/cluster-probe.js';
import { quorumOf } from '../world/cluster-probe.js';
import type { CoreView } from '../world/core-view.js';
import type { Stepped } from '../world/events.js';
import type { Invariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';
import { RoundsSent } from './rounds-sent.js';

/** Of one leadership. Times are counts of steps of all cores. */
interface Reads {
  lastReadId: number;
  /** By read: when it was registered. */
  readonly registeredAt: Map<number, number>;
  /** By voter: when the latest round that it answered had left. */
  readonly answeredFrom: Map<NodeId, number>;
}

/**
 * S23, its cause: a core confirms a read once a quorum has answered rounds of this term that left
 * after the read was registered. An answer to an earlier one says who led before it.
 */
export function readConfirmed(): Invariant {
  const rounds = new RoundsSent();
  const byLeader = new Map<NodeId, Reads>();
  let steps = 0;
  return {
    id: 'S23',
    onSent: ({ message }) => {
      if (message.type === 'heartbeat') rounds.note(message, steps);
    },
    onStepped: (event, cluster) => {
      steps += 1;
      const { node, after, cause, view } = event;
      if (after.role !== 'leader') {
        byLeader.delete(node);
        return;
      }
      const reads = readsOf(byLeader, event);
      if (cause.type === 'read' && view.lastReadId !== reads.lastReadId) {
        reads.lastReadId = view.lastReadId;
        reads.registeredAt.set(view.lastReadId, steps);
      }
      if (cause.type === 'message' && cause.message.type === 'heartbeat-response') {
        const { message } = cause;
        const from = message.term === after.term ? rounds.answered(message) : undefined;
        const known = reads.answeredFrom.get(message.from) ?? Number.NEGATIVE_INFINITY;
        if (from !== undefined && from > known) reads.answeredFrom.set(message.from, from);
      }
      if (view.confirmedReads.length > 0) assertConfirmed(event, reads, cluster);
    },
  };
}

function readsOf(byLeader: Map<NodeId, Reads>, event: Stepped): Reads {
  const known = becameLeader(event) ? undefined : byLeader.get(event.node);
  if (known !== undefined) return known;
  const { lastReadId }: CoreView = event.view;
  const reads: Reads = { lastReadId, registeredAt: new Map(), answeredFrom: new Map() };
  byLeader.set(event.node, reads);
  return reads;
}

function assertConfirmed(
  { node, after, view }: Stepped,
  reads: Reads,
  cluster: ClusterProbe,
): void {
  const quorum = quorumOf(cluster);
  for (const { readId } of view.confirmedReads) {
    const registeredAt = reads.registeredAt.get(readId);
    // Judged before: it only waits to be handed over.
    if (registeredAt === undefined) continue;
    reads.registeredAt.delete(readId);
    let count = 1;
    for (const from of reads.answeredFrom.values()) if (from >= registeredAt) count += 1;
    if (count >= quorum) continue;
    const voters = `${count} of ${cluster.nodes.length} voters, itself included`;
    throw new InvariantBroken(
      'S23',
      `${node} confirmed read ${readId} in term ${after.term}, but only ${voters}, answered a ` +
        `round that left after it was asked`,
    );
  }
}
