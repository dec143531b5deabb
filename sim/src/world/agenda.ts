import { TrueClock } from './clock.js';

/** Something that will happen; cancelling it leaves a hole that is skipped. */
export interface Booking {
  cancel(): void;
}

class Planned implements Booking {
  readonly dueMs: number;
  readonly order: number;
  run: (() => void) | undefined;

  constructor(dueMs: number, order: number, run: () => void) {
    this.dueMs = dueMs;
    this.order = order;
    this.run = run;
  }

  cancel(): void {
    this.run = undefined;
  }
}

/**
 * Everything that will happen, earliest first; what falls on the same moment happens in the order
 * in which it was planned. A binary heap: a storm plans some hundred things a simulated second.
 */
export class Agenda {
  readonly clock: TrueClock = new TrueClock();
  readonly #heap: Planned[] = [];
  #order = 0;
  #happened = 0;

  get nowMs(): number {
    return this.clock.nowMs;
  }

  /** How many things have happened: the measure of a run's work. */
  get happened(): number {
    return this.#happened;
  }

  /** Plans `run` for a moment of true time; one that is past means now. */
  at(dueMs: number, run: () => void): Booking {
    const planned = new Planned(Math.max(dueMs, this.nowMs), this.#order, run);
    this.#order += 1;
    this.#rise(planned);
    return planned;
  }

  /** Lets the next thing happen if it falls before or on `endMs`; false when nothing does. */
  step(endMs: number): boolean {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.dueMs > endMs) return false;
      this.#takeFirst();
      const { run } = first;
      if (run === undefined) continue;
      this.clock.moveTo(first.dueMs);
      this.#happened += 1;
      run();
      return true;
    }
  }

  #rise(planned: Planned): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(planned);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, planned)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = planned;
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const child = this.#earlierChild(at);
      const below = child === undefined ? undefined : heap[child];
      if (child === undefined || below === undefined || isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }

  #earlierChild(at: number): number | undefined {
    const left = this.#heap[2 * at + 1];
    if (left === undefined) return undefined;
    const right = this.#heap[2 * at + 2];
    return right === undefined || isBefore(left, right) ? 2 * at + 1 : 2 * at + 2;
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}
