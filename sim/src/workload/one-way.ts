import type { Agenda } from '../world/agenda.js';
import type { Latency } from './latency.js';

/** What may lie between the two ends of a connection. */
export interface Way {
  readonly agenda: Agenda;
  readonly isCut: boolean;
}

/** Something on its way, and what it weighs. */
export interface Parcel<Item> {
  readonly item: Item;
  readonly bytes: number;
}

/**
 * One direction of a connection, as TCP is: what was sent arrives in order and whole, or not at
 * all. While the way is cut it is held, and sent again once the way is mended.
 */
export class OneWay<Item> {
  readonly #way: Way;
  readonly #latency: Latency;
  readonly #arrive: (parcel: Parcel<Item>) => void;
  #held: Parcel<Item>[] = [];
  #latestMs = 0;
  #unreadBytes = 0;
  #isBroken = false;

  constructor(way: Way, latency: Latency, arrive: (parcel: Parcel<Item>) => void) {
    this.#way = way;
    this.#latency = latency;
    this.#arrive = arrive;
  }

  /** Sent and not yet read by the other side's process. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  send(item: Item, bytes: number, extraMs = 0): void {
    if (this.#isBroken) return;
    const { agenda } = this.#way;
    const drawnMs = agenda.nowMs + this.#latency.nextMs() + extraMs;
    const arrivesMs = Math.max(drawnMs, this.#latestMs);
    this.#latestMs = arrivesMs;
    this.#unreadBytes += bytes;
    const parcel: Parcel<Item> = { item, bytes };
    agenda.at(arrivesMs, () => this.#onArrival(parcel));
  }

  /** The process at the other end has taken it: there is room again. */
  read(parcel: Parcel<Item>): void {
    this.#unreadBytes -= parcel.bytes;
  }

  /** The way is mended: what was held arrives in `afterMs`, everything sent later behind it. */
  release(afterMs: number): void {
    if (this.#held.length === 0) return;
    const { agenda } = this.#way;
    agenda.at(agenda.nowMs + afterMs, () => this.#onRelease());
  }

  /** A reset: nothing of what is under way arrives any more. */
  break(): void {
    this.#isBroken = true;
    this.#held = [];
  }

  #onArrival(parcel: Parcel<Item>): void {
    if (this.#isBroken) return;
    if (this.#way.isCut || this.#held.length > 0) this.#held.push(parcel);
    else this.#arrive(parcel);
  }

  #onRelease(): void {
    if (this.#way.isCut) return;
    const held = this.#held;
    this.#held = [];
    for (const parcel of held) {
      if (!this.#isBroken) this.#arrive(parcel);
    }
  }
}
