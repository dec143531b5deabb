export { InvariantViolation } from './assert.js';
export type {
  BootstrapOptions,
  BootstrapOutcome,
  ClusterIdentity,
  Member,
  PeerIntroduction,
} from './bootstrap.js';
export { admits, Bootstrap } from './bootstrap.js';
export type { RaftLimits, RaftOptions } from './config.js';
export { DEFAULT_LIMITS, DEFAULT_OPTIONS, InvalidOption } from './config.js';
export { describeEntry, describeMessage, describeReady } from './describe.js';
export type { Inflight } from './inflight.js';
export { checkInvariants } from './invariants.js';
export { LEASE_SLACK_MS, leaseMs } from './lease.js';
export type { RaftLog } from './log.js';
export { ENTRY_OVERHEAD_BYTES } from './log.js';
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
export type { Persistence, WriteInFlight } from './persistence-state.js';
export type { Flow, Progress } from './progress.js';
export type { Proposed, ProposeOptions } from './proposal.js';
export { Raft } from './raft.js';
export type { ReadRequested } from './read-index.js';
export type { PendingRead, Reads } from './reads-state.js';
export type { ConfirmedRead, LogWrite, Ready } from './ready.js';
export type {
  CandidateState,
  FollowedLeader,
  FollowerState,
  LeaderState,
  Outbox,
  PreCandidateState,
  RaftState,
  RoleState,
  VoterPromise,
} from './state.js';
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
