import type { ByteString } from '@raftd/protocol';
import { byteString, bytesOf, DEFAULT_WIRE_LIMITS, prefixEnd } from '@raftd/protocol';
import { utf8ByteString } from '@raftd/protocol';
import { invalidArgument, limitExceeded, RaftdError } from './errors.js';

/** A key or a value: text stands for its UTF-8 bytes. */
export type Bytes = string | Uint8Array;

/** Keys from `start` up to, not including, `end`; without `end` to the last key. */
export type KeyRange =
  | { readonly prefix: Bytes }
  | { readonly start: Bytes; readonly end?: Bytes | undefined };

export interface ByteRange {
  readonly start: ByteString;
  readonly end: ByteString | undefined;
}

/** A surrogate on its own has no UTF-8: all of them would become one and the same character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Throws INVALID_ARGUMENT where text would not come back as it is. */
export function checkText(field: string, text: string): void {
  if (LONE_SURROGATE.test(text)) throw invalidArgument(field, 'has a lone surrogate');
}

/** A name as it travels: of an election or of a protected resource. */
export function checkName(field: string, name: unknown): string {
  if (typeof name !== 'string' || name === '')
    throw invalidArgument(field, 'is not a text of one character or more');
  const limit = DEFAULT_WIRE_LIMITS.nameCharsMax;
  if (name.length > limit) throw limitExceeded(field, limit);
  checkText(field, name);
  return name;
}

/** Whether the caller's value is text or bytes is not known before this, whatever its type. */
function checkBytes(field: string, bytes: unknown): void {
  if (typeof bytes === 'string') checkText(field, bytes);
  else if (!(bytes instanceof Uint8Array)) {
    throw invalidArgument(field, 'is neither a string nor a Uint8Array');
  }
}

/** Throws INVALID_ARGUMENT or LIMIT_EXCEEDED before anything is sent. */
export function toKey(key: Bytes): ByteString {
  checkBytes('key', key);
  const bytes = toByteString(key);
  const limit = DEFAULT_WIRE_LIMITS.keyBytesMax;
  if (bytes.length > limit) throw limitExceeded('key', limit);
  return bytes;
}

function toByteString(key: Bytes): ByteString {
  return typeof key === 'string' ? utf8ByteString(key) : byteString(key);
}

export function toValue(value: Bytes): Uint8Array {
  checkBytes('value', value);
  // A copy: the caller may go on writing to its buffer while ours waits to be sent. Small ones
  // share Node's pool: an ArrayBuffer of its own for each costs more than the rest of the call.
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value);
  const limit = DEFAULT_WIRE_LIMITS.valueBytesMax;
  if (bytes.length > limit) throw limitExceeded('value', limit);
  return bytes;
}

export function toRange(range: KeyRange): ByteRange {
  if ('prefix' in range) {
    const start = toKey(range.prefix);
    return { start, end: prefixEnd(start) };
  }
  return { start: toKey(range.start), end: range.end === undefined ? undefined : toKey(range.end) };
}

/** [key, key + the lowest byte): exactly one key. */
export function toSingleRange(key: Bytes): ByteRange {
  const start = toKey(key);
  return { start, end: `${start}\0` as ByteString };
}

export function keyBytes(key: ByteString): Uint8Array {
  return bytesOf(key);
}

export function textOf(bytes: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A reply that does not fit its request is the node's fault, not the caller's. */
export function mismatch(asked: string, answered: string): RaftdError {
  return new RaftdError('MALFORMED_FRAME', `asked for ${asked}, answered ${answered}`);
}
