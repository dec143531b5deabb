import type { Progress } from './processes.js';

interface Waiter {
  readonly matches: (progress: Progress) => boolean;
  readonly resolve: (progress: Progress) => void;
}

/** What the processes print, in order; the story waits for events, never for time. */
export class Stage {
  readonly #patienceMs: number;
  #heard: Progress[] = [];
  #waiter: Waiter | undefined;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  hear(progress: Progress): void {
    this.#heard.push(progress);
    this.#drain();
  }

  /** The next line that matches; earlier ones are passed over and gone. */
  async next(what: string, matches: (progress: Progress) => boolean): Promise<Progress> {
    let alarm: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`waited ${this.#patienceMs} ms in vain: ${what}`));
      alarm = setTimeout(fail, this.#patienceMs);
    });
    const heard = new Promise<Progress>((resolve) => {
      this.#waiter = { matches, resolve };
      this.#drain();
    });
    try {
      return await Promise.race([heard, tooLate]);
    } finally {
      clearTimeout(alarm);
      this.#waiter = undefined;
    }
  }

  #drain(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    const position = this.#heard.findIndex((progress) => waiter.matches(progress));
    const found = this.#heard[position];
    this.#heard = position < 0 ? [] : this.#heard.slice(position + 1);
    if (found === undefined) return;
    this.#waiter = undefined;
    waiter.resolve(found);
  }
}
