import type { History, Operation } from './operation.js';

/** Marks the head of the list and "none". */
export const HEAD = 0;

/**
 * The known outcomes of a partition as a doubly linked list of call and return entries in order of
 * time (entry 0 is the head), from which a linearized operation is lifted and to which it returns.
 * Operations are numbered by time of call. After G. Lowe, "Testing for linearizability" (2017).
 */
export class Timeline {
  readonly size: number;
  /** Entry → number of its operation. */
  readonly owner: Int32Array;
  /** Entry → 1 for a call. */
  readonly isCall: Uint8Array;
  /** Entry → ms. */
  readonly atMs: Float64Array;
  readonly next: Int32Array;
  readonly #previous: Int32Array;
  /** Operation → entry. */
  readonly callOf: Int32Array;
  readonly #returnOf: Int32Array;

  /** Of known outcomes, sorted by call. */
  constructor(operations: History<unknown, unknown>) {
    this.size = operations.length;
    const entries = this.size * 2 + 1;
    this.owner = new Int32Array(entries);
    this.isCall = new Uint8Array(entries);
    this.atMs = new Float64Array(entries);
    this.next = new Int32Array(entries);
    this.#previous = new Int32Array(entries);
    this.callOf = new Int32Array(this.size);
    this.#returnOf = new Int32Array(this.size);
    this.#merge(
      Float64Array.from(operations, ({ callMs }) => callMs),
      Float64Array.from(operations, ({ returnMs }) => returnMs ?? Infinity),
    );
  }

  /** A return and a call at the same time are concurrent: calls come first. */
  #merge(callMs: Float64Array, returnMs: Float64Array): void {
    const byReturn = Uint32Array.from(callMs, (_, number) => number).sort(
      (a, b) => (returnMs[a] as number) - (returnMs[b] as number) || a - b,
    );
    let call = 0;
    for (const number of byReturn) {
      const atMs = returnMs[number] as number;
      while (call < this.size && (callMs[call] as number) <= atMs) {
        this.callOf[call] = this.#append(call, callMs[call] as number, 1);
        call += 1;
      }
      this.#returnOf[number] = this.#append(number, atMs, 0);
    }
  }

  #append(number: number, atMs: number, isCall: 0 | 1): number {
    // The head's own "previous" is free while the list is built: the last entry so far.
    const last = this.#previous[HEAD] as number;
    const entry = last + 1;
    this.owner[entry] = number;
    this.isCall[entry] = isCall;
    this.atMs[entry] = atMs;
    this.#previous[entry] = last;
    this.next[last] = entry;
    this.#previous[HEAD] = entry;
    return entry;
  }

  lift(number: number): void {
    this.#remove(this.callOf[number] as number);
    this.#remove(this.#returnOf[number] as number);
  }

  /** The inverse, in inverse order: entries keep their neighbours while they are out. */
  unlift(number: number): void {
    this.#restore(this.#returnOf[number] as number);
    this.#restore(this.callOf[number] as number);
  }

  #remove(entry: number): void {
    const before = this.#previous[entry] as number;
    const after = this.next[entry] as number;
    this.next[before] = after;
    if (after !== HEAD) this.#previous[after] = before;
  }

  #restore(entry: number): void {
    const before = this.#previous[entry] as number;
    const after = this.next[entry] as number;
    this.next[before] = entry;
    if (after !== HEAD) this.#previous[after] = entry;
  }
}

export function byCall(a: Operation<unknown, unknown>, b: Operation<unknown, unknown>): number {
  return a.callMs - b.callMs || a.id - b.id;
}
