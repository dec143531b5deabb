import type { ByteString, FencingToken } from '@raftd/coordinator';
import { assert } from './assert.js';
import { byteString } from './byte-string.js';
import { DecodeFault, exceeded, invalid } from './decoded.js';

/**
 * Readers of single fields: what comes in is whatever msgpack can say, what goes out has the type,
 * the range and the length that its name promises. Each names its field when it refuses.
 */

/** An integer from 0 to 2^53 − 1. Larger than 2^32 it travels as float64, exact to 2^53. */
export function natural(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalid(field, 'must be an integer from 0 to 2^53 − 1');
  }
  return value === 0 ? 0 : value;
}

export function positive(value: unknown, field: string): number {
  const number = natural(value, field);
  if (number === 0) throw invalid(field, 'must be above 0');
  return number;
}

/** An integer of either sign, exact to 2^53. */
export function integer(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw invalid(field, 'must be an integer within 2^53');
  }
  return value === 0 ? 0 : value;
}

/** A natural with a bound of its own. */
export function atMost(value: unknown, field: string, max: number): number {
  const number = positive(value, field);
  if (number > max) throw exceeded(field, max, number);
  return number;
}

export function flag(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw invalid(field, 'must be true or false');
  return value;
}

/** Text of at most `charsMax` UTF-16 units; may be empty. */
export function text(value: unknown, field: string, charsMax: number): string {
  if (typeof value !== 'string') throw invalid(field, 'must be text');
  if (value.length > charsMax) throw exceeded(field, charsMax, value.length);
  return value;
}

/** A name or an id: text that is not empty. Brands are given by what the field stands for. */
export function name<T extends string = string>(
  value: unknown,
  field: string,
  charsMax: number,
): T {
  const result = text(value, field, charsMax);
  if (result.length === 0) throw invalid(field, 'must not be empty');
  return result as T;
}

/** A view into what was decoded; see `retain` for what outlives it. */
export function bytes(value: unknown, field: string, bytesMax: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw invalid(field, 'must be bytes');
  if (value.length > bytesMax) throw exceeded(field, bytesMax, value.length);
  return value;
}

/** A bound of a range: any bytes, also none. */
export function bound(value: unknown, field: string, bytesMax: number): ByteString {
  return byteString(bytes(value, field, bytesMax));
}

export function key(value: unknown, field: string, bytesMax: number): ByteString {
  const result = byteString(bytes(value, field, bytesMax));
  if (result.length === 0) throw invalid(field, 'must not be empty');
  return result;
}

const TOKEN_MAX = 2n ** 63n - 1n;

/** Tokens travel as 64-bit integers and are `bigint` on both sides, small ones too. */
export function token(value: unknown, field: string): FencingToken {
  if (typeof value !== 'bigint' || value < 0n || value > TOKEN_MAX) {
    throw invalid(field, 'must be a 64-bit integer from 0 to 2^63 − 1');
  }
  return value as FencingToken;
}

/** The other direction of `token`. */
export function packToken(value: FencingToken): bigint {
  assert(value >= 0n && value <= TOKEN_MAX, `token ${value} does not fit 63 bits`);
  return value;
}

export function optional<T>(value: unknown, read: (present: unknown) => T): T | undefined {
  return value === null ? undefined : read(value);
}

/** One of the listed words, by its position in the list. */
export function choice<T>(value: unknown, field: string, choices: readonly T[]): T {
  const chosen = typeof value === 'number' ? choices[value] : undefined;
  if (chosen === undefined) throw invalid(field, `must be from 0 to ${choices.length - 1}`);
  return chosen;
}

/** A fixed-position array of exactly `length` fields. */
export function row(value: unknown, field: string, length: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(field, 'must be an array');
  expectLength(value, field, length);
  return value;
}

/** A fixed-position array whose length its tag decides. */
export function taggedRow(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(field, 'must be an array that starts with a tag');
  }
  return value;
}

export function expectLength(value: readonly unknown[], field: string, length: number): void {
  if (value.length !== length) {
    throw invalid(field, `must have ${length} fields, not ${value.length}`);
  }
}

/** A list of at most `itemsMax`; a fault in an item says which one. */
export function list<T>(
  value: unknown,
  field: string,
  itemsMax: number,
  read: (item: unknown) => T,
): T[] {
  if (!Array.isArray(value)) throw invalid(field, 'must be an array');
  if (value.length > itemsMax) throw exceeded(field, itemsMax, value.length);
  const result: T[] = [];
  try {
    for (const item of value) result.push(read(item));
  } catch (fault) {
    if (fault instanceof DecodeFault) throw fault.within(`${field}[${result.length}]`);
    throw fault;
  }
  return result;
}

export function unknownTag(field: string, tag: unknown): DecodeFault {
  return invalid(field, `has the unknown tag ${typeof tag === 'number' ? tag : typeof tag}`);
}
