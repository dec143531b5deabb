import type { LeaseId, LiveGrant, RenewalResult } from '@raftd/protocol';
import { Deadline, holdMs, stopBudgetMs } from './deadline.js';
import { invalidArgument, type LossReason } from './errors.js';
import { type Cancel, type Logger, timerDelayMs } from './ports.js';
import type { CorePorts, Instant } from './timekeeper.js';

export interface LeaseListener {
  /** The live grants that renewal `attempt` found. */
  onGrants?(grants: readonly LiveGrant[], attempt: number): void;
  /** The deadline moved, or doubt began or ended. */
  onChange?(): void;
  /** Last call. */
  onLost?(reason: LossReason): void;
}

const SHORT_TTL_MS = 3_000;

/** Throws INVALID_ARGUMENT for a TTL of which nothing would be left to work in. */
export function checkTtl(ttlMs: number, log: Logger): void {
  if (!Number.isInteger(ttlMs) || holdMs(ttlMs) <= stopBudgetMs(ttlMs)) {
    throw invalidArgument('ttlMs', `is not a whole number of milliseconds long enough: ${ttlMs}`);
  }
  if (ttlMs < SHORT_TTL_MS) log.warn({ ttlMs }, 'the TTL may not outlive a Raft fail-over');
}

/**
 * A lease this process holds, as far as it may believe. Everything is decided by reading both
 * clocks now; the timer only announces (rule 5). Once lost it is lost for ever (C16).
 */
export class HeldLease {
  readonly id: LeaseId;
  readonly ttlMs: number;
  readonly #ports: CorePorts;
  readonly #deadline: Deadline;
  readonly #listeners = new Set<LeaseListener>();
  #attempt = 0;
  #lost: LossReason | undefined;
  /** The connection of the last acknowledgement is gone. */
  #shaken = false;
  #cancelTimer: Cancel | undefined;

  constructor(ports: CorePorts, id: LeaseId, ttlMs: number, sentAt: Instant) {
    this.id = id;
    this.ttlMs = ttlMs;
    this.#ports = ports;
    this.#deadline = new Deadline(ttlMs, sentAt);
    this.#arm();
  }

  get lost(): LossReason | undefined {
    return this.#lost;
  }

  /** Number of the last renewal attempt that was built, or that somebody else made. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Reads both clocks; from the end of the hold less the stop budget on it is false for ever. */
  check(): boolean {
    if (this.#lost !== undefined) return false;
    if (this.#deadline.untilStopMs(this.#now()) > 0) return true;
    this.lose('expired');
    return false;
  }

  /** Until work must stop, ms; 0 once lost. */
  get remainingMs(): number {
    return this.check() ? this.#deadline.untilStopMs(this.#now()) : 0;
  }

  /** No acknowledgement for half the TTL, or its connection is gone. */
  get suspect(): boolean {
    return this.#shaken || this.#deadline.sinceAcknowledgedMs(this.#now()) >= this.ttlMs / 2;
  }

  listen(listener: LeaseListener): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nextAttempt(): number {
    this.#attempt += 1;
    return this.#attempt;
  }

  /**
   * The answer to one attempt, by that attempt's own send time, however late it comes. Only what
   * moved the cluster's deadline may move ours: an attempt that a later one overtook did not, be
   * that ours or another holder's of this id. True: the latest attempt was overtaken, so that it
   * was somebody else's, and a new one, above theirs, is due.
   */
  renewed(result: RenewalResult, sentAt: Instant): boolean {
    if (!this.check()) return false;
    if (result.outcome === 'not-found') return this.#lostBy('expired');
    // Above the greatest number no attempt is left to us.
    const spent = result.lastAttempt >= Number.MAX_SAFE_INTEGER;
    if (result.ending || spent) return this.#lostBy('revoked');
    if (result.applied && this.#deadline.acknowledge(sentAt)) this.#shaken = false;
    // Even so it may be too late: what counts is the clock.
    if (!this.check()) return false;
    const overtaken = !result.applied && result.attempt === this.#attempt;
    this.#attempt = Math.max(this.#attempt, result.lastAttempt);
    for (const listener of [...this.#listeners]) listener.onGrants?.(result.grants, result.attempt);
    this.#changed();
    return overtaken;
  }

  shake(): void {
    if (this.#shaken || !this.check()) return;
    this.#shaken = true;
    this.#changed();
  }

  lose(reason: LossReason): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#cancelTimer?.();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.onLost?.(reason);
  }

  #lostBy(reason: LossReason): false {
    this.lose(reason);
    return false;
  }

  #now(): Instant {
    return this.#ports.time.now();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener.onChange?.();
  }

  /** One shot, ref'd, re-armed by what it finds: renewals need not touch it. */
  #arm(): void {
    const now = this.#now();
    const untilStopMs = this.#deadline.untilStopMs(now);
    const untilSuspectMs = this.ttlMs / 2 - this.#deadline.sinceAcknowledgedMs(now);
    const nextMs = untilSuspectMs > 0 ? Math.min(untilSuspectMs, untilStopMs) : untilStopMs;
    const fire = (): void => this.#onTimer();
    this.#cancelTimer = this.#ports.timers.after(timerDelayMs(nextMs), fire, { ref: true });
  }

  #onTimer(): void {
    if (!this.check()) return;
    if (this.suspect) this.#changed();
    this.#arm();
  }
}
