import type { ByteString } from '@raftd/protocol';
import { byteString, bytesOf, DEFAULT_WIRE_LIMITS, prefixEnd } from '@raftd/protocol';
import { utf8ByteString } from '@raftd/protocol';
import { limitExceeded, RaftdError } from './errors.js';

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

/** Throws LIMIT_EXCEEDED before anything is sent. */
export function toKey(key: Bytes): ByteString {
  const bytes = toByteString(key);
  const limit = DEFAULT_WIRE_LIMITS.keyBytesMax;
  if (bytes.length > limit) throw limitExceeded('key', limit);
  return bytes;
}

function toByteString(key: Bytes): ByteString {
  return typeof key === 'string' ? utf8ByteString(key) : byteString(key);
}

export function toValue(value: Bytes): Uint8Array {
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
