import type { SubscriptionType } from './operation.js';

interface Watching {
  readonly kind: SubscriptionType;
  readonly callback: () => void;
  /** Undefined: it goes on until all are ended. */
  cancelTimer: (() => void) | undefined;
}

/** When the subscriptions of one life of a client have gone on for long enough. */
export class WatchingTime {
  readonly #after: (delayMs: number, callback: () => void) => () => void;
  readonly #isKept: boolean;
  readonly #open = new Set<Watching>();
  #isKeepingAll = false;
  #isEnded = false;

  /** `isKept`: while any of a kind are open, one of them goes on until all are ended. */
  constructor(
    after: (delayMs: number, callback: () => void) => () => void,
    { isKept }: { readonly isKept: boolean },
  ) {
    this.#after = after;
    this.#isKept = isKept;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  after(kind: SubscriptionType, ms: number, callback: () => void): () => void {
    const one: Watching = { kind, callback, cancelTimer: undefined };
    if (this.#isEnded || !this.#goesOn(kind)) {
      one.cancelTimer = this.#after(this.#isEnded ? 1 : ms, () => this.#finish(one));
    }
    this.#open.add(one);
    return () => this.#forget(one);
  }

  /** From now on each goes on until all are ended. */
  keepAll(): void {
    this.#isKeepingAll = true;
    for (const one of this.#open) {
      one.cancelTimer?.();
      one.cancelTimer = undefined;
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const one of [...this.#open]) this.#finish(one);
  }

  #goesOn(kind: SubscriptionType): boolean {
    if (this.#isKeepingAll) return true;
    if (!this.#isKept) return false;
    for (const other of this.#open) {
      if (other.kind === kind && other.cancelTimer === undefined) return false;
    }
    return true;
  }

  #finish(one: Watching): void {
    this.#forget(one);
    one.callback();
  }

  #forget(one: Watching): void {
    one.cancelTimer?.();
    this.#open.delete(one);
  }
}
