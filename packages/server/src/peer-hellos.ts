import { type ErrorBody, errorBody, type PeerHello, PROTOCOL_VERSION } from '@raftd/protocol';
import { admits, type ClusterIdentity, type NodeId } from '@raftd/raft';

/** What every hello must match, whether or not a cluster has formed. */
export interface HelloRules {
  readonly id: NodeId;
  readonly clusterName: string;
  readonly members: readonly NodeId[];
}

/** Refuses what can never be a peer of this node: version, name, addressee, stranger. */
export function refuseHello(hello: PeerHello, rules: HelloRules): ErrorBody | undefined {
  if (hello.protocolVersion !== PROTOCOL_VERSION) {
    const { protocolVersion } = hello;
    const message = `protocol ${protocolVersion} is not spoken here, ${PROTOCOL_VERSION} is`;
    return errorBody('UNSUPPORTED_VERSION', message, { supported: PROTOCOL_VERSION });
  }
  if (hello.clusterName !== rules.clusterName) {
    const message = `this is cluster "${rules.clusterName}", not "${hello.clusterName}"`;
    return errorBody('WRONG_CLUSTER', message, { clusterName: rules.clusterName });
  }
  if (hello.to !== rules.id) {
    return errorBody('WRONG_NODE', `this is ${rules.id}, not ${hello.to}`, { id: rules.id });
  }
  if (hello.from.id === rules.id || !rules.members.includes(hello.from.id)) {
    return errorBody('WRONG_NODE', `${hello.from.id} is none of the peers of ${rules.id}`);
  }
  return undefined;
}

/**
 * Refuses whoever is not a member of this cluster as it was formed: another cluster, or a member's
 * name on another data directory. A member that has stored no cluster yet, but has
 * the incarnation that the cluster was formed with, is a slow first start and admitted.
 */
export function refuseStranger(hello: PeerHello, identity: ClusterIdentity): ErrorBody | undefined {
  const { from, cluster } = hello;
  if (admits(identity, { member: from, cluster })) return undefined;
  const { clusterId } = identity;
  if (cluster !== undefined && cluster.clusterId !== clusterId) {
    const message = `${from.id} belongs to cluster ${cluster.clusterId}, this is ${clusterId}`;
    return errorBody('WRONG_CLUSTER', message, { clusterId });
  }
  const message =
    `the data directory of ${from.id} is not the one it joined cluster ${clusterId} with: ` +
    'a node that lost its data must not vote under its old identity';
  return errorBody('WRONG_NODE', message, { id: from.id });
}
