import { FenceError } from './fence-error.js';

/** What a writer presents with its write. All three come from the grant and travel together. */
export interface PresentedGrant {
  /** Name of the election or lock. Tokens of two names are never compared. */
  readonly lock: string;
  /** `bigint`, or a decimal string where text carried it. Absent, `0n` and `'0'` mean: no token. */
  readonly token?: bigint | string | undefined;
  /** Identity of the grant (raftd's campaign id): two holders never share a token. */
  readonly holder?: string | undefined;
}

/** A grant that can be compared. */
export interface Grant {
  readonly lock: string;
  /** From 1 to 2^53 − 1. */
  readonly token: bigint;
  readonly holder: string;
}

/** Longest lock name and holder, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 1024;
/** Tokens stay exact wherever a number is a double; anything above is no token of raftd's. */
export const MAX_TOKEN: bigint = 2n ** 53n - 1n;

// No sign, no leading zero, no exponent, no hexadecimal: one spelling for each number.
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * The grant as presented, or `undefined` where no token came with it. Throws `INVALID_GRANT` for
 * anything else: it is checked as if from outside, since headers and messages carry it here.
 */
export function parseGrant(presented: PresentedGrant): Grant | undefined {
  const { lock, token, holder } = presented;
  if (!isName(lock)) throw invalidGrant(`the lock must be ${NAME_RULE}`);
  if (token === undefined) return undefined;
  const value = parseToken(token);
  if (value === undefined) {
    throw invalidGrant('the token must be a bigint or a decimal string, from 1 to 2^53 - 1', lock);
  }
  if (value === 0n) return undefined;
  if (!isName(holder)) throw invalidGrant(`the holder must be ${NAME_RULE}`, lock);
  return { lock, token: value, holder };
}

/** The number, `0n` for "no token", or `undefined` where the text is none. */
export function parseToken(token: unknown): bigint | undefined {
  if (typeof token === 'string') return DECIMAL.test(token) ? inRange(BigInt(token)) : undefined;
  return typeof token === 'bigint' ? inRange(token) : undefined;
}

const NAME_RULE = `a text of 1 to ${MAX_NAME_LENGTH} characters without lone surrogates`;

function inRange(value: bigint): bigint | undefined {
  return value >= 0n && value <= MAX_TOKEN ? value : undefined;
}

// UTF-8 maps every lone surrogate to one character: two names would share a record.
const LONE_SURROGATE = /\p{Surrogate}/u;

function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length === 0) return false;
  return name.length <= MAX_NAME_LENGTH && !LONE_SURROGATE.test(name);
}

function invalidGrant(what: string, lock?: string): FenceError {
  return new FenceError('INVALID_GRANT', what, { lock });
}
