import { elapsedMs, type Instant } from './timekeeper.js';

/** ρ: how much faster or slower than true time a clock may run, this one and the cluster's. */
export const CLOCK_RATE_BOUND = 0.01;

/** How long after the send of an acknowledged attempt a lease is safely ours, ms. */
export function holdMs(ttlMs: number): number {
  const marginMs = Math.max(20, 0.02 * ttlMs);
  return (ttlMs * (1 - CLOCK_RATE_BOUND)) / (1 + CLOCK_RATE_BOUND) - marginMs;
}

/** The last part of the hold, in which work must already be stopping, ms. */
export function stopBudgetMs(ttlMs: number): number {
  return Math.max(20, 0.1 * ttlMs);
}

/**
 * The local end of a lease. Moved by an acknowledgement of the grant or of a renewal only, and
 * only if that was sent later than what it stands on: it never moves back (C18).
 */
export class Deadline {
  readonly #ttlMs: number;
  #sent: Instant;

  /** `sent`: the first attempt of the grant, because a retried grant returns the first outcome. */
  constructor(ttlMs: number, sent: Instant) {
    this.#ttlMs = ttlMs;
    this.#sent = sent;
  }

  acknowledge(sent: Instant): boolean {
    if (sent.monotonicMs <= this.#sent.monotonicMs) return false;
    this.#sent = sent;
    return true;
  }

  /** Until the lease may be another's, ms; ≤ 0: it may be now. */
  remainingMs(now: Instant): number {
    return holdMs(this.#ttlMs) - this.sinceAcknowledgedMs(now);
  }

  /** Until work must stop, ms: what `remainingMs` of every handle shows. */
  untilStopMs(now: Instant): number {
    return this.remainingMs(now) - stopBudgetMs(this.#ttlMs);
  }

  /** Since the send of the last acknowledged attempt, ms. */
  sinceAcknowledgedMs(now: Instant): number {
    return elapsedMs(this.#sent, now);
  }
}
