import type { ErrorBody, ErrorClass, ErrorCode, ErrorDetails } from '@raftd/protocol';
import { ERRORS } from '@raftd/protocol';

/** One try of a call at one node. */
export interface Attempt {
  /** HOST:PORT */
  readonly address: string;
  readonly durationMs: number;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface RaftdErrorOptions {
  readonly details?: ErrorDetails;
  readonly attempts?: readonly Attempt[];
  readonly cause?: unknown;
  /** Where the case tells more than the table: a sole attempt, an attempt in doubt. */
  readonly class?: ErrorClass;
  readonly retryable?: boolean;
}

/**
 * Every failure of this library. Tell them apart by `code`; `class` says what may be concluded:
 * `rejected` did not happen, `indeterminate` may have happened, `invalid` never will.
 */
export class RaftdError extends Error {
  override readonly name: string = 'RaftdError';
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly retryable: boolean;
  readonly details: ErrorDetails;
  readonly attempts: readonly Attempt[];

  constructor(code: ErrorCode, message: string, options: RaftdErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const row = ERRORS[code];
    this.code = code;
    this.class = options.class ?? row.class;
    this.retryable = options.retryable ?? row.retryable;
    this.details = options.details ?? {};
    this.attempts = options.attempts ?? [];
  }
}

/** Why a grant or a lease ended for this process. */
export type LossReason =
  /** No acknowledgement in time: the local deadline, on either clock. */
  | 'expired'
  /** Somebody else ended it, or the server no longer names it. */
  | 'revoked'
  /** A guarded write was refused: the grant is not current. */
  | 'fenced'
  /** `onSuspect: 'abort'` and no acknowledgement for half the TTL. */
  | 'suspect'
  /** The caller's own signal aborted. */
  | 'aborted'
  | 'resigned'
  /** The client was closed. */
  | 'closed'
  /** The body of `run()` went on after the loss, past its limit: the lease was left to expire. */
  | 'stuck';

/** Thrown by `assertHeld()` and the guard, and the reason of an aborted `leadership.signal`. */
export class LeadershipLostError extends RaftdError {
  override readonly name: string = 'LeadershipLostError';
  readonly reason: LossReason;

  constructor(election: string, token: bigint, reason: LossReason, cause?: unknown) {
    super('LEADERSHIP_LOST', `leadership of ${election} is lost: ${reason}`, {
      details: { election, token: token.toString(), reason },
      cause,
    });
    this.reason = reason;
  }
}

/** The reason of an aborted `lease.signal`. */
export class LeaseLostError extends RaftdError {
  override readonly name: string = 'LeaseLostError';
  readonly reason: LossReason;

  constructor(lease: string, reason: LossReason, cause?: unknown) {
    super('LEASE_LOST', `lease ${lease} is lost: ${reason}`, {
      details: { lease, reason },
      cause,
    });
    this.reason = reason;
  }
}

export function fromBody(body: ErrorBody, options: RaftdErrorOptions = {}): RaftdError {
  return new RaftdError(body.code, body.message, { details: body.details, ...options });
}

export function invalidArgument(field: string, reason: string): RaftdError {
  return new RaftdError('INVALID_ARGUMENT', `${field} ${reason}`, { details: { field, reason } });
}

export function limitExceeded(field: string, limit: number): RaftdError {
  return new RaftdError('LIMIT_EXCEEDED', `${field} is above its limit of ${limit}`, {
    details: { field, limit },
  });
}

export function clientClosed(inDoubt: boolean): RaftdError {
  return new RaftdError('CLIENT_CLOSED', 'the client is closed', {
    class: inDoubt ? 'indeterminate' : 'rejected',
  });
}

/** A command that failed with this may have been applied; an abort tells nothing either way. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof RaftdError) || error.class === 'indeterminate';
}
