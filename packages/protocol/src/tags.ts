import type {
  ChangeEvent,
  ClientCommand,
  CommandResult,
  Operation,
  Query,
  QueryResult,
  RefusalCode,
  SystemCommand,
} from '@raftd/coordinator';
import type { Message } from '@raftd/raft';
import type { ClientRequest, PeerFrame, ReplyBody, WatchTarget } from './frames.js';
import type { ClientToServerFrame, ServerToClientFrame } from './frames.js';

/**
 * The first field of every row. Numbers are part of the wire format and of the log: never reused,
 * never renumbered. A variant without a tag does not compile.
 */
type Tags<T extends { readonly type: string }> = Readonly<Record<T['type'], number>>;

export const CLIENT_FRAME: Tags<ClientToServerFrame> = {
  'client-hello': 1,
  requests: 2,
};

export const SERVER_FRAME: Tags<ServerToClientFrame> = {
  welcome: 1,
  goodbye: 2,
  replies: 3,
  events: 4,
  'watch-ended': 5,
};

export const PEER_FRAME: Tags<PeerFrame> = {
  'peer-hello': 1,
  'peer-messages': 2,
  goodbye: 3,
};

export const REQUEST: Tags<ClientRequest> = {
  command: 1,
  query: 2,
  watch: 3,
  unwatch: 4,
  status: 5,
};

export const WATCH_TARGET: Tags<WatchTarget> = {
  range: 1,
  election: 2,
  campaign: 3,
};

export const REPLY: Tags<ReplyBody> = {
  command: 1,
  query: 2,
  watching: 3,
  unwatched: 4,
  status: 5,
  error: 6,
};

/** Below 64; the leader's own are from 64 on. */
export const CLIENT_COMMAND: Tags<ClientCommand> = {
  put: 1,
  delete: 2,
  'delete-range': 3,
  txn: 4,
  'lease-grant': 5,
  'lease-renew': 6,
  'lease-revoke': 7,
  campaign: 8,
  withdraw: 9,
  'fence-advance': 10,
  'session-touch': 11,
  'session-close': 12,
};

export const SYSTEM_COMMAND_FIRST = 64;
export const SYSTEM_COMMAND: Tags<SystemCommand> = {
  initialize: 64,
  'expire-leases': 65,
  'expire-sessions': 66,
  'end-grants': 67,
  'remove-elections': 68,
  'set-wall-offset': 69,
  'raise-feature-level': 70,
};

export const OPERATION: Tags<Operation> = {
  put: 1,
  delete: 2,
  'delete-range': 3,
  get: 4,
};

export const QUERY: Tags<Query> = {
  get: 1,
  range: 2,
  'range-next': 3,
  'lease-show': 4,
  'lease-list': 5,
  'election-show': 6,
  'election-list': 7,
  'campaign-show': 8,
};

export const QUERY_RESULT: Tags<QueryResult> = {
  get: 1,
  range: 2,
  'lease-show': 3,
  'lease-list': 4,
  'election-show': 5,
  'election-list': 6,
  'campaign-show': 7,
  'cursor-expired': 8,
};

export const COMMAND_RESULT: Tags<CommandResult> = {
  put: 1,
  delete: 2,
  'delete-range': 3,
  txn: 4,
  'lease-grant': 5,
  'lease-renew': 6,
  'lease-revoke': 7,
  campaign: 8,
  withdraw: 9,
  'fence-advance': 10,
  done: 11,
  refused: 12,
};

export const REFUSAL: Readonly<Record<RefusalCode, number>> = {
  FENCED: 1,
  LEASE_NOT_FOUND: 2,
  LEASE_EXISTS: 3,
  LEASE_ENDING: 4,
  CAMPAIGN_WITHDRAWN: 5,
  CAMPAIGN_EXISTS: 6,
  SESSION_EXPIRED: 7,
  STALE_REQUEST: 8,
  SESSION_WINDOW_FULL: 9,
  REPLY_DROPPED: 10,
  LIMIT_EXCEEDED: 11,
  INVALID_ARGUMENT: 12,
  FEATURE_UNAVAILABLE: 13,
  CAPACITY_REACHED: 14,
};

export const CHANGE_EVENT: Tags<ChangeEvent> = {
  put: 1,
  delete: 2,
  queued: 3,
  left: 4,
  granted: 5,
  ending: 6,
  ended: 7,
};

export const MESSAGE: Tags<Message> = {
  'pre-vote-request': 1,
  'pre-vote-response': 2,
  'vote-request': 3,
  'vote-response': 4,
  'append-request': 5,
  'append-accepted': 6,
  'append-rejected': 7,
  heartbeat: 8,
  'heartbeat-response': 9,
};
