import type { Changes } from '@raftd/protocol';
import { eventsBytes } from './sizes.js';

/** Below this many dead slots the array is not worth cutting. */
const CUT_AFTER = 1_024;

/**
 * The last changes this node applied, bounded by events and bytes; what a watch resumes from.
 * Positions count changes from 0 at the node's start and stay valid while the window slides.
 */
export class EventWindow {
  readonly #eventsMax: number;
  readonly #bytesMax: number;
  #changes: Changes[] = [];
  /** Of each of `#changes`, so that dropping one does not look into it again. */
  #sizes: number[] = [];
  /** Slots of `#changes` already given up. */
  #head = 0;
  /** Position of `#changes[#head]`. */
  #firstPosition = 0;
  #events = 0;
  #bytes = 0;
  #lowestRevision = 1;

  constructor(eventsMax: number, bytesMax: number) {
    this.#eventsMax = eventsMax;
    this.#bytesMax = bytesMax;
  }

  /** The lowest revision from which nothing is missing. */
  get lowestRevision(): number {
    return this.#lowestRevision;
  }

  get firstPosition(): number {
    return this.#firstPosition;
  }

  /** The position that the next changes will have. */
  get endPosition(): number {
    return this.#firstPosition + this.#changes.length - this.#head;
  }

  push(changes: Changes): void {
    const bytes = eventsBytes(changes.events);
    this.#changes.push(changes);
    this.#sizes.push(bytes);
    this.#events += changes.events.length;
    this.#bytes += bytes;
    while (this.#events > this.#eventsMax || this.#bytes > this.#bytesMax) this.#dropFirst();
  }

  at(position: number): Changes | undefined {
    if (position < this.#firstPosition) return undefined;
    return this.#changes[this.#head + position - this.#firstPosition];
  }

  /** Position of the first changes at or above `revision`; the end if there are none. */
  positionOf(revision: number): number {
    let low = this.#head;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const changes = this.#changes[middle];
      if (changes !== undefined && changes.revision < revision) low = middle + 1;
      else high = middle;
    }
    return this.#firstPosition + low - this.#head;
  }

  #dropFirst(): void {
    const first = this.#changes[this.#head];
    if (first === undefined) throw new Error('window: counts say there is more than it holds');
    this.#events -= first.events.length;
    this.#bytes -= this.#sizes[this.#head] ?? 0;
    this.#lowestRevision = first.revision + 1;
    this.#head += 1;
    this.#firstPosition += 1;
    if (this.#head >= CUT_AFTER && this.#head * 2 >= this.#changes.length) {
      this.#changes = this.#changes.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#head = 0;
    }
  }
}
