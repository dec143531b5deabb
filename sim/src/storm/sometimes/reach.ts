import type { NodeId } from '@raftd/raft';
import { quorumOf } from '../../world/cluster-probe.js';
import type { StormProbe } from '../cluster.js';

/** Some node exchanges messages with enough others to lead them; without one nothing goes on. */
export function isMajorityInTouch(cluster: StormProbe): boolean {
  const awake = cluster.nodes.filter(({ id }) => cluster.isAwake(id));
  return awake.some(({ id }) => {
    const inTouch = awake.filter((other) => other.id === id || isInTouch(cluster, id, other.id));
    return inTouch.length >= quorumOf(cluster);
  });
}

/** Somebody leads, as far as it knows, and all its links are cut in exactly one direction. */
export function isLeaderCutOneWay(cluster: StormProbe): boolean {
  return cluster.nodes.some(({ id, view }) => {
    if (view?.role !== 'leader') return false;
    const others = cluster.nodes.filter((other) => other.id !== id);
    const isMute = others.every((other) => cluster.isCut(id, other.id));
    return isMute !== others.every((other) => cluster.isCut(other.id, id));
  });
}

function isInTouch(cluster: StormProbe, one: NodeId, other: NodeId): boolean {
  return !cluster.isCut(one, other) && !cluster.isCut(other, one);
}
