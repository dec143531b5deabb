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
  const matches = new Map<string, number>();
  return {
    id: 'S18',
    onStepped: (event, cluster) => {
      if (event.after.role !== 'leader') return;
      const fresh = becameLeader(event);
      for (const peer of cluster.nodes) {
        const progress = event.view.progressOf(peer.id);
        if (progress === undefined) continue;
        assertInRange(event, peer.id, progress);
        const key = `${event.node}/${peer.id}`;
        const known = fresh ? 0 : (matches.get(key) ?? 0);
        if (progress.match < known) {
          throw broken(event, peer.id, `fell from ${known} to ${progress.match}`);
        }
        if (progress.match > known) assertDurable(event, cluster, peer.id, progress);
        matches.set(key, progress.match);
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
