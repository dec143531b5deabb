import type { ErrorClass, ErrorCode, ErrorRow } from './errors.js';

function row(errorClass: ErrorClass, retryable: boolean, says: string): ErrorRow {
  return { class: errorClass, retryable, says };
}
function rejected(says: string): ErrorRow {
  return row('rejected', true, says);
}
function refused(says: string): ErrorRow {
  return row('rejected', false, says);
}
function indeterminate(says: string): ErrorRow {
  return row('indeterminate', true, says);
}
function invalid(says: string): ErrorRow {
  return row('invalid', false, says);
}

/**
 * The one table of errors: a code without a row does not compile. The README repeats it and a
 * test compares the two.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = {
  FENCED: refused('The guard names a grant that is not current: stop, somebody else may lead.'),
  LEASE_NOT_FOUND: refused('The lease does not exist or has ended: grant a new one.'),
  LEASE_EXISTS: invalid('The lease id was used by another request: choose a new random id.'),
  LEASE_ENDING: refused('Somebody else ended this lease: nothing more can be bound to it.'),
  CAMPAIGN_WITHDRAWN: refused('This campaign was withdrawn: campaign again under a new id.'),
  CAMPAIGN_EXISTS: invalid('The campaign id stands for another candidacy: choose a new random id.'),
  SESSION_EXPIRED: row(
    'indeterminate',
    false,
    'The session is gone: a sole attempt did not happen, a retried one may have.',
  ),
  STALE_REQUEST: row(
    'indeterminate',
    false,
    'The client had given this request up: it may have been applied before.',
  ),
  SESSION_WINDOW_FULL: rejected('Too many unanswered requests in the session: wait for replies.'),
  REPLY_DROPPED: row(
    'indeterminate',
    false,
    'It was applied once, successfully; only its reply cannot be had.',
  ),
  LIMIT_EXCEEDED: invalid('A field is above the limit named in the details: make it smaller.'),
  CAPACITY_REACHED: rejected('The cluster holds as many as it may: end some, or try again later.'),
  INVALID_ARGUMENT: invalid('A field has a value that is never accepted: see the details.'),
  FEATURE_UNAVAILABLE: rejected('The cluster still has members that lack this: upgrade them.'),
  NOT_LEADER: rejected('This node does not lead: ask the one named in the details, if any.'),
  UNAVAILABLE: rejected('No leader or no quorum can be reached: try again later.'),
  OVERLOADED: rejected('The leader has too much in flight: try again later.'),
  OUTCOME_UNKNOWN: indeterminate('It may or may not be applied: retry with the same request id.'),
  TIMEOUT: indeterminate('No answer within the time limit: it may or may not be applied.'),
  COMPACTED: invalid('The revision asked for is no longer kept: read anew, then watch from there.'),
  WATCH_INTERRUPTED: rejected('The watch ended here: resume it from the last revision delivered.'),
  SLOW_CONSUMER: rejected('The connection did not read fast enough: connect again and resume.'),
  CURSOR_EXPIRED: rejected('The pages of this range are no longer pinned: start the range again.'),
  MALFORMED_FRAME: invalid('The bytes are not a frame of this protocol: the connection is closed.'),
  FRAME_TOO_LARGE: invalid('The frame is above the limit: the connection is closed.'),
  UNKNOWN_REQUEST: invalid('This node does not know this kind of request: upgrade it.'),
  UNSUPPORTED_VERSION: invalid('The two sides speak different protocol versions.'),
  WRONG_CLUSTER: invalid('The node belongs to another cluster: check the addresses.'),
  WRONG_NODE: invalid('The address leads to another node than the one meant: check the addresses.'),
  TOO_MANY_REQUESTS: rejected('The connection has too many requests in flight: wait for replies.'),
  TOO_MANY_WATCHES: rejected('The connection has too many watches: end some first.'),
  TOO_MANY_CONNECTIONS: rejected('The node has too many connections: try another, or later.'),
  SHUTTING_DOWN: rejected('The node is going down: use another one.'),
  LEADERSHIP_LOST: refused('The grant is lost for good: campaign again for a new token.'),
  LEADERSHIP_SUSPECT: rejected('No renewal was acknowledged lately: start nothing new for now.'),
  LEASE_LOST: refused('The lease is lost for good: grant a new one.'),
  CLIENT_CLOSED: refused('The client was closed before the call: it was not sent.'),
};

/** Whether a text is one of the codes; what came over a wire is only a text. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
