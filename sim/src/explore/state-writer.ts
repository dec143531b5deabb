/** Where a scope writes a state: a sequence of 32-bit words, of which the search keeps a hash. */
export class StateWriter {
  #words = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A whole number within 32 bits. Larger ones are two words, of the writer's choosing. */
  word(value: number): void {
    if (this.#length === this.#words.length) this.#grow();
    this.#words[this.#length] = value;
    this.#length += 1;
  }

  flag(value: boolean): void {
    this.word(value ? 1 : 0);
  }

  /** Its length goes first, so that two texts in a row are not taken for two others. */
  text(value: string): void {
    this.word(value.length);
    for (let at = 0; at < value.length; at += 1) this.word(value.charCodeAt(at));
  }

  /** Of an optional number: absent is none of the values. */
  optional(value: number | undefined): void {
    this.flag(value !== undefined);
    if (value !== undefined) this.word(value);
  }

  at(position: number): number {
    return this.#words[position] ?? 0;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#words.length);
    larger.set(this.#words);
    this.#words = larger;
  }
}
