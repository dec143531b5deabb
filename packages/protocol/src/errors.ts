import type { Refusal, RefusalCode } from '@raftd/coordinator';

/** What a caller may conclude. DESIGN §7. */
export type ErrorClass =
  /** Did not happen; retry as told. */
  | 'rejected'
  /** May have happened; retry with the same request id, at any node. */
  | 'indeterminate'
  /** Will never succeed as it stands. */
  | 'invalid';

/** Codes that come from below the state machine: raft, server, protocol, client. */
export type SystemErrorCode =
  | 'NOT_LEADER'
  | 'UNAVAILABLE'
  | 'OVERLOADED'
  | 'OUTCOME_UNKNOWN'
  | 'TIMEOUT'
  | 'COMPACTED'
  | 'WATCH_INTERRUPTED'
  | 'SLOW_CONSUMER'
  | 'CURSOR_EXPIRED'
  | 'MALFORMED_FRAME'
  | 'FRAME_TOO_LARGE'
  | 'UNKNOWN_REQUEST'
  | 'UNSUPPORTED_VERSION'
  | 'WRONG_CLUSTER'
  | 'WRONG_NODE'
  | 'TOO_MANY_REQUESTS'
  | 'TOO_MANY_WATCHES'
  | 'TOO_MANY_CONNECTIONS'
  | 'SHUTTING_DOWN'
  | 'LEADERSHIP_LOST'
  | 'LEADERSHIP_SUSPECT'
  | 'LEASE_LOST'
  | 'CLIENT_CLOSED';

export type ErrorCode = RefusalCode | SystemErrorCode;

export interface ErrorRow {
  readonly class: ErrorClass;
  /** True where trying again, as the class tells, can succeed. */
  readonly retryable: boolean;
  /** One sentence: the fact, and what to do. */
  readonly says: string;
}

/** An error as it crosses the wire. `details` are the numbers and names of the case. */
export interface ErrorBody {
  readonly code: ErrorCode;
  /** Lower-case fact with the numbers, for people. */
  readonly message: string;
  readonly details: ErrorDetails;
}

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

export type { Refusal };
