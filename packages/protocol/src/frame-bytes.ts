import { DecodeFault, invalid } from './decoded.js';
import { taggedRow } from './fields.js';
import { unpack } from './pack.js';
import { PROTOCOL_VERSION } from './frames.js';

/** Deepest of all frames: replies, a transaction's results, a record. */
const FRAME_DEPTH_MAX = 12;

/** The row of a frame within `bytesMax`. Throws `DecodeFault`. */
export function unpackFrame(
  bytes: Uint8Array,
  bytesMax: number,
  valuesMax: number,
): readonly unknown[] {
  if (bytes.length > bytesMax) throw tooLarge(bytes.length, bytesMax);
  return taggedRow(unpack(bytes, 'frame', { depthMax: FRAME_DEPTH_MAX, valuesMax }), 'frame');
}

function tooLarge(actual: number, limit: number): DecodeFault {
  return new DecodeFault('FRAME_TOO_LARGE', 'frame', `has ${actual} bytes, the limit is ${limit}`, {
    limit,
    actual,
  });
}

/**
 * The version comes right after the tag, in every version: it is read before anything that
 * another version may have arranged differently.
 */
export function readVersion(value: unknown): number {
  if (value === PROTOCOL_VERSION) return PROTOCOL_VERSION;
  if (typeof value !== 'number') throw invalid('protocolVersion', 'must be a number');
  const fact = `is ${value}, this side speaks ${PROTOCOL_VERSION}`;
  const details = { theirs: value, ours: PROTOCOL_VERSION };
  throw new DecodeFault('UNSUPPORTED_VERSION', 'protocolVersion', fact, details);
}
