import type { Timers } from './ports.js';

export interface KeepAliveOptions {
  readonly everyMs: number;
  /** Intervals in a row without a sign of life after which the other side counts as gone. */
  readonly missesMax: number;
  readonly timers: Timers;
  /** Absent on a side that only listens for the other's pings. */
  readonly ping: () => void;
  readonly dead: () => void;
}

/**
 * Finds a connection that is dead without a word. It counts intervals, not time: after a
 * freeze of this process one interval has passed, whatever the clock says, and what arrived
 * meanwhile is read before the next.
 */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  #misses = 0;
  #cancel: (() => void) | undefined;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    this.#arm();
  }

  /** Anything at all came from the other side. */
  heard(): void {
    this.#misses = 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.#cancel = this.#options.timers.after(this.#options.everyMs, () => this.#onInterval());
  }

  #onInterval(): void {
    if (this.#misses >= this.#options.missesMax) {
      this.#cancel = undefined;
      this.#options.dead();
      return;
    }
    this.#misses += 1;
    this.#options.ping();
    this.#arm();
  }
}
