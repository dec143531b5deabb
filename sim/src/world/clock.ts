/** The simulator's own time, ms. Only the world moves it, and only forward. */
export class TrueClock {
  #nowMs = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  moveTo(ms: number): void {
    if (ms < this.#nowMs) throw new Error(`true time went back: ${this.#nowMs} to ${ms}`);
    this.#nowMs = ms;
  }
}

/** Timers fire no finer than this: with it, rounding can never wake a node just too early. */
const TIMER_GRAIN_MS = 1 / 1024;

/**
 * A node's monotonic clock: its own rate and its own zero. A rate of 1.01 is a clock that gains
 * one per cent. A reboot moves the zero and leaves the rate.
 */
export class NodeClock {
  readonly #time: TrueClock;
  readonly #rate: number;
  #offsetMs: number;

  constructor(time: TrueClock, rate: number, offsetMs: number) {
    this.#time = time;
    this.#rate = rate;
    this.#offsetMs = offsetMs;
  }

  /** What the node reads. */
  get nowMs(): number {
    return this.elapsedMs + this.#offsetMs;
  }

  /** The node's own count of milliseconds since the world began; reboots do not touch it. */
  get elapsedMs(): number {
    return this.#time.nowMs * this.#rate;
  }

  /** The true time at which this clock shows `localMs`, or a timer's grain later. */
  trueMsAt(localMs: number): number {
    const exactMs = (localMs - this.#offsetMs) / this.#rate;
    return (Math.floor(exactMs / TIMER_GRAIN_MS) + 1) * TIMER_GRAIN_MS;
  }

  reboot(offsetMs: number): void {
    this.#offsetMs = offsetMs - this.elapsedMs;
  }
}
