import type { Parcel } from './one-way.js';

/** The process that reads. */
export interface Reader {
  readonly isFrozen: boolean;
  deliver(input: () => void): void;
}

/** What has arrived at one end and its process has not read yet: a frozen one reads it later. */
export class SocketBuffer<Item> {
  readonly #reader: Reader;
  readonly #read: (parcel: Parcel<Item>) => void;
  #waiting: Parcel<Item>[] = [];
  #isRung = false;

  constructor(reader: Reader, read: (parcel: Parcel<Item>) => void) {
    this.#reader = reader;
    this.#read = read;
  }

  arrive(parcel: Parcel<Item>): void {
    this.#waiting.push(parcel);
    // One wake-up is enough for a process that stands still: its inbox is bounded.
    if (this.#isRung && this.#reader.isFrozen) return;
    this.#isRung = true;
    this.#reader.deliver(this.#drain);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** All that is here is read in one turn, as from a socket. */
  readonly #drain = (): void => {
    this.#isRung = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const parcel of waiting) this.#read(parcel);
  };
}
