import type { Hint } from './model.js';
import type { History } from './operation.js';

const UNRANKED = -1;

/** Known outcomes whose order is known, in groups of equal rank: one group at a time has its turn. */
export class Ranks {
  /** Operation → group. */
  readonly #groupOf: Int32Array;
  /** Group → how many of it are not placed. */
  readonly #waiting: Int32Array;
  readonly #lastCallMs: Float64Array;
  /** Group → rank. */
  readonly #ranks: Float64Array;
  #turn = 0;

  constructor(operations: History<unknown, unknown>, hints: readonly (Hint | undefined)[]) {
    const ranks = new Set<number>();
    for (const hint of hints) if (hint?.rank !== undefined) ranks.add(hint.rank);
    this.#ranks = Float64Array.from(ranks).sort();
    const groups = new Map(Array.from(this.#ranks, (rank, group) => [rank, group]));
    this.#groupOf = new Int32Array(operations.length).fill(UNRANKED);
    this.#waiting = new Int32Array(groups.size);
    this.#lastCallMs = new Float64Array(groups.size).fill(-Infinity);
    operations.forEach(({ callMs }, number) => {
      const rank = hints[number]?.rank;
      const group = rank === undefined ? undefined : groups.get(rank);
      if (group === undefined) return;
      this.#groupOf[number] = group;
      this.#waiting[group] = (this.#waiting[group] as number) + 1;
      this.#lastCallMs[group] = Math.max(this.#lastCallMs[group] as number, callMs);
    });
  }

  hasTurn(number: number): boolean {
    const group = this.#groupOf[number] as number;
    return group === UNRANKED || group === this.#turn;
  }

  /** Of those that have their turn; undefined: all are placed. */
  get turn(): number | undefined {
    return this.#ranks[this.#turn];
  }

  /** It must wait for one that is called after `limitMs` only. */
  waitsBeyond(number: number, limitMs: number): boolean {
    return !this.hasTurn(number) && (this.#lastCallMs[this.#turn] as number) > limitMs;
  }

  place(number: number): void {
    const group = this.#groupOf[number] as number;
    if (group === UNRANKED) return;
    this.#waiting[group] = (this.#waiting[group] as number) - 1;
    while (this.#turn < this.#waiting.length && this.#waiting[this.#turn] === 0) this.#turn += 1;
  }

  unplace(number: number): void {
    const group = this.#groupOf[number] as number;
    if (group === UNRANKED) return;
    this.#waiting[group] = (this.#waiting[group] as number) + 1;
    this.#turn = group;
  }
}
