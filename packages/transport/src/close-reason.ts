import type { ErrorBody, ErrorCode } from '@raftd/protocol';

/** Close codes of RFC 6455 §7.4.1; the goodbye frame before it carries the whole error. */
const CLOSE_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  MALFORMED_FRAME: 1002,
  UNSUPPORTED_VERSION: 1002,
  FRAME_TOO_LARGE: 1009,
  SHUTTING_DOWN: 1001,
  OVERLOADED: 1013,
  TOO_MANY_CONNECTIONS: 1013,
};
const POLICY_VIOLATION = 1008;

/** A close frame holds 125 bytes, two of them the code. */
const REASON_BYTES_MAX = 123;

export function closeCode(code: ErrorCode): number {
  return CLOSE_CODES[code] ?? POLICY_VIOLATION;
}

/** The code and the fact, cut to what a close frame can hold. */
export function closeReason(error: ErrorBody): string {
  const encoded = Buffer.from(`${error.code}: ${error.message}`, 'utf8');
  if (encoded.length <= REASON_BYTES_MAX) return encoded.toString('utf8');
  let end = REASON_BYTES_MAX;
  // Never cut inside a character: 10xxxxxx continues one.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString('utf8', 0, end);
}
