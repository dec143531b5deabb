import { assert } from './assert.js';

// Indexes, terms and sequences go up to 2^53 - 1; bitwise operators would cut them to 32 bits.
const HIGH_UNIT = 2 ** 32;

/** Eight bytes, big-endian: the byte order is the numeric order. */
export function writeWide(target: Buffer, value: number, at: number): void {
  assert(Number.isSafeInteger(value) && value >= 0, `${value} is not a safe unsigned integer`);
  target.writeUInt32BE(Math.floor(value / HIGH_UNIT), at);
  target.writeUInt32BE(value % HIGH_UNIT, at + 4);
}

/** Exact for what `writeWide` wrote; rounded for damaged bytes, which a checksum then refuses. */
export function readWide(source: Buffer, at: number): number {
  return source.readUInt32BE(at) * HIGH_UNIT + source.readUInt32BE(at + 4);
}
