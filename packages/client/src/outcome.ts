import type { ErrorBody, ErrorCode, LeaderHint } from '@raftd/protocol';
import type { Call } from './call.js';
import type { NodeId, Term } from './endpoints.js';
import { type Attempt, fromBody, RaftdError } from './errors.js';

/** After these the same request is sent again, here or at another node, until its deadline. */
const TRIED_AGAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_LEADER',
  'UNAVAILABLE',
  'OVERLOADED',
  'OUTCOME_UNKNOWN',
  'TIMEOUT',
  'TOO_MANY_REQUESTS',
  'SESSION_WINDOW_FULL',
  'SHUTTING_DOWN',
]);

export function isTriedAgain(code: ErrorCode): boolean {
  return TRIED_AGAIN.has(code);
}

/** The node leads but has too much at hand: the same node, after a pause. */
export function isCongestion(code: ErrorCode): boolean {
  return code === 'OVERLOADED' || code === 'TOO_MANY_REQUESTS' || code === 'SESSION_WINDOW_FULL';
}

/** The leader named in a NOT_LEADER, if one is. */
export function leaderHintOf({ details }: ErrorBody): LeaderHint | undefined {
  const { term, id, address } = details;
  if (typeof term !== 'number' || typeof id !== 'string' || typeof address !== 'string') {
    return undefined;
  }
  return { term: term as Term, id: id as NodeId, address };
}

/**
 * The exactly-once check itself turned this copy of a request away, and remembers nothing of it:
 * another copy may still run.
 */
function isOfOneCopy({ code, details }: ErrorBody): boolean {
  if (code === 'SESSION_EXPIRED') return true;
  return code === 'CAPACITY_REACHED' && details['what'] === 'sessionsMax';
}

/** The error of a call that this answer ends. */
export function finalError(call: Call, body: ErrorBody): RaftdError {
  const { attempts } = call;
  if (isOfOneCopy(body)) {
    // A sole attempt cannot have been applied before or after; another one may be (DESIGN §6).
    const sole = call.doubts <= 1;
    const rejection = { class: sole ? 'rejected' : 'indeterminate', retryable: sole } as const;
    return fromBody(body, { attempts, ...rejection });
  }
  return fromBody(body, { attempts });
}

/** A single attempt whose connection was lost, or which a node turned away. */
export function attemptError(call: Call, body: ErrorBody): RaftdError {
  const inDoubt = call.body.type === 'command' && call.doubts > 0;
  if (!inDoubt) return fromBody(body, { attempts: call.attempts });
  return fromBody(body, { attempts: call.attempts, class: 'indeterminate' });
}

/** The time limit has passed: what may be concluded depends on what was sent. */
export function timeoutError(call: Call, troubles: readonly Attempt[]): RaftdError {
  const waitedMs = Math.round(call.deadlineMs - call.startedAtMs);
  const attempts = call.attempts.length > 0 ? call.attempts : troubles;
  const details = { timeoutMs: waitedMs, attempts: attempts.length };
  if (call.body.type === 'command' && call.doubts > 0) {
    const message = `no answer within ${waitedMs} ms: the command may have been applied`;
    return new RaftdError('OUTCOME_UNKNOWN', message, { details, attempts });
  }
  const last = call.attempts.at(-1);
  if (last !== undefined && isCongestion(last.code)) {
    return new RaftdError(last.code, last.message, { details, attempts });
  }
  const message = `no leader answered within ${waitedMs} ms`;
  return new RaftdError('UNAVAILABLE', message, { details, attempts });
}
