import { mix } from './hash.js';

/** Where a search stands. The arrays are the search's own: only their present content counts. */
export interface Configuration<State> {
  /** Of the known outcomes placed so far, by `bitKey` and `^`. */
  readonly placedHash: number;
  /** Bit n: known outcome n, by time of call, is placed. */
  readonly placed: Int32Array;
  /** Every bit of the words below is set, */
  readonly lowWord: number;
  /** and none above this one. */
  readonly highWord: number;
  /** Bit n: unknown outcome n has taken effect. */
  readonly taken: Int32Array;
  readonly state: State;
}

const NONE = -1;

/** Fields of one configuration in `#index`. */
const NEXT = 0;
const HASH = 1;
const OFFSET = 2;
const LOW_WORD = 3;
const HIGH_WORD = 4;
const FIELDS = 5;

/**
 * Lowe's cache of configurations seen: the set of linearized operations and the state. The set is
 * kept as the few words between its first gap and its last member, so that memory follows the
 * concurrency of a history and not its length.
 *
 * One that needed fewer unknown outcomes counts as seen, too: those left over may stay undone, so
 * whatever can follow the larger set can follow the smaller one. The same goes for a state that
 * covers the new one. (If a solution exists, look at the visited configuration that is nearest to
 * one: its next step was not cut off, as the configuration that cut it would be nearer still.)
 */
export class Configurations<State extends object | string | number> {
  readonly #covers: (state: State, other: State) => boolean;
  readonly #hash: (state: State) => number;
  #heads: Int32Array = new Int32Array(64).fill(NONE);
  #index: Int32Array = new Int32Array(64 * FIELDS);
  #words: Int32Array = new Int32Array(256);
  #wordsUsed = 0;
  /** Comparisons with what was here before, in words: most of the work where nothing is decided. */
  compared = 0;
  readonly #stateWords: number;
  readonly #states: State[] = [];

  constructor(
    model: {
      covers(state: State, other: State): boolean;
      hash(state: State): number;
    },
    stateWords: number,
  ) {
    this.#covers = (state, other) => model.covers(state, other);
    this.#hash = (state) => model.hash(state);
    this.#stateWords = stateWords;
  }

  get wordsUsed(): number {
    return this.#wordsUsed + this.#states.length * (FIELDS + this.#stateWords);
  }

  /** False: this configuration, or one that can do all it can, was here before. */
  add(configuration: Configuration<State>): boolean {
    const hash = mix(configuration.placedHash, this.#hash(configuration.state));
    const slot = hash & (this.#heads.length - 1);
    for (let at = this.#heads[slot] as number; at !== NONE; at = this.#field(at, NEXT)) {
      this.compared += 1;
      if (this.#field(at, HASH) === hash && this.#isCovered(at, configuration)) return false;
    }
    this.#append(configuration, hash);
    return true;
  }

  #field(at: number, field: number): number {
    return this.#index[at * FIELDS + field] as number;
  }

  #isCovered(at: number, configuration: Configuration<State>): boolean {
    const { lowWord, highWord, placed, taken, state } = configuration;
    if (this.#field(at, LOW_WORD) !== lowWord || this.#field(at, HIGH_WORD) !== highWord) {
      return false;
    }
    this.compared += highWord - lowWord + 1 + taken.length;
    let word = this.#field(at, OFFSET);
    for (let known = lowWord; known <= highWord; known += 1, word += 1) {
      if (this.#words[word] !== placed[known]) return false;
    }
    for (let unknown = 0; unknown < taken.length; unknown += 1, word += 1) {
      if (((this.#words[word] as number) & ~(taken[unknown] as number)) !== 0) return false;
    }
    this.compared += this.#stateWords;
    return this.#covers(this.#states[at] as State, state);
  }

  #append(configuration: Configuration<State>, hash: number): void {
    const { lowWord, highWord, placed, taken, state } = configuration;
    const at = this.#states.length;
    this.#makeRoom(at, highWord - lowWord + 1 + taken.length);
    const slot = hash & (this.#heads.length - 1);
    const base = at * FIELDS;
    this.#index[base + NEXT] = this.#heads[slot] as number;
    this.#index[base + HASH] = hash;
    this.#index[base + OFFSET] = this.#wordsUsed;
    this.#index[base + LOW_WORD] = lowWord;
    this.#index[base + HIGH_WORD] = highWord;
    this.#heads[slot] = at;
    for (let known = lowWord; known <= highWord; known += 1) {
      this.#words[this.#wordsUsed++] = placed[known] as number;
    }
    for (let unknown = 0; unknown < taken.length; unknown += 1) {
      this.#words[this.#wordsUsed++] = taken[unknown] as number;
    }
    this.#states.push(state);
  }

  #makeRoom(count: number, words: number): void {
    if (this.#wordsUsed + words > this.#words.length) {
      this.#words = grown(this.#words, this.#wordsUsed + words);
    }
    if ((count + 1) * FIELDS > this.#index.length) {
      this.#index = grown(this.#index, (count + 1) * FIELDS);
    }
    if (count >= this.#heads.length) this.#rehash();
  }

  #rehash(): void {
    this.#heads = new Int32Array(this.#heads.length * 4).fill(NONE);
    for (let at = 0; at < this.#states.length; at += 1) {
      const slot = this.#field(at, HASH) & (this.#heads.length - 1);
      this.#index[at * FIELDS + NEXT] = this.#heads[slot] as number;
      this.#heads[slot] = at;
    }
  }
}

function grown(words: Int32Array, least: number): Int32Array {
  const larger = new Int32Array(Math.max(words.length * 2, least));
  larger.set(words);
  return larger;
}
