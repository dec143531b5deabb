export type {
  ByteString,
  CampaignId,
  CampaignState,
  ChangeEvent,
  Changes,
  ClientCommand,
  CommandCodec,
  CommandResult,
  Compare,
  CompareOperator,
  ElectionRecord,
  EndReason,
  FencingToken,
  Guard,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  LeaseRecord,
  LiveGrant,
  LoggedCommand,
  Operation,
  OperationResult,
  Query,
  QueryResult,
  QueuedCandidate,
  Refusal,
  RefusalCode,
  Renewal,
  RenewalResult,
  Revision,
  SessionId,
  Settings,
  Stamp,
  SystemCommand,
} from '@raftd/coordinator';
export { byteString, bytesOf, prefixEnd, utf8ByteString } from './byte-string.js';
export type { DecodedClientFrame, DecodedRequests } from './client-frames.js';
export { decodeClientFrame, encodeClientFrame } from './client-frames.js';
export {
  commandCodec,
  decodeCommand,
  encodeClientCommand,
  encodeCommand,
} from './command-codec.js';
export type { Decoded } from './decoded.js';
export { ERRORS, isErrorCode } from './error-table.js';
export type {
  ErrorBody,
  ErrorClass,
  ErrorCode,
  ErrorDetails,
  ErrorRow,
  SystemErrorCode,
} from './errors.js';
export { describeError, errorBody, refusalBody } from './errors.js';
export type {
  ClientHello,
  ClientRequest,
  ClientToServerFrame,
  Consistency,
  EventsFrame,
  Goodbye,
  LeaderHint,
  MemberAddress,
  NodeStatus,
  PeerFrame,
  PeerHello,
  PeerLane,
  PeerMessagesFrame,
  RepliesFrame,
  Reply,
  ReplyBody,
  RequestsFrame,
  ServerToClientFrame,
  WatchEndedFrame,
  WatchTarget,
  Welcome,
} from './frames.js';
export { PROTOCOL_VERSION, SUBPROTOCOL } from './frames.js';
export type { WireLimits } from './limits.js';
export { DEFAULT_WIRE_LIMITS } from './limits.js';
export { decodePeerFrame, encodePeerFrame } from './peer-frames.js';
export type { RefusedRequest } from './requests.js';
export { decodeServerFrame, encodeServerFrame } from './server-frames.js';
