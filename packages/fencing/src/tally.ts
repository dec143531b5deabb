import type { RefusalCode } from './fence-error.js';

/** Of one lock, or of all. A refusal other than `TOKEN_REQUIRED` during roll-out is an incident. */
export interface FenceCounts {
  /** Admitted writes and barriers, those without a token included. */
  readonly admitted: number;
  /** How many of these raised the maximum. */
  readonly raised: number;
  /** How many of these came without a token and passed, since the mode is `observe`. */
  readonly unfenced: number;
  readonly refused: Readonly<Record<RefusalCode, number>>;
}

export type TallyMark = 'raised' | 'held' | 'unfenced' | RefusalCode;

/** Locks counted one by one; those after them appear in the total only. */
export const MAX_COUNTED_LOCKS = 1000;

/** Counts per lock and in total, since the guard was made. */
export class Tally {
  readonly #total = new Counter();
  readonly #locks = new Map<string, Counter>();

  mark(lock: string | undefined, mark: TallyMark): void {
    this.#total.mark(mark);
    if (lock !== undefined) this.#counterOf(lock)?.mark(mark);
  }

  counts(lock?: string): FenceCounts {
    const counter = lock === undefined ? this.#total : this.#locks.get(lock);
    return (counter ?? new Counter()).counts();
  }

  #counterOf(lock: string): Counter | undefined {
    const known = this.#locks.get(lock);
    if (known !== undefined || this.#locks.size >= MAX_COUNTED_LOCKS) return known;
    const counter = new Counter();
    this.#locks.set(lock, counter);
    return counter;
  }
}

class Counter {
  readonly #marks: Record<TallyMark, number> = {
    raised: 0,
    held: 0,
    unfenced: 0,
    FENCED: 0,
    TOKEN_CONFLICT: 0,
    TOKEN_REQUIRED: 0,
    INVALID_GRANT: 0,
  };

  mark(mark: TallyMark): void {
    this.#marks[mark] += 1;
  }

  counts(): FenceCounts {
    const { raised, held, unfenced, ...refused } = this.#marks;
    return { admitted: raised + held + unfenced, raised, unfenced, refused };
  }
}
