import type { ClusterIdentity } from '@raftd/raft';
import { NodeFault } from '@raftd/server';
import type { RaftdSettings } from './settings.js';

/** @throws {NodeFault} the data directory was made in a cluster of other nodes than --peers. */
export function checkIdentity(settings: RaftdSettings, cluster: ClusterIdentity | undefined): void {
  if (cluster === undefined) return;
  const stored = cluster.members.map((member) => member.id).sort(byCodeUnits);
  const listed = settings.peers.map((peer) => peer.id).sort(byCodeUnits);
  if (stored.join() === listed.join()) return;
  const message =
    `data directory ${settings.dataDirectory} belongs to cluster ${cluster.clusterId} of ` +
    `${stored.join(', ')}, but --peers names ${listed.join(', ')}: ` +
    'correct --peers, or name the directory of this cluster with --data-dir';
  throw new NodeFault('WRONG_IDENTITY', message);
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
