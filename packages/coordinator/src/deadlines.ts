import { assert } from './assert.js';

/**
 * Where a thing stands in a `Deadlines`. Derived from replicated state and never part of it:
 * `heapPosition` depends on the order of insertions, so it must not reach apply's outcome.
 */
export interface Timed {
  dueAtMs: number;
  /** Index in the heap; −1: not in it. */
  heapPosition: number;
}

/**
 * A binary heap that knows where its things are: setting, moving and clearing one is O(log n),
 * asking when nothing is due O(1). What is due stays until it is cleared, because an expiry is
 * tried until it is applied (K-006).
 */
export class Deadlines<T extends Timed> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  set(timed: T, atMs: number): void {
    const before = timed.dueAtMs;
    timed.dueAtMs = atMs;
    if (timed.heapPosition === -1) {
      timed.heapPosition = this.#heap.length;
      this.#heap.push(timed);
      this.#rise(timed);
    } else if (atMs < before) this.#rise(timed);
    else this.#sink(timed);
  }

  clear(timed: T): void {
    if (timed.heapPosition === -1) return;
    const last = this.#heap.pop();
    assert(last !== undefined, 'a thing with a position is in the heap');
    if (last !== timed) {
      this.#place(last, timed.heapPosition);
      this.#rise(last);
      this.#sink(last);
    }
    timed.heapPosition = -1;
  }

  /** What is due at `nowMs`, at most `max`, the earliest first in line; nothing is removed. */
  due(nowMs: number, max: number): T[] {
    const found: T[] = [];
    const pending = [0];
    // Children are never earlier than their parent: what is due hangs together at the root.
    for (let next = pending.pop(); next !== undefined && found.length < max; next = pending.pop()) {
      const timed = this.#heap[next];
      if (timed === undefined || timed.dueAtMs > nowMs) continue;
      found.push(timed);
      pending.push(2 * next + 2, 2 * next + 1);
    }
    return found;
  }

  #rise(timed: T): void {
    while (timed.heapPosition > 0) {
      const above = this.#heap[(timed.heapPosition - 1) >> 1];
      if (above === undefined || above.dueAtMs <= timed.dueAtMs) return;
      this.#swap(timed, above);
    }
  }

  #sink(timed: T): void {
    for (;;) {
      const left = this.#heap[2 * timed.heapPosition + 1];
      if (left === undefined) return;
      const right = this.#heap[2 * timed.heapPosition + 2];
      const below = right !== undefined && right.dueAtMs < left.dueAtMs ? right : left;
      if (below.dueAtMs >= timed.dueAtMs) return;
      this.#swap(below, timed);
    }
  }

  #swap(a: T, b: T): void {
    const position = a.heapPosition;
    this.#place(a, b.heapPosition);
    this.#place(b, position);
  }

  #place(timed: T, position: number): void {
    this.#heap[position] = timed;
    timed.heapPosition = position;
  }
}
