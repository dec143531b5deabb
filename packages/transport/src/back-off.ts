/** Full jitter above a floor: peers that lost the same node do not come back in step. */
export class BackOff {
  readonly #floorMs: number;
  readonly #capMs: number;
  readonly #random: () => number;
  #boundMs: number;

  /** @param random [0, 1) */
  constructor(floorMs: number, capMs: number, random: () => number) {
    this.#floorMs = floorMs;
    this.#capMs = capMs;
    this.#random = random;
    this.#boundMs = floorMs;
  }

  /** Delay before the next attempt, ms; its bound doubles each time up to the cap. */
  nextMs(): number {
    this.#boundMs = Math.min(this.#capMs, this.#boundMs * 2);
    return this.#floorMs + this.#random() * (this.#boundMs - this.#floorMs);
  }

  reset(): void {
    this.#boundMs = this.#floorMs;
  }
}
