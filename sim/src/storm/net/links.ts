/** Which directed links between nodes are cut, by position. */
export class Links {
  readonly #count: number;
  readonly #cuts: Uint8Array;

  constructor(count: number) {
    this.#count = count;
    this.#cuts = new Uint8Array(count * count);
  }

  get cutCount(): number {
    let count = 0;
    for (const cut of this.#cuts) count += cut;
    return count;
  }

  isCut(from: number, to: number): boolean {
    return this.#cuts[from * this.#count + to] === 1;
  }

  /** True if that changed anything. */
  cut(from: number, to: number): boolean {
    return this.#set(from, to, 1);
  }

  /** True if that changed anything. */
  mend(from: number, to: number): boolean {
    return this.#set(from, to, 0);
  }

  heal(): void {
    this.#cuts.fill(0);
  }

  #set(from: number, to: number, cut: 0 | 1): boolean {
    const at = from * this.#count + to;
    if (from === to || this.#cuts[at] === cut) return false;
    this.#cuts[at] = cut;
    return true;
  }
}
