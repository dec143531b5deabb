import type { NodeId } from '@raftd/raft';
import type { ClusterProbe } from '../world/cluster-probe.js';
import type { ProgressView } from '../world/core-view.js';
import type { Stepped } from '../world/events.js';
import type { Invariant } from './invariant.js';
import { becameLeader, InvariantBroken } from './invariant.js';

/**
 * S18: 0 ≤ match < next ≤ last + 1; match only grows within a leadership and is never more than
 * the peer has durably in common with the leader; in-flight counts are never negative.
 */
export function progressTrue(): Invariant {
  /** By leader, then by peer. */
  const matches = new Map<NodeId, Map<NodeId, number>>();
  return {
    id: 'S18',
    onStepped: (event, cluster) => {
      if (event.after.role !== 'leader') return;
      const fresh = becameLeader(event);
      const known = matches.get(event.node) ?? new Map<NodeId, number>();
      if (fresh) known.clear();
      matches.set(event.node, known);
      for (const peer of cluster.nodes) {
        const progress = event.view.progressOf(peer.id);
        if (progress === undefined) continue;
        assertInRange(event, peer.id, progress);
        const earlier = known.get(peer.id) ?? 0;
        if (progress.match === earlier) continue;
        if (progress.match < earlier) {
          throw broken(event, peer.id, `fell from ${earlier} to ${progress.match}`);
        }
        assertDurable(event, cluster, peer.id, progress);
        known.set(peer.id, progress.match);
      }
    },
  };
}

function assertInRange(event: Stepped, peer: NodeId, progress: ProgressView): void {
  const { match, next, inflightBytes, inflightMessages } = progress;
  if (match < 0 || match >= next || next > event.after.lastIndex + 1) {
    throw broken(event, peer, `is ${match}, next ${next}, last ${event.after.lastIndex}`);
  }
  if (inflightBytes < 0 || inflightMessages < 0) throw broken(event, peer, 'in flight below 0');
  if (inflightMessages === 0 && inflightBytes !== 0) {
    throw broken(event, peer, `${inflightBytes} bytes in flight in no message`);
  }
}

function assertDurable(
  event: Stepped,
  cluster: ClusterProbe,
  peer: NodeId,
  { match }: ProgressView,
): void {
  const durable = cluster.node(peer).disk.entryAt(match);
  const own = cluster.node(event.node).log.termAt(match);
  if (durable !== undefined && durable.term === own) return;
  throw broken(
    event,
    peer,
    `is ${match}/${own ?? 0}, the disk has term ${durable?.term ?? 0} there`,
  );
}

function broken(event: Stepped, peer: NodeId, fact: string): InvariantBroken {
  return new InvariantBroken('S18', `match of ${peer} at leader ${event.node} ${fact}`);
}
