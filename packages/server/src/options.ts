import type { MemberAddress } from '@raftd/protocol';
import type { ClusterIdentity, LoadedState, NodeId } from '@raftd/raft';

/** What one node is told at its start. Times are milliseconds of the monotonic clock. */
export interface ServerOptions {
  /** This node's name; one of `members`. */
  readonly id: NodeId;
  /** The `--cluster` name: a plain guard against crossed configurations. */
  readonly clusterName: string;
  /** The nodes of `--peers`, this one included, with the addresses that clients are told. */
  readonly members: readonly MemberAddress[];
  /** Random id of this data directory, stored durably before the node answers anyone. */
  readonly incarnation: string;
  /** As stored; undefined on a node that has not formed or adopted a cluster yet. */
  readonly identity: ClusterIdentity | undefined;
  /** What the storage holds, already checked for contiguity; who is a member, `identity` says. */
  readonly loaded: Omit<LoadedState, 'membership'>;
  /** `lease`: this node, when leader, serves reads by its leader lease. Default `quorum`. */
  readonly reads: 'quorum' | 'lease';
  /** Default 50; must be well below `electionTimeoutMs` (a fifth or less). */
  readonly heartbeatMs: number;
  /** Base of the campaign timer, drawn from [base, 2·base). Default 300. */
  readonly electionTimeoutMs: number;
  /** The state machine's feature level that this build supports; peers are told. */
  readonly featureLevel: number;
  /** Version of the software, shown in `status`. */
  readonly version: string;
  /** Collision-free and equal on every node: makes the cluster id at bootstrap. */
  readonly hash: (text: string) => string;
  readonly limits: ServerLimits;
}

/** Everything has a bound; crossing it is the typed error named here. */
export interface ServerLimits {
  /** Client connections at once. TOO_MANY_CONNECTIONS. */
  readonly connectionsMax: number;
  /** Requests of one connection that wait for their reply. TOO_MANY_REQUESTS. */
  readonly pipelinedRequestsMax: number;
  /** Commands held between election and the start of leadership, all connections. OVERLOADED. */
  readonly heldCommandsMax: number;
  /** Watches of one connection. TOO_MANY_WATCHES. */
  readonly watchesPerConnectionMax: number;
  /** Watches of the node. TOO_MANY_WATCHES. */
  readonly watchesMax: number;
  /** Watches of key ranges (each is looked at for every changed key). TOO_MANY_WATCHES. */
  readonly rangeWatchesMax: number;
  /** Revisions kept for resuming watches; older ones answer COMPACTED. */
  readonly windowEventsMax: number;
  /** Bytes of the same. */
  readonly windowBytesMax: number;
  /** Unsent bytes of a connection above which its watches end. SLOW_CONSUMER. */
  readonly watchBufferedBytesMax: number;
  /** Unsent bytes of a connection above which it is closed. SLOW_CONSUMER. */
  readonly connectionBufferedBytesMax: number;
  /** Frames are cut at about this size; at most half of what the other side accepts. */
  readonly frameBytesTarget: number;
  /** A single reply above this would not fit a frame. LIMIT_EXCEEDED; REPLY_DROPPED: applied. */
  readonly replyBytesMax: number;
  /** A proposal without an outcome for this long answers OUTCOME_UNKNOWN, ms. */
  readonly proposalTimeoutMs: number;
  /** A read not confirmed within this many election time-outs answers UNAVAILABLE. */
  readonly readTimeoutElections: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connectionsMax: 10_000,
  pipelinedRequestsMax: 10_000,
  heldCommandsMax: 10_000,
  watchesPerConnectionMax: 10_000,
  watchesMax: 100_000,
  rangeWatchesMax: 1_000,
  windowEventsMax: 100_000,
  windowBytesMax: 64 * 1024 * 1024,
  watchBufferedBytesMax: 16 * 1024 * 1024,
  connectionBufferedBytesMax: 64 * 1024 * 1024,
  frameBytesTarget: 1024 * 1024,
  replyBytesMax: 3.5 * 1024 * 1024,
  proposalTimeoutMs: 10_000,
  readTimeoutElections: 4,
};
