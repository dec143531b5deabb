import type { ClientPorts, Clock } from './ports.js';

/** One moment, as both clocks together show it (DESIGN §8). */
export interface Instant {
  readonly monotonicMs: number;
  /** What the wall clock has leapt ahead of the monotonic one, all leaps together. Never falls. */
  readonly asleepMs: number;
  /** What it is ahead beyond that: resolution and slewing, not added up. */
  readonly aheadMs: number;
}

/** The ports as the parts of one client share them. */
export interface CorePorts extends ClientPorts {
  readonly time: Timekeeper;
}

/** Above this a difference of the two clocks is a leap: a suspend, or a step of the wall clock. */
const LEAP_MS = 5;

/**
 * Reads both clocks at once and remembers every leap of the wall clock, so that setting it back
 * can hide no suspend, before or after: a wall clock can only shorten what is held. What neither
 * clock shows, and a step back and a suspend between two readings, the token alone covers.
 */
export class Timekeeper {
  readonly #clock: Clock;
  /** How far the wall clock was ahead of the monotonic one when that was last taken for plain. */
  #offsetMs: number;
  #asleepMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    const monotonicMs = clock.monotonicMs();
    this.#offsetMs = clock.wallMs() - monotonicMs;
  }

  /**
   * A pause between the two readings shows as a leap now and on the monotonic clock from the next
   * reading on: it counts twice, which can only shorten what is held. It must never count as time
   * gained (K-063).
   */
  now(): Instant {
    const monotonicMs = this.#clock.monotonicMs();
    const offsetMs = this.#clock.wallMs() - monotonicMs;
    const grownMs = offsetMs - this.#offsetMs;
    if (grownMs >= 0 && grownMs <= LEAP_MS) {
      return { monotonicMs, asleepMs: this.#asleepMs, aheadMs: grownMs };
    }
    this.#offsetMs = offsetMs;
    this.#asleepMs += Math.max(0, grownMs);
    return { monotonicMs, asleepMs: this.#asleepMs, aheadMs: 0 };
  }
}

/** Milliseconds from one instant to a later one, by the clock that shows more of them. */
export function elapsedMs(from: Instant, to: Instant): number {
  return to.monotonicMs - from.monotonicMs + to.asleepMs - from.asleepMs + to.aheadMs;
}
