/**
 * Randomness by key: every small decision is `hash(seed, stream, counter)`, so that removing one
 * command of a schedule leaves the other decisions as they were and shrinking works.
 */

const UINT32 = 0x1_0000_0000;

/** FNV-1a over UTF-16 units: spreads stream names, nothing more is asked of it. */
function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: each input bit reaches each output bit. */
function avalanche(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One named sequence of draws. The n-th draw depends on seed, name and n alone. */
export class RandomStream {
  readonly #base: number;
  #counter = 0;

  constructor(seed: number, name: string) {
    this.#base = avalanche((seed ^ hashName(name)) >>> 0);
  }

  /** The n-th number of the stream, in [0, 1). */
  at(counter: number): number {
    return avalanche((this.#base + Math.imul(counter + 1, 0x9e3779b1)) >>> 0) / UINT32;
  }

  /** The next number, in [0, 1). */
  next(): number {
    const drawn = this.at(this.#counter);
    this.#counter += 1;
    return drawn;
  }

  /** The next number, in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** True with the given chance, 0 to 100. */
  percent(chance: number): boolean {
    return this.next() * 100 < chance;
  }
}
