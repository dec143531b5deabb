/** Which rule of the command line or configuration was broken. */
export type UsageErrorCode =
  | 'UNKNOWN_FLAG'
  | 'UNKNOWN_KEY'
  | 'CONFIG_UNREADABLE'
  | 'INVALID_VALUE'
  | 'INVALID_PEERS'
  | 'ID_NOT_IN_PEERS'
  | 'ID_MISSING';

/** Exit code 2. The message names the field and says what to write instead. */
export class UsageError extends Error {
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}
