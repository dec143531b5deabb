/**
 * The first look at bytes from outside: one pass that allocates nothing and decides whether
 * msgpackr may see them at all. What passes is a single msgpack value made only of what this
 * protocol uses (nil, booleans, integers, float64, text, bytes, arrays), complete, with every
 * declared length inside the bytes at hand, bounded in depth and in number of values.
 *
 * Text must be well-formed UTF-8: msgpackr reads text by three different routes and they need not
 * agree on ill-formed bytes, so two replicas could read one entry differently.
 */
export interface ShapeBounds {
  readonly depthMax: number;
  /** Of all arrays together: bounds what decoding allocates. */
  readonly valuesMax: number;
}

/** What is wrong with the shape of `bytes`; undefined: nothing. */
export function shapeFault(bytes: Uint8Array, bounds: ShapeBounds): string | undefined {
  const open: number[] = [];
  let expected = 1;
  let values = 0;
  let position = 0;
  while (true) {
    while (expected === 0) {
      const outer = open.pop();
      if (outer === undefined) return position === bytes.length ? undefined : TRAILING;
      expected = outer;
    }
    expected -= 1;
    const start = position;
    const items = arrayItems(bytes, start);
    if (items === NOT_ARRAY) {
      position = scalarEnd(bytes, start);
      if (position < 0) return SCALAR_FAULTS[-position];
      if (position > bytes.length) return TRUNCATED;
      continue;
    }
    position = start + arrayHeaderBytes(bytes[start]);
    // An item takes a byte at least: a longer count than bytes left is a lie, whatever follows.
    if (items > bytes.length - position) return TRUNCATED;
    values += items;
    if (values > bounds.valuesMax) return `has more than ${bounds.valuesMax} values`;
    if (open.length >= bounds.depthMax) return `is nested deeper than ${bounds.depthMax}`;
    open.push(expected);
    expected = items;
  }
}

const TRUNCATED = 'ends before its declared length';
const TRAILING = 'has bytes after its end';
const NOT_ARRAY = -1;

const FOREIGN = -1;
const ILL_FORMED = -2;
const SCALAR_FAULTS: readonly string[] = [
  '',
  'holds a type that this protocol does not use',
  'holds text that is not UTF-8',
];

function arrayItems(bytes: Uint8Array, position: number): number {
  const token = bytes[position];
  if (token === undefined) return NOT_ARRAY;
  if (token >= 0x90 && token < 0xa0) return token - 0x90;
  if (token === 0xdc) return beyond(bytes, position + 1, 2);
  if (token === 0xdd) return beyond(bytes, position + 1, 4);
  return NOT_ARRAY;
}

function arrayHeaderBytes(token: number | undefined): number {
  return token === 0xdc ? 3 : token === 0xdd ? 5 : 1;
}

/** Big-endian length of `width` bytes; past the end it is larger than any input. */
function beyond(bytes: Uint8Array, position: number, width: number): number {
  let length = 0;
  for (let offset = 0; offset < width; offset += 1) {
    const byte = bytes[position + offset];
    if (byte === undefined) return Number.MAX_SAFE_INTEGER;
    length = length * 256 + byte;
  }
  return length;
}

/** Where the value that starts at `position` ends (maybe past the input), or a fault below 0. */
function scalarEnd(bytes: Uint8Array, position: number): number {
  const token = bytes[position];
  if (token === undefined) return Number.MAX_SAFE_INTEGER;
  if (token < 0x80 || token >= 0xe0) return position + 1;
  if (token >= 0xa0 && token < 0xc0) return textEnd(bytes, position + 1, token - 0xa0);
  switch (token) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return position + 1;
    case 0xc4:
      return position + 2 + beyond(bytes, position + 1, 1);
    case 0xc5:
      return position + 3 + beyond(bytes, position + 1, 2);
    case 0xc6:
      return position + 5 + beyond(bytes, position + 1, 4);
    case 0xcc:
    case 0xd0:
      return position + 2;
    case 0xcd:
    case 0xd1:
      return position + 3;
    case 0xce:
    case 0xd2:
      return position + 5;
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return position + 9;
    case 0xd9:
      return textEnd(bytes, position + 2, beyond(bytes, position + 1, 1));
    case 0xda:
      return textEnd(bytes, position + 3, beyond(bytes, position + 1, 2));
    case 0xdb:
      return textEnd(bytes, position + 5, beyond(bytes, position + 1, 4));
    default:
      return FOREIGN;
  }
}

function textEnd(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length;
  if (end > bytes.length) return end;
  let position = start;
  while (position < end) {
    if ((bytes[position] ?? 0) < 0x80) {
      position += 1;
      continue;
    }
    const sequence = sequenceBytes(bytes, position, end);
    if (sequence === 0) return ILL_FORMED;
    position += sequence;
  }
  return end;
}

/** Length of the multi-byte sequence at `position`, 0 where there is none (RFC 3629). */
function sequenceBytes(bytes: Uint8Array, position: number, end: number): number {
  const lead = bytes[position] ?? 0;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || position + length > end) return 0;
  const second = bytes[position + 1] ?? 0;
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let offset = 2; offset < length; offset += 1) {
    const byte = bytes[position + offset] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}
