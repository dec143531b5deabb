import type { Refusal, RefusalCode } from '@raftd/coordinator';
import { assertNever } from './assert.js';

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

export function errorBody(code: ErrorCode, message: string, details: ErrorDetails = {}): ErrorBody {
  return { code, message, details };
}

/** One line for logs: the code, the fact, the numbers. */
export function describeError(error: ErrorBody): string {
  const details = Object.entries(error.details).map(([name, value]) => `${name}=${value}`);
  return [`${error.code}: ${error.message}`, ...details].join(' ');
}

/** A refusal of the state machine as the error that the caller sees; tokens as decimal strings. */
export function refusalBody(refusal: Refusal): ErrorBody {
  switch (refusal.code) {
    case 'FENCED':
      return fenced(refusal.election, refusal.current);
    case 'LEASE_NOT_FOUND':
    case 'LEASE_EXISTS':
    case 'LEASE_ENDING':
      return errorBody(refusal.code, `lease ${refusal.lease} ${LEASE_FACTS[refusal.code]}`, {
        lease: refusal.lease,
      });
    case 'CAMPAIGN_WITHDRAWN':
    case 'CAMPAIGN_EXISTS':
      return errorBody(
        refusal.code,
        `campaign ${refusal.campaignId} ${campaignFact(refusal.code)}`,
        {
          campaignId: refusal.campaignId,
        },
      );
    case 'SESSION_EXPIRED':
      return errorBody(refusal.code, 'the session is unknown or has expired');
    case 'REPLY_DROPPED':
      return errorBody(refusal.code, `request ${refusal.sequence} was applied, its reply is gone`, {
        sequence: refusal.sequence,
      });
    case 'STALE_REQUEST':
    case 'SESSION_WINDOW_FULL':
    case 'LIMIT_EXCEEDED':
    case 'CAPACITY_REACHED':
    case 'INVALID_ARGUMENT':
    case 'FEATURE_UNAVAILABLE':
      return boundBody(refusal);
    default:
      return assertNever(refusal);
  }
}

type BoundRefusal = Extract<
  Refusal,
  {
    code:
      | 'STALE_REQUEST'
      | 'SESSION_WINDOW_FULL'
      | 'LIMIT_EXCEEDED'
      | 'CAPACITY_REACHED'
      | 'INVALID_ARGUMENT'
      | 'FEATURE_UNAVAILABLE';
  }
>;

function boundBody(refusal: BoundRefusal): ErrorBody {
  switch (refusal.code) {
    case 'STALE_REQUEST': {
      const { code, sequence, mark } = refusal;
      return errorBody(code, `request ${sequence} is below the mark ${mark}`, { sequence, mark });
    }
    case 'SESSION_WINDOW_FULL': {
      const { code, sequence, limit } = refusal;
      const fact = `request ${sequence} is ${limit} or more ahead of the lowest unanswered one`;
      return errorBody(code, fact, { sequence, limit });
    }
    case 'LIMIT_EXCEEDED': {
      const { code, field, limit } = refusal;
      return errorBody(code, `${field} is above its limit of ${limit}`, { field, limit });
    }
    case 'CAPACITY_REACHED': {
      const { code, what, limit } = refusal;
      return errorBody(code, `${what} is reached: ${limit} are there`, { what, limit });
    }
    case 'INVALID_ARGUMENT': {
      const { code, field, reason } = refusal;
      return errorBody(code, `${field} ${reason}`, { field, reason });
    }
    case 'FEATURE_UNAVAILABLE': {
      const { code, required, level } = refusal;
      const fact = `needs feature level ${required}, the cluster is at ${level}`;
      return errorBody(code, fact, { required, level });
    }
    default:
      return assertNever(refusal);
  }
}

const LEASE_FACTS = {
  LEASE_NOT_FOUND: 'does not exist or has ended',
  LEASE_EXISTS: 'was granted to another request',
  LEASE_ENDING: 'is being ended by somebody else',
} as const;

function campaignFact(code: 'CAMPAIGN_WITHDRAWN' | 'CAMPAIGN_EXISTS'): string {
  return code === 'CAMPAIGN_WITHDRAWN' ? 'was withdrawn' : 'stands for another candidacy';
}

function fenced(election: string, current: bigint | undefined): ErrorBody {
  const fact =
    current === undefined
      ? `nobody leads ${election}`
      : `the current token of ${election} is ${current}`;
  const details = current === undefined ? { election } : { election, current: current.toString() };
  return errorBody('FENCED', fact, details);
}
