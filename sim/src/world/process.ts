import type { Agenda, Booking } from './agenda.js';
import type { ProcessClock } from './process-clock.js';

/** Inputs a frozen process keeps for later, as its socket buffers would; further ones are lost. */
const INBOX_MAX = 4_096;

/**
 * One operating-system process in the world: it has a clock, timers and a life. Frozen (SIGSTOP)
 * it handles nothing, and what arrives waits; killed, its timers and inputs are gone. Whatever
 * runs inside runs through `run`, so that nothing of an old life can touch a new one.
 */
export class SimProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly #agenda: Agenda;
  /** Called after anything ran inside: a host of promises asks for a drain here. */
  readonly #afterRun: () => void;
  #life = 0;
  #isUp = false;
  #frozenAtMs: number | undefined;
  #timersDue: (() => void)[] = [];
  #inbox: (() => void)[] = [];

  constructor(
    name: string,
    agenda: Agenda,
    clock: ProcessClock,
    afterRun: () => void = () => undefined,
  ) {
    this.name = name;
    this.#agenda = agenda;
    this.clock = clock;
    this.#afterRun = afterRun;
  }

  /** Counts starts. */
  get life(): number {
    return this.#life;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get isFrozen(): boolean {
    return this.#frozenAtMs !== undefined;
  }

  /** A new life begins; `main` is its first turn. */
  start(main: () => void): void {
    if (this.#isUp) throw new Error(`${this.name} runs already`);
    this.#isUp = true;
    this.#life += 1;
    this.#run(main);
  }

  /** kill -9 or a power cut: nothing of this life ever runs again. */
  kill(): void {
    this.#isUp = false;
    this.#frozenAtMs = undefined;
    this.#timersDue = [];
    this.#inbox = [];
  }

  /** An input from outside: handled now, at the thaw, or never. */
  deliver(input: () => void): void {
    if (!this.#isUp) return;
    if (!this.isFrozen) this.#run(input);
    else if (this.#inbox.length < INBOX_MAX) this.#inbox.push(input);
  }

  /** A timer on this process's own clock; returns its cancel. */
  after(delayMs: number, callback: () => void): () => void {
    return this.#book(this.clock.trueMsAfter(delayMs), callback);
  }

  /** Runs once what is here already was handled; `laterMs` of true time are spent before. */
  defer(callback: () => void, laterMs = 0): void {
    this.#book(this.#agenda.nowMs + laterMs, callback);
  }

  freeze(): void {
    if (this.#isUp) this.#frozenAtMs ??= this.#agenda.nowMs;
  }

  /** SIGCONT. A loop may see its timers or its sockets first. Returns how long it stood, ms. */
  thaw({ timersFirst }: { readonly timersFirst: boolean }): number {
    const frozenAtMs = this.#frozenAtMs;
    if (frozenAtMs === undefined) return 0;
    this.#frozenAtMs = undefined;
    const timers = this.#timersDue;
    const inbox = this.#inbox;
    this.#timersDue = [];
    this.#inbox = [];
    const life = this.#life;
    for (const run of timersFirst ? [...timers, ...inbox] : [...inbox, ...timers]) {
      if (this.#isUp && this.#life === life) this.#run(run);
    }
    return this.#agenda.nowMs - frozenAtMs;
  }

  #book(dueMs: number, callback: () => void): () => void {
    const life = this.#life;
    let cancelled = false;
    const run = (): void => {
      if (!cancelled) callback();
    };
    const booking: Booking = this.#agenda.at(dueMs, () => {
      if (!this.#isUp || this.#life !== life) return;
      if (this.isFrozen) this.#timersDue.push(run);
      else this.#run(run);
    });
    return () => {
      cancelled = true;
      booking.cancel();
    };
  }

  #run(act: () => void): void {
    act();
    this.#afterRun();
  }
}
