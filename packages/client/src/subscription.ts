import type { ClientCore } from './core.js';
import { ItemQueue } from './item-queue.js';

/** What feeds a subscription; stopped while its reader is behind. */
export interface Source {
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Sink<T> {
  push(item: T): void;
  /** After what was pushed: done, or the error thrown to the reader. */
  end(error?: { readonly error: unknown }): void;
}

/** Items that wait for the reader before the source is asked to pause: nothing is dropped. */
const BUFFER_ITEMS = 1_000;

/** An async iterable that is fed: ends on `return()`, disposal, abort, or with its client. */
export class Subscription<T> implements AsyncIterableIterator<T, undefined, undefined> {
  readonly #queue: ItemQueue<T>;
  readonly #source: Source;
  readonly #release: () => void;

  constructor(
    core: ClientCore,
    { signal }: { readonly signal?: AbortSignal | undefined },
    open: (sink: Sink<T>) => Source,
  ) {
    core.assertOpen();
    signal?.throwIfAborted();
    this.#queue = new ItemQueue<T>(BUFFER_ITEMS, {
      onFull: () => this.#source.pause(),
      onDrained: () => this.#source.resume(),
    });
    const onAbort = (): void => this.#end({ error: signal?.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    const untrack = core.track({ close: () => this.#end() });
    this.#release = () => {
      signal?.removeEventListener('abort', onAbort);
      untrack();
    };
    this.#source = open({
      push: (item) => this.#queue.push(item),
      end: (error) => this.#end(error),
    });
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#queue.discard();
    this.#end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #end(error?: { readonly error: unknown }): void {
    this.#source.close();
    this.#queue.end(error);
    this.#release();
  }
}
