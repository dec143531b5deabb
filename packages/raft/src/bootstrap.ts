import type { NodeId } from './types.js';

/** A node's life on one disk: a random id, new whenever the data directory is new. */
export interface Member {
  readonly id: NodeId;
  readonly incarnation: string;
}

/** Which cluster a node belongs to; stored once, before its first vote. */
export interface ClusterIdentity {
  /** Hash of the sorted (id, incarnation) pairs. */
  readonly clusterId: string;
  readonly members: readonly Member[];
}
