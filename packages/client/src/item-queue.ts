/** Between a pushing source and one reader: keeps order, ends once, tells when it runs full. */
export class ItemQueue<T> {
  readonly #capacity: number;
  readonly #onFull: () => void;
  readonly #onDrained: () => void;
  readonly #items: T[] = [];
  #head = 0;
  #full = false;
  #ended: { readonly error: unknown } | 'done' | undefined;
  #waiters: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];

  constructor(
    capacity: number,
    flow: { readonly onFull: () => void; readonly onDrained: () => void },
  ) {
    this.#capacity = capacity;
    this.#onFull = flow.onFull;
    this.#onDrained = flow.onDrained;
  }

  push(item: T): void {
    if (this.#ended !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ value: item, done: false });
      return;
    }
    this.#items.push(item);
    if (this.#full || this.#items.length - this.#head < this.#capacity) return;
    this.#full = true;
    this.#onFull();
  }

  /** What was pushed before is still read. */
  end(error?: { readonly error: unknown }): void {
    if (this.#ended !== undefined) return;
    this.#ended = error ?? 'done';
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) this.#settleEnded(waiter);
  }

  /** Forgets what was not read. */
  discard(): void {
    this.#items.length = 0;
    this.#head = 0;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#head < this.#items.length) {
        resolve({ value: this.#take(), done: false });
      } else if (this.#ended !== undefined) {
        this.#settleEnded({ resolve, reject });
      } else {
        this.#waiters.push({ resolve, reject });
      }
    });
  }

  #take(): T {
    const item = this.#items[this.#head] as T;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    if (this.#full && this.#items.length - this.#head <= this.#capacity / 2) {
      this.#full = false;
      this.#onDrained();
    }
    return item;
  }

  #settleEnded(waiter: {
    readonly resolve: (result: IteratorResult<T, undefined>) => void;
    readonly reject: (error: unknown) => void;
  }): void {
    const ended = this.#ended;
    if (ended === 'done' || ended === undefined) waiter.resolve({ value: undefined, done: true });
    else {
      // Told once: an iterator that threw is done afterwards.
      this.#ended = 'done';
      waiter.reject(ended.error);
    }
  }
}
