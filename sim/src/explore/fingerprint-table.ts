import type { StateWriter } from './state-writer.js';

/** Fingerprints a slot may be followed by before the table grows: 5 of 8. */
const LOAD_MAX = 0.625;
const SLOTS_AT_FIRST = 1 << 12;

/**
 * The set of fingerprints seen: two 32-bit hashes a state, 64 bits in all, by open addressing in
 * one typed array that doubles (a JavaScript Set ends near 2^24). Two states with one fingerprint
 * would be taken for one: among 10^7 states the chance of any is about 3 in 10^6.
 */
export class FingerprintTable {
  #slots = new Int32Array(2 * SLOTS_AT_FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** Adds what was written; says whether it is new. */
  add(written: StateWriter): boolean {
    let first = 0x9e3779b9 | 0;
    let second = 0x7f4a7c15 | 0;
    const { length } = written;
    for (let at = 0; at < length; at += 1) {
      const word = written.at(at);
      first = mix(first ^ word, 0x85ebca6b);
      second = mix(second + Math.imul(word, 0x27d4eb2f), 0xc2b2ae35);
    }
    first = finish(first ^ length);
    // An empty slot is a pair of zeros.
    second = finish(second ^ length) || 1;
    const isNew = insert(this.#slots, first, second);
    if (!isNew) return false;
    this.#size += 1;
    if (this.#size > (this.#slots.length / 2) * LOAD_MAX) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const second = old[at + 1] as number;
      if (second !== 0) insert(slots, old[at] as number, second);
    }
    this.#slots = slots;
  }
}

function insert(slots: Int32Array, first: number, second: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let slot = first & mask; ; slot = (slot + 1) & mask) {
    const known = slots[2 * slot + 1] as number;
    if (known === 0) {
      slots[2 * slot] = first;
      slots[2 * slot + 1] = second;
      return true;
    }
    if (known === second && slots[2 * slot] === first) return false;
  }
}

function mix(hash: number, factor: number): number {
  const product = Math.imul(hash, factor);
  return product ^ (product >>> 15);
}

/** The finaliser of MurmurHash3: each bit of the input moves half of the output's. */
export function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
