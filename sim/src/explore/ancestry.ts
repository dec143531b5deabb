const STATES_AT_FIRST = 1 << 12;

/** Successors one state may have: their ordinals are kept in 16 bits. */
const SUCCESSORS_MAX = 1 << 16;

/** From where each state was found first: breadth first, so that the way back is a shortest one. */
export class Ancestry {
  #parents = new Uint32Array(STATES_AT_FIRST);
  #ordinals = new Uint16Array(STATES_AT_FIRST);
  #size = 0;

  get bytes(): number {
    return this.#parents.byteLength + this.#ordinals.byteLength;
  }

  /** Numbers states from 0 on, in the order they are found; the initial one is its own parent. */
  add(parent: number, ordinal: number): number {
    if (ordinal >= SUCCESSORS_MAX) throw new RangeError(`a state has ${ordinal} successors`);
    if (this.#size === this.#parents.length) this.#grow();
    const number = this.#size;
    this.#parents[number] = parent;
    this.#ordinals[number] = ordinal;
    this.#size += 1;
    return number;
  }

  /** The ordinals that lead from the initial state to `state`. */
  wayTo(state: number): readonly number[] {
    const ordinals: number[] = [];
    for (let at = state; at !== 0; at = this.#parents[at] as number) {
      ordinals.push(this.#ordinals[at] as number);
    }
    return ordinals.reverse();
  }

  #grow(): void {
    const parents = new Uint32Array(2 * this.#parents.length);
    parents.set(this.#parents);
    this.#parents = parents;
    const ordinals = new Uint16Array(2 * this.#ordinals.length);
    ordinals.set(this.#ordinals);
    this.#ordinals = ordinals;
  }
}
