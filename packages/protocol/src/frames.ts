import type {
  ByteString,
  Changes,
  CommandResult,
  LoggedCommand,
  Query,
  QueryResult,
  Revision,
} from '@raftd/coordinator';
import type { ClusterIdentity, Member, Message, NodeId, Role, Term } from '@raftd/raft';
import type { ErrorBody } from './errors.js';

/** Raised when a frame changes its meaning; both sides name theirs in the handshake. */
export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'raftd.v1';

export interface MemberAddress {
  readonly id: NodeId;
  /** HOST:PORT */
  readonly address: string;
}

/** Where to go instead; a hint with an older term than one already known is ignored (K-077). */
export interface LeaderHint {
  readonly term: Term;
  readonly id: NodeId;
  readonly address: string;
}

// ---- /client: the first frame each way ----

export interface ClientHello {
  readonly type: 'client-hello';
  readonly protocolVersion: number;
  /** The cluster this client has spoken to before; another one answers WRONG_CLUSTER. */
  readonly clusterId: string | undefined;
}

export interface Welcome {
  readonly type: 'welcome';
  readonly protocolVersion: number;
  readonly clusterId: string;
  readonly nodeId: NodeId;
  readonly leader: LeaderHint | undefined;
  readonly members: readonly MemberAddress[];
  /**
   * Cluster time as applied here: `openedAtMs` of a session opened on this connection. Undefined
   * while this node has not caught up: a session opened in the past would be an expired one, so
   * a client that needs one comes back a little later or goes to another node.
   */
  readonly clusterTimeMs: number | undefined;
  readonly featureLevel: number;
}

/** Last frame before a connection is closed for a reason. */
export interface Goodbye {
  readonly type: 'goodbye';
  readonly error: ErrorBody;
}

// ---- /client: requests, batched in frames and pipelined ----

export type WatchTarget =
  | { readonly type: 'range'; readonly start: ByteString; readonly end: ByteString | undefined }
  | { readonly type: 'election'; readonly election: string }
  /** Only what concerns one campaign: its grant and its end. Wakes one waiter, not the herd. */
  | { readonly type: 'campaign'; readonly election: string; readonly campaignId: string };

export type Consistency = 'linearizable' | 'stale';

export type ClientRequest =
  | {
      readonly type: 'command';
      readonly requestId: number;
      /** The very bytes that go into the log; already validated as `logged`. */
      readonly payload: Uint8Array;
      readonly logged: LoggedCommand;
    }
  | {
      readonly type: 'query';
      readonly requestId: number;
      readonly consistency: Consistency;
      readonly query: Query;
    }
  | {
      readonly type: 'watch';
      readonly requestId: number;
      readonly watchId: number;
      readonly target: WatchTarget;
      /** First revision wanted; undefined: from the next one on. Below the window: COMPACTED. */
      readonly fromRevision: Revision | undefined;
    }
  | { readonly type: 'unwatch'; readonly requestId: number; readonly watchId: number }
  | { readonly type: 'status'; readonly requestId: number };

export interface RequestsFrame {
  readonly type: 'requests';
  readonly requests: readonly ClientRequest[];
}

export interface NodeStatus {
  readonly clusterId: string;
  readonly id: NodeId;
  readonly address: string;
  readonly role: Role;
  readonly term: Term;
  readonly leader: LeaderHint | undefined;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  readonly revision: Revision;
  readonly version: string;
  readonly members: readonly MemberAddress[];
}

export type ReplyBody =
  | { readonly type: 'command'; readonly result: CommandResult }
  | { readonly type: 'query'; readonly result: QueryResult }
  /** The watch stands; events follow from `revision` on. */
  | { readonly type: 'watching'; readonly revision: Revision }
  | { readonly type: 'unwatched' }
  | { readonly type: 'status'; readonly status: NodeStatus }
  | { readonly type: 'error'; readonly error: ErrorBody };

export interface Reply {
  readonly requestId: number;
  readonly body: ReplyBody;
}

export interface RepliesFrame {
  readonly type: 'replies';
  readonly replies: readonly Reply[];
}

/**
 * Revisions of one watch, ordered and gapless. A revision too big for one frame spans several:
 * all but its last part say `more`; the client delivers it when complete.
 */
export interface EventsFrame {
  readonly type: 'events';
  readonly watchId: number;
  readonly changes: readonly (Changes & { readonly more: boolean })[];
}

/** The watch ended; resumable from the revision after the last one delivered unless COMPACTED. */
export interface WatchEndedFrame {
  readonly type: 'watch-ended';
  readonly watchId: number;
  readonly error: ErrorBody;
}

export type ClientToServerFrame = ClientHello | RequestsFrame;
export type ServerToClientFrame = Welcome | Goodbye | RepliesFrame | EventsFrame | WatchEndedFrame;

// ---- /peer ----

export type PeerLane = 'control' | 'bulk';

/** First frame each way on a peer connection; every later frame inherits what it established. */
export interface PeerHello {
  readonly type: 'peer-hello';
  readonly protocolVersion: number;
  /** The `--cluster` name, a plain guard against crossed configurations. */
  readonly clusterName: string;
  readonly from: Member;
  /** Who the dialler believes it reached; anyone else refuses. */
  readonly to: NodeId;
  /** Undefined until bootstrap has formed or adopted an identity. */
  readonly cluster: ClusterIdentity | undefined;
  readonly lane: PeerLane;
  readonly featureLevel: number;
}

export interface PeerMessagesFrame {
  readonly type: 'peer-messages';
  readonly messages: readonly Message[];
}

export type PeerFrame = PeerHello | PeerMessagesFrame | Goodbye;
