/** Keeps the last lines of a long story. */
export class LastLines {
  readonly #limit: number;
  readonly #ring: string[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many were told in all. */
  get count(): number {
    return this.#count;
  }

  add(line: string): void {
    this.#ring[this.#count % this.#limit] = line;
    this.#count += 1;
  }

  lines(): readonly string[] {
    const start = this.#count % this.#limit;
    if (this.#count <= this.#limit) return this.#ring;
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)];
  }
}
