import type { Entry } from '@raftd/raft';

/**
 * Entries applied in one turn. A node that starts on a long log applies it in steps: a loop that
 * stood still over it would lose its leader, or its leadership, for nothing.
 */
const PER_TURN_MAX = 2_000;

/** Committed entries on their way to apply, in order; normally a turn takes all there are. */
export class ApplyQueue {
  #batches: (readonly Entry[])[] = [];
  #left = PER_TURN_MAX;

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  beginTurn(): void {
    this.#left = PER_TURN_MAX;
  }

  add(committed: readonly Entry[]): void {
    if (committed.length > 0) this.#batches.push(committed);
  }

  /** The next entries that this turn may still apply; undefined: none. */
  take(): readonly Entry[] | undefined {
    const [batch] = this.#batches;
    if (batch === undefined || this.#left === 0) return undefined;
    const count = Math.min(batch.length, this.#left);
    this.#left -= count;
    if (count === batch.length) {
      this.#batches.shift();
      return batch;
    }
    this.#batches[0] = batch.slice(count);
    return batch.slice(0, count);
  }
}
