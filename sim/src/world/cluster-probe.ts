import type { Entry, HardState, LogIndex, NodeId } from '@raftd/raft';
import type { CoreView } from './core-view.js';
import type { LogMirror } from './log-mirror.js';

/** The durable side of a node; it can be read while the node is down. */
export interface DiskProbe {
  readonly hardState: HardState;
  readonly lastIndex: number;
  entryAt(index: LogIndex): Entry | undefined;
}

/** What a checker may know about one node. */
export interface NodeProbe {
  readonly id: NodeId;
  readonly disk: DiskProbe;
  /** Undefined while the node is down; a frozen node still has its state. */
  readonly view: CoreView | undefined;
  /** The log in memory as it was last seen; what it was before a crash until the restart. */
  readonly log: LogMirror;
  /** Milliseconds by the node's own clock since the world began, reboots or not. */
  readonly elapsedMs: number;
  /** Whether this node would serve a lease read right now, by its own clock. */
  leaseHeld(): boolean;
}

/** The whole cluster, seen from outside: no node has this view. */
export interface ClusterProbe {
  readonly trueMs: number;
  readonly nodes: readonly NodeProbe[];
  node(id: NodeId): NodeProbe;
}

export function quorumOf(cluster: ClusterProbe): number {
  return Math.floor(cluster.nodes.length / 2) + 1;
}
