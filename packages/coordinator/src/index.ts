export type {
  ClientCommand,
  CommandCodec,
  Compare,
  CompareOperator,
  DeleteOperation,
  DeleteRangeOperation,
  GetOperation,
  Guard,
  LoggedCommand,
  Operation,
  PutOperation,
  Query,
  Renewal,
  Stamp,
  SystemCommand,
} from './commands.js';
export type { ChangeEvent, Changes, EndReason } from './events.js';
export type {
  CampaignState,
  CommandResult,
  ElectionRecord,
  LeaseRecord,
  LiveGrant,
  OperationResult,
  QueryResult,
  Refusal,
  RefusalCode,
  RenewalResult,
} from './results.js';
export type { Applied, CoordinatorOptions } from './state-machine.js';
export { Coordinator } from './state-machine.js';
export { DEFAULT_SETTINGS, FEATURE_LEVEL } from './settings.js';
export type {
  ByteString,
  CampaignId,
  FencingToken,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  QueuedCandidate,
  Revision,
  SessionId,
  Settings,
} from './types.js';
