import { RandomStream } from '../../world/random.js';

/** A choice and how often it is made beside the others. */
export type Weighted<Choice> = readonly [weight: number, choice: Choice];

/** Draws of one theme of a plan: themes do not disturb each other. */
export class Dice {
  readonly #stream: RandomStream;

  constructor(seed: number, theme: string) {
    this.#stream = new RandomStream(seed, `plan/${theme}`);
  }

  /** True with the given chance in per cent. */
  percent(chance: number): boolean {
    return this.#stream.percent(chance);
  }

  /** Anything in [low, high). */
  between(low: number, high: number): number {
    return this.#stream.between(low, high);
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.#stream.next() * (high - low + 1));
  }

  /** In [low, high), small values more often: every order of magnitude alike in spirit. */
  skewed(low: number, high: number): number {
    const drawn = this.#stream.next();
    return low + (high - low) * drawn * drawn * drawn;
  }

  pick<Choice>(choices: readonly Choice[]): Choice {
    const picked = choices[Math.floor(this.#stream.next() * choices.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  weighted<Choice>(choices: readonly Weighted<Choice>[]): Choice {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#stream.next() * total;
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new Error('nothing to choose from');
  }

  /** The numbers below `count` in a drawn order. */
  shuffled(count: number): number[] {
    const order = Array.from({ length: count }, (_, at) => at);
    for (let at = count - 1; at > 0; at -= 1) {
      const other = this.whole(0, at);
      const moved = order[at];
      const swapped = order[other];
      if (moved === undefined || swapped === undefined) throw new Error('out of range');
      order[at] = swapped;
      order[other] = moved;
    }
    return order;
  }
}
