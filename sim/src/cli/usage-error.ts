/** Which rule of the command line, or of a file it names, was broken. */
export type UsageErrorCode =
  | 'INVALID_NUMBER'
  | 'INVALID_SEED'
  | 'OUT_OF_RANGE'
  | 'UNKNOWN_NAME'
  | 'NOTHING_CHOSEN'
  | 'TOO_MANY_CHOSEN'
  | 'BUG_NOT_PLANTED'
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  | 'INVALID_FILE';

/** Exit code 2. The message names the argument, what it was, and the limit. */
export class UsageError extends Error {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}
