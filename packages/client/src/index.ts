export type {
  CampaignId,
  Compare,
  ElectionRecord,
  ErrorClass,
  ErrorCode,
  FencingToken,
  LeaderRecord,
  LeaseId,
  LeaseRecord,
  LiveGrant,
  MemberAddress,
  NodeStatus,
  QueuedCandidate,
  Revision,
} from '@raftd/protocol';
export type { CallOptions } from './call.js';
export type { CampaignOptions, Metadata } from './campaign.js';
export { decodeMetadata } from './campaign.js';
export type { ListOptions } from './client.js';
export { Client } from './client.js';
export type { ConnectOptions, ConnectTarget } from './connect.js';
export { connect, connectWith } from './connect.js';
export { CLOCK_RATE_BOUND, holdMs, stopBudgetMs } from './deadline.js';
export { Election } from './election.js';
export type { NodeId } from './endpoints.js';
export { parseEndpoints } from './endpoints.js';
export type { Attempt, LossReason, RaftdErrorOptions } from './errors.js';
export { LeadershipLostError, LeaseLostError, RaftdError } from './errors.js';
export type { LeadershipState, SuspectPolicy } from './grant.js';
export type { LeaseListener } from './held-lease.js';
export { HeldLease } from './held-lease.js';
export { KeyValue } from './key-value.js';
export type { Bytes, KeyRange } from './keys.js';
export type {
  DeleteRangeResult,
  DeleteResult,
  LeaseRef,
  PutOptions,
  PutResult,
  ReadOptions,
  WriteGuard,
  WriteOptions,
} from './kv.js';
export type { LeadershipGuard } from './leadership.js';
export { Leadership } from './leadership.js';
export type { LeaseOptions } from './lease.js';
export { Lease } from './lease.js';
export type { GrantedLease, GrantOptions, RenewedLease } from './lease-commands.js';
export type { ElectionView, ObserveOptions } from './observe.js';
export type {
  Cancel,
  ClientPorts,
  Clock,
  Dial,
  DialHandlers,
  DialOptions,
  Logger,
  Timers,
  Wire,
} from './ports.js';
export type { RangeOptions, RangePage } from './range.js';
export type { RevokedLease, WithdrawResult } from './release.js';
export type { RunBody, RunOptions } from './run.js';
export type { ClusterStatus, NodeReport, ReachableNode, UnreachableNode } from './status.js';
export { Subscription } from './subscription.js';
export type { CorePorts, Instant } from './timekeeper.js';
export { Timekeeper } from './timekeeper.js';
export type {
  Txn,
  TxnCompare,
  TxnOperation,
  TxnOperationResult,
  TxnResult,
} from './txn.js';
export type { WatchEvent, WatchOptions, WatchScope } from './watch.js';
