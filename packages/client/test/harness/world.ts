import type { ClientPorts, Logger } from '../../src/ports.js';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly callback: () => void;
  readonly ref: boolean;
}

/** Virtual time on two clocks, and everything that is due in order. No test waits for real time. */
export class World {
  /** True time since the start; the monotonic clock shows it. */
  nowMs = 0;
  /** What the wall clock is ahead of 2026-01-01 plus true time; step it as you like. */
  wallOffsetMs = 0;
  /** What the monotonic clock did not count (a suspend). */
  monotonicLagMs = 0;
  readonly logged: { readonly level: string; readonly message: string }[] = [];
  #timers: Timer[] = [];
  #deferred: (() => void)[] = [];
  #order = 0;
  #random = 1;
  #ids = 0;

  get liveTimers(): { readonly ref: number; readonly all: number } {
    return { ref: this.#timers.filter(({ ref }) => ref).length, all: this.#timers.length };
  }

  after(delayMs: number, callback: () => void, ref = true): () => void {
    this.#order += 1;
    const timer = { atMs: this.nowMs + delayMs, order: this.#order, callback, ref };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  defer(callback: () => void): void {
    this.#deferred.push(callback);
  }

  /** The ports of one client, apart from its dialling; `rate`: how fast its clocks run. */
  ports(dial: ClientPorts['dial'], rate = 1): ClientPorts {
    return {
      clock: {
        monotonicMs: () => (this.nowMs - this.monotonicLagMs) * rate,
        wallMs: () => 1_767_225_600_000 + this.nowMs * rate + this.wallOffsetMs,
      },
      timers: {
        after: (delayMs, callback, { ref }) => {
          if (!(delayMs >= 0 && delayMs < 2 ** 31)) throw new RangeError(`a timer of ${delayMs}`);
          return this.after(delayMs, callback, ref);
        },
        defer: (callback) => this.defer(callback),
      },
      random: () => this.random(),
      randomId: () => {
        this.#ids += 1;
        return `id-${this.#ids}`;
      },
      dial,
      log: this.#logger(),
    };
  }

  /** A plain sequence in [0, 1): the same in every run. */
  random(): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random / 2_147_483_647;
  }

  /** Lets everything run that needs no time to pass. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = this.#deferred;
      this.#deferred = [];
      for (const callback of due) callback();
      quiet = due.length === 0 ? quiet + 1 : 0;
    }
  }

  /** Time passes, timer by timer, and what each sets off runs before the next. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.settle();
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.atMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.callback();
      await this.settle();
    }
    this.nowMs = untilMs;
  }

  /** The event loop of this process stands still: clocks go on, no timer and no callback runs. */
  block(ms: number): void {
    this.nowMs += ms;
  }

  /** The machine sleeps: only the wall clock notices. */
  suspend(ms: number): void {
    this.nowMs += ms;
    this.monotonicLagMs += ms;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.atMs < next.atMs) next = timer;
      else if (timer.atMs === next.atMs && timer.order < next.order) next = timer;
    }
    return next;
  }

  #logger(): Logger {
    const at = (level: string) => (_details: object, message: string) => {
      this.logged.push({ level, message });
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
