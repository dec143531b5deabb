import { type ErrorCode, ERRORS, isErrorCode } from '@raftd/protocol';
import type { OperationReturned } from '../storm/events.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';

type Failed = Extract<OperationReturned['outcome'], { readonly type: 'failed' }>;

/**
 * Where the client's README says that the case tells more than the table: a sole attempt in a
 * session that is gone did not happen, nor did a wait in line that was taken back.
 */
const SURELY_NOT: ReadonlySet<ErrorCode> = new Set(['SESSION_EXPIRED', 'TIMEOUT']);

/** A call in flight when its client closes. */
const MAYBE: ReadonlySet<ErrorCode> = new Set(['CLIENT_CLOSED']);

/** The workload sends nothing wrong; a watch may fall behind the window. */
const INVALID_ALLOWED: ReadonlySet<ErrorCode> = new Set(['COMPACTED']);

/** A transaction that is too much for one entry, where entries are small. */
const TOO_MUCH = 'LIMIT_EXCEEDED';

/** Of requests that the client had given up: none of these is a call that still waits. */
const NEVER_TOLD: ReadonlySet<ErrorCode> = new Set(['STALE_REQUEST']);

/** The caller's own abort rejects with the caller's reason: no error of the library. */
const ABORTED = 'ABORTED';

/** C20: every failed call has a code of the table, and a class that the table allows for it. */
export function errorsDocumented({ broken, profile }: HistoryContext): StormChecker {
  const hasSmallEntries = profile.tight?.settings.keysPerEntryMax !== undefined;
  const isWrong = (code: ErrorCode): boolean =>
    !INVALID_ALLOWED.has(code) && !(code === TOO_MUCH && hasSmallEntries);

  const onFailed = ({ client, operation }: OperationReturned, failed: Failed): void => {
    const { code } = failed;
    const what = `operation ${operation} of ${client} failed as ${failed.class} with ${code}`;
    if (code === ABORTED && failed.class === 'indeterminate') return;
    if (!isErrorCode(code)) broken('C20', `${what}, which is not in the table of errors`);
    else if (NEVER_TOLD.has(code)) broken('C20', `${what}: it still waited for its first answer`);
    else if (failed.class === 'invalid' && isWrong(code)) {
      broken('C20', `${what}: the workload asks for nothing invalid`);
    } else if (!isAllowed(code, failed.class)) {
      broken('C20', `${what}; the table says ${ERRORS[code].class}`);
    }
  };

  return {
    ids: ['C20'],
    wants: ['operation-returned'],
    observe: (event) => {
      if (event.type !== 'operation-returned' || event.outcome.type !== 'failed') return;
      onFailed(event, event.outcome);
    },
    finish: nothingLeft,
  };
}

function isAllowed(code: ErrorCode, given: Failed['class']): boolean {
  const row = ERRORS[code];
  if (given === row.class) return true;
  if (given === 'rejected') return SURELY_NOT.has(code);
  // A single attempt that was in doubt: what would be worth another is not known to be undone.
  return (
    given === 'indeterminate' && row.class === 'rejected' && (row.retryable || MAYBE.has(code))
  );
}
