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
    const entries = toEntries(operations);
    this.size = operations.length;
    this.owner = new Int32Array(entries.length + 1);
    this.isCall = new Uint8Array(entries.length + 1);
    this.atMs = new Float64Array(entries.length + 1);
    this.next = new Int32Array(entries.length + 1);
    this.#previous = new Int32Array(entries.length + 1);
    this.callOf = new Int32Array(this.size);
    this.#returnOf = new Int32Array(this.size);
    entries.forEach(({ number, isCall, atMs }, index) => {
      const entry = index + 1;
      this.owner[entry] = number;
      this.isCall[entry] = isCall ? 1 : 0;
      this.atMs[entry] = atMs;
      this.#previous[entry] = index;
      this.next[index] = entry;
      (isCall ? this.callOf : this.#returnOf)[number] = entry;
    });
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

interface Entry {
  readonly number: number;
  readonly isCall: boolean;
  readonly atMs: number;
}

/** A return and a call at the same time are concurrent: calls come first. */
function toEntries(operations: History<unknown, unknown>): readonly Entry[] {
  const entries = operations.flatMap(({ callMs, returnMs }, number) => [
    { number, isCall: true, atMs: callMs },
    { number, isCall: false, atMs: returnMs ?? Infinity },
  ]);
  return entries.sort(
    (a, b) => a.atMs - b.atMs || Number(b.isCall) - Number(a.isCall) || a.number - b.number,
  );
}

export function byCall(a: Operation<unknown, unknown>, b: Operation<unknown, unknown>): number {
  return a.callMs - b.callMs || a.id - b.id;
}
