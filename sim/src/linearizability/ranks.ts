import type { Hint } from './model.js';
import type { History, Operation } from './operation.js';

const UNRANKED = -1;

/** Known outcomes whose order is known, in groups of equal rank that have their turn in order. */
export class Ranks {
  /** Operation → group. */
  readonly #groupOf: Int32Array;
  /** Group → how many of it are not placed. */
  readonly #waiting: Int32Array;
  readonly #lastCallMs: Float64Array;
  /** Group → rank. */
  readonly #ranks: Float64Array;
  readonly #groups: number;
  #turn = 0;

  constructor(operations: History<unknown, unknown>, hints: readonly (Hint | undefined)[]) {
    const rankOf = (number: number): number => hints[number]?.rank ?? Infinity;
    const ranked = Int32Array.from(operations, (_, number) => number)
      .filter((number) => rankOf(number) !== Infinity)
      .sort((a, b) => rankOf(a) - rankOf(b));
    this.#groupOf = new Int32Array(operations.length).fill(UNRANKED);
    this.#waiting = new Int32Array(ranked.length);
    this.#lastCallMs = new Float64Array(ranked.length).fill(-Infinity);
    this.#ranks = new Float64Array(ranked.length).fill(Infinity);
    let group = -1;
    for (const number of ranked) {
      if (this.#ranks[group] !== rankOf(number)) group += 1;
      this.#ranks[group] = rankOf(number);
      this.#groupOf[number] = group;
      this.#waiting[group] = (this.#waiting[group] as number) + 1;
      const { callMs } = operations[number] as Operation<unknown, unknown>;
      this.#lastCallMs[group] = Math.max(this.#lastCallMs[group] as number, callMs);
    }
    this.#groups = group + 1;
  }

  /** Of those that have their turn; undefined: all are placed. */
  get turn(): number | undefined {
    return this.#turn < this.#groups ? this.#ranks[this.#turn] : undefined;
  }

  hasTurn(number: number): boolean {
    const group = this.#groupOf[number] as number;
    return group === UNRANKED || group === this.#turn;
  }

  /** It must wait for one that is called after `limitMs` only. */
  waitsBeyond(number: number, limitMs: number): boolean {
    return !this.hasTurn(number) && (this.#lastCallMs[this.#turn] as number) > limitMs;
  }

  place(number: number): void {
    const group = this.#groupOf[number] as number;
    if (group === UNRANKED) return;
    this.#waiting[group] = (this.#waiting[group] as number) - 1;
    while (this.#turn < this.#groups && this.#waiting[this.#turn] === 0) this.#turn += 1;
  }

  unplace(number: number): void {
    const group = this.#groupOf[number] as number;
    if (group === UNRANKED) return;
    this.#waiting[group] = (this.#waiting[group] as number) + 1;
    this.#turn = group;
  }
}
