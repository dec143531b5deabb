import type { NodeId } from '@raftd/raft';
import type { PeerHandlers } from '@raftd/server';
import type { SimProcess } from '../../world/process.js';

/** What the network knows of a node. */
export interface PeerEnd {
  readonly id: NodeId;
  readonly position: number;
  readonly process: SimProcess;
  /** Of the life that runs; undefined while the node is down. */
  readonly peerHandlers: PeerHandlers | undefined;
}
