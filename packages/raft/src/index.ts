export type { ClusterIdentity, Member } from './bootstrap.js';
export type {
  AppendAccepted,
  AppendRejected,
  AppendRequest,
  Heartbeat,
  HeartbeatResponse,
  Message,
  PreVoteRequest,
  PreVoteResponse,
  VoteRequest,
  VoteResponse,
} from './messages.js';
export type { ConfirmedRead, LogWrite, Ready } from './ready.js';
export type {
  Entry,
  EntryKind,
  HardState,
  LoadedState,
  LogIndex,
  Membership,
  NodeId,
  Role,
  Term,
} from './types.js';
export { NO_INDEX, NO_TERM } from './types.js';
