import type { ErrorBody, ErrorCode, ErrorDetails } from './errors.js';

/** What a decoder returns; it never throws, whatever the bytes. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorBody };

/**
 * How a field reader leaves the decoder it is in. Private to this package: every door turns it
 * into a value. Not an `Error`, so that hostile input does not buy a stack trace a request.
 */
export class DecodeFault {
  readonly code: ErrorCode;
  readonly field: string;
  readonly fact: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, field: string, fact: string, details: ErrorDetails) {
    this.code = code;
    this.field = field;
    this.fact = fact;
    this.details = details;
  }

  /** The same fault, its field named from one level further out. */
  within(outer: string): DecodeFault {
    return new DecodeFault(this.code, `${outer}.${this.field}`, this.fact, this.details);
  }

  body(): ErrorBody {
    const details = { field: this.field, ...this.details };
    return { code: this.code, message: `${this.field} ${this.fact}`, details };
  }
}

export function invalid(field: string, reason: string): DecodeFault {
  return new DecodeFault('INVALID_ARGUMENT', field, reason, { reason });
}

export function exceeded(field: string, limit: number, actual: number): DecodeFault {
  const fact = `is ${actual}, above its limit of ${limit}`;
  return new DecodeFault('LIMIT_EXCEEDED', field, fact, { limit, actual });
}

/** A kind of request that this version does not know. */
export function unknownKind(field: string, tag: unknown): DecodeFault {
  const shown = typeof tag === 'number' ? tag : typeof tag;
  return new DecodeFault('UNKNOWN_REQUEST', field, `has the unknown tag ${shown}`, {
    tag: shown,
  });
}

/** Runs a decoder; a fault of the input becomes a value, a fault of the code goes on. */
export function decoding<T>(decode: () => T): Decoded<T> {
  try {
    return { ok: true, value: decode() };
  } catch (fault) {
    if (fault instanceof DecodeFault) return { ok: false, error: fault.body() };
    throw fault;
  }
}

/** As `decoding`, where a bad field makes the whole frame unreadable. */
export function decodingFrame<T>(decode: () => T): Decoded<T> {
  const decoded = decoding(decode);
  if (decoded.ok || decoded.error.code !== 'INVALID_ARGUMENT') return decoded;
  return { ok: false, error: { ...decoded.error, code: 'MALFORMED_FRAME' } };
}
