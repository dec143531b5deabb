/**
 * - `FENCED`: the token is below the highest seen. Terminal for that grant: never retry.
 * - `TOKEN_CONFLICT`: the highest token was seen with another holder. Minting is broken: alert.
 * - `TOKEN_REQUIRED`: no token came with the write (mode `enforce`).
 * - `INVALID_GRANT`: lock, token or holder is malformed.
 * - `INVALID_OPERATION`: an operation would touch the guard's own records.
 * - `OVERLOADED`: too many writes wait for their turn; nothing was written.
 * - `FENCE_DAMAGED`: the stored maximum cannot be read, so nothing can be admitted under this lock.
 */
export type FenceErrorCode = RefusalCode | 'INVALID_OPERATION' | 'OVERLOADED' | 'FENCE_DAMAGED';

/** The codes that mean: the guard refused what was presented. */
export type RefusalCode = 'FENCED' | 'TOKEN_CONFLICT' | 'TOKEN_REQUIRED' | 'INVALID_GRANT';

export interface FenceErrorDetails {
  readonly lock?: string | undefined;
  /** What was presented. */
  readonly token?: bigint | undefined;
  readonly holder?: string | undefined;
  /** The highest token seen, and who came with it. */
  readonly current?: bigint | undefined;
  readonly currentHolder?: string | undefined;
}

/** Nothing was written. */
export class FenceError extends Error {
  override readonly name = 'FenceError';
  readonly code: FenceErrorCode;
  readonly lock: string | undefined;
  readonly token: bigint | undefined;
  readonly holder: string | undefined;
  readonly current: bigint | undefined;
  readonly currentHolder: string | undefined;

  constructor(code: FenceErrorCode, message: string, details: FenceErrorDetails = {}) {
    super(`${code}: ${message}`);
    this.code = code;
    this.lock = details.lock;
    this.token = details.token;
    this.holder = details.holder;
    this.current = details.current;
    this.currentHolder = details.currentHolder;
  }
}
