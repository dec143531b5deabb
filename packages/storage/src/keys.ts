import { readWide, writeWide } from './wide-integer.js';

const LOG_PREFIX = 1;

/**
 * These sort after the log on purpose. The seal is rewritten by every batch, so every table file
 * holds it: below the log it would make each new file overlap all older ones, and each compaction
 * would rewrite the whole log; above it, only the last file overlaps.
 */
export const META_KEY: Uint8Array = Uint8Array.of(2);
export const IDENTITY_KEY: Uint8Array = Uint8Array.of(3);
export const SEAL_KEY: Uint8Array = Uint8Array.of(4);

/** All keys of the log. */
export const LOG_RANGE: { readonly gte: Uint8Array; readonly lt: Uint8Array } = {
  gte: Uint8Array.of(LOG_PREFIX),
  lt: Uint8Array.of(LOG_PREFIX + 1),
};

/** The key of the run that starts at `index`. */
export function logKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(9);
  key[0] = LOG_PREFIX;
  writeWide(key, index, 1);
  return key;
}

/** The index in a key of `LOG_RANGE`; NaN if the key is none of ours. */
export function logKeyIndex(key: Uint8Array): number {
  if (key.length !== 9) return Number.NaN;
  return readWide(Buffer.from(key.buffer, key.byteOffset, key.byteLength), 1);
}
