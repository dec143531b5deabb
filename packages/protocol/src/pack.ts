import { Packr } from 'msgpackr';
import { invalid } from './decoded.js';
import { type ShapeBounds, shapeFault } from './wire-shape.js';

/**
 * msgpackr in its plain mode: no records (they are stateful and build readers with `new
 * Function`), no extension types. Integers of 64 bits are `bigint` both ways; numbers above 2^32
 * travel as float64, exact to 2^53. `copyBuffers` is off because its copies cost 1.5 µs each on
 * Node 20; what outlives a frame goes through `retain` instead.
 */
const packr = new Packr({
  useRecords: false,
  moreTypes: false,
  int64AsType: 'bigint',
  encodeUndefinedAsNil: true,
  copyBuffers: false,
});

export function pack(value: readonly unknown[]): Uint8Array {
  return packr.pack(value);
}

/** A value whose shape was found good. Throws `DecodeFault`. Bytes in it are views of `bytes`. */
export function unpack(bytes: Uint8Array, field: string, bounds: ShapeBounds): unknown {
  const fault = shapeFault(bytes, bounds);
  if (fault !== undefined) throw invalid(field, fault);
  window.start = bytes.byteOffset;
  window.end = bytes.byteOffset + bytes.byteLength;
  try {
    return packr.unpack(sourceOf(bytes.buffer), window);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw invalid(field, `cannot be decoded: ${cause.message}`);
  }
}

/** What msgpackr reads: a part of a source. One object for all calls. */
const window = { start: 0, end: 0 };
let source: Uint8Array = new Uint8Array(0);

/**
 * The whole buffer that bytes are part of. msgpackr hangs a DataView on its source: kept for the
 * next call that reads the same buffer, and never hung on a payload, which lives as long as the
 * log.
 */
function sourceOf(buffer: ArrayBufferLike): Uint8Array {
  if (source.buffer !== buffer) source = new Uint8Array(buffer);
  return source;
}

const SLAB_BYTES = 64 * 1024;
const SLAB_ITEM_BYTES_MAX = 4 * 1024;
let slab = new ArrayBuffer(0);
let slabUsed = 0;

/**
 * A copy that does not pin the frame it was cut from. Small copies share slabs, since an
 * ArrayBuffer of its own costs more than the copy; neighbours in a slab came in together and, as
 * entries of one log, are let go together.
 */
export function retain(view: Uint8Array): Uint8Array {
  const length = view.length;
  if (length > SLAB_ITEM_BYTES_MAX) return new Uint8Array(view);
  if (slabUsed + length > slab.byteLength) {
    slab = new ArrayBuffer(SLAB_BYTES);
    slabUsed = 0;
  }
  const copy = new Uint8Array(slab, slabUsed, length);
  copy.set(view);
  slabUsed += length;
  return copy;
}
