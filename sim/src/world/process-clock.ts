import type { TrueClock } from './clock.js';

/** Timers fire no finer than this: with it, rounding can never wake a process just too early. */
const TIMER_GRAIN_MS = 1 / 1024;

/** Wall time at the world's beginning, ms since 1970. */
const EPOCH_MS = 1_767_225_600_000;

export interface ProcessClockOptions {
  /** 1.01 gains one per cent. Both clocks of a machine run by the same crystal. */
  readonly rate: number;
  /** What the monotonic clock shows when the world begins. */
  readonly bootOffsetMs: number;
  readonly wallOffsetMs: number;
}

/** Both clocks of one machine: what the processes on it can know of time. */
export class ProcessClock {
  readonly #time: TrueClock;
  readonly #rate: number;
  #monotonicOffsetMs: number;
  #wallOffsetMs: number;

  constructor(time: TrueClock, options: ProcessClockOptions) {
    this.#time = time;
    this.#rate = options.rate;
    this.#monotonicOffsetMs = options.bootOffsetMs;
    this.#wallOffsetMs = options.wallOffsetMs;
  }

  /** Never goes back. */
  monotonicMs(): number {
    return this.elapsedMs + this.#monotonicOffsetMs;
  }

  /** Milliseconds since 1970, as this machine believes. */
  wallMs(): number {
    return EPOCH_MS + this.elapsedMs + this.#wallOffsetMs;
  }

  /** The machine's own count of milliseconds since the world began; nothing steps it. */
  get elapsedMs(): number {
    return this.#time.nowMs * this.#rate;
  }

  /** The true time at which `delayMs` from now have passed on this machine, or a grain later. */
  trueMsAfter(delayMs: number): number {
    const exactMs = this.#time.nowMs + Math.max(0, delayMs) / this.#rate;
    return (Math.floor(exactMs / TIMER_GRAIN_MS) + 1) * TIMER_GRAIN_MS;
  }

  /** An administrator or NTP steps the wall clock, forward or back. */
  jumpWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** A reboot: the monotonic clock begins anew. */
  reboot(bootOffsetMs: number): void {
    this.#monotonicOffsetMs = bootOffsetMs - this.elapsedMs;
  }
}
