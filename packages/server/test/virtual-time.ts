import type { Clock, Timers } from '../src/ports.js';

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Time that moves only when told: timers, deferred turns and whatever else happens later. */
export class VirtualTime implements Clock, Timers {
  #nowMs = 1_000;
  #wallMs = 1_700_000_000_000;
  #order = 0;
  #due: Due[] = [];
  #deferred: (() => void)[] = [];
  /** Rounds of deferred turns so far. */
  rounds = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#wallMs + this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const due: Due = { atMs: this.#nowMs + delayMs, order: this.#order, run, cancelled: false };
    this.#order += 1;
    this.#due.push(due);
    return () => {
      due.cancelled = true;
    };
  }

  defer(run: () => void): void {
    this.#deferred.push(run);
  }

  /** Deferred turns only: no time passes. */
  settle(): void {
    for (let turns = 0; this.#deferred.length > 0; turns += 1) {
      if (turns > 10_000) throw new Error('turns never end');
      const deferred = this.#deferred;
      this.#deferred = [];
      this.rounds += 1;
      for (const run of deferred) run();
    }
  }

  /** Everything due within `forMs`, in order of time. */
  advance(forMs: number): void {
    const untilMs = this.#nowMs + forMs;
    this.settle();
    for (;;) {
      const next = this.#takeNext(untilMs);
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Advances in small steps until it holds; fails the test if it never does. */
  until(what: string, holds: () => boolean, limitMs = 10_000): void {
    for (let spentMs = 0; !holds(); spentMs += 5) {
      if (spentMs > limitMs) throw new Error(`within ${limitMs} ms it never held that ${what}`);
      this.advance(5);
    }
  }

  /** The loop stands still: time passes and nothing runs. */
  stall(forMs: number): void {
    this.#nowMs += forMs;
  }

  #takeNext(untilMs: number): Due | undefined {
    this.#due = this.#due.filter((due) => !due.cancelled);
    let next: Due | undefined;
    for (const due of this.#due) {
      if (due.atMs > untilMs) continue;
      if (next === undefined || due.atMs < next.atMs) next = due;
      else if (due.atMs === next.atMs && due.order < next.order) next = due;
    }
    if (next !== undefined) this.#due = this.#due.filter((due) => due !== next);
    return next;
  }
}
