import { type Cancel, type Clock, type Timers, timerDelayMs } from './ports.js';

export interface Expiring {
  readonly deadlineMs: number;
}

/**
 * One timer for all deadlines instead of one a call: it fires at the earliest deadline known,
 * looks at what is left, and goes to sleep until the next one.
 */
export class DeadlineSweep<T extends Expiring> {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #live: () => Iterable<T>;
  readonly #expire: (item: T) => void;
  #cancel: Cancel | undefined;
  #atMs = Number.POSITIVE_INFINITY;

  constructor(
    ports: { readonly clock: Clock; readonly timers: Timers },
    live: () => Iterable<T>,
    expire: (item: T) => void,
  ) {
    this.#clock = ports.clock;
    this.#timers = ports.timers;
    this.#live = live;
    this.#expire = expire;
  }

  watch(item: T): void {
    if (item.deadlineMs < this.#atMs) this.#arm(item.deadlineMs);
  }

  /** Nothing is pending: no timer keeps the process alive. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#atMs = Number.POSITIVE_INFINITY;
  }

  #arm(atMs: number): void {
    this.#cancel?.();
    this.#atMs = atMs;
    const delayMs = timerDelayMs(atMs - this.#clock.monotonicMs());
    this.#cancel = this.#timers.after(delayMs, () => this.#sweep(), { ref: true });
  }

  #sweep(): void {
    this.rest();
    const nowMs = this.#clock.monotonicMs();
    let earliestMs = Number.POSITIVE_INFINITY;
    const due: T[] = [];
    for (const item of this.#live()) {
      if (item.deadlineMs <= nowMs) due.push(item);
      else earliestMs = Math.min(earliestMs, item.deadlineMs);
    }
    if (earliestMs < this.#atMs) this.#arm(earliestMs);
    for (const item of due) this.#expire(item);
  }
}
