export { InvariantViolation } from './assert.js';
export type { BootstrapOutcome, ClusterIdentity, Member } from './bootstrap.js';
export { admits, Bootstrap } from './bootstrap.js';
export type { RaftLimits, RaftOptions } from './config.js';
export { DEFAULT_LIMITS, DEFAULT_OPTIONS, InvalidOption } from './config.js';
export { describeEntry, describeMessage, describeSpan } from './describe.js';
export { checkInvariants } from './invariants.js';
export { LEASE_SLACK_MS, leaseMs } from './lease.js';
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
export type { Proposed, ProposeOptions } from './proposal.js';
export { Raft } from './raft.js';
export type { ConfirmedRead, LogWrite, Ready } from './ready.js';
export type { RaftState } from './state.js';
export type {
  Entry,
  EntryKind,
  HardState,
  LoadedState,
  LogIndex,
  NodeId,
  Role,
  Term,
} from './types.js';
export { NO_INDEX, NO_TERM } from './types.js';
