import type { Hint } from './model.js';
import type { History } from './operation.js';

const NONE = -1;

/** The unknown outcomes of a partition by time of call: each may take effect once, or never. */
export class Unknowns {
  readonly size: number;
  readonly callMs: Float64Array;
  /** One bit each: it has taken effect. */
  readonly taken: Int32Array;
  /** The one of the same likeness that is called before it and so comes first. */
  readonly #before: Int32Array;

  constructor(operations: History<unknown, unknown>, hints: readonly (Hint | undefined)[]) {
    this.size = operations.length;
    this.callMs = Float64Array.from(operations, ({ callMs }) => callMs);
    this.taken = new Int32Array((this.size + 31) >>> 5);
    this.#before = new Int32Array(this.size).fill(NONE);
    const latest = new Map<string, number>();
    hints.forEach((hint, number) => {
      if (hint?.likeness === undefined) return;
      this.#before[number] = latest.get(hint.likeness) ?? NONE;
      latest.set(hint.likeness, number);
    });
  }

  isTaken(number: number): boolean {
    return (((this.taken[number >>> 5] as number) >>> (number & 31)) & 1) === 1;
  }

  flip(number: number): void {
    const word = number >>> 5;
    this.taken[word] = (this.taken[word] as number) ^ (1 << (number & 31));
  }

  isNext(number: number): boolean {
    const before = this.#before[number] as number;
    return !this.isTaken(number) && (before === NONE || this.isTaken(before));
  }
}
