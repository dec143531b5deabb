import type { Renaming } from './renaming.js';

/**
 * Numbers for things that are told apart by a text, and what each is under a renaming of the
 * nodes. A number may be known before the thing itself is met: from a renaming of another.
 */
export class Interner<Thing> {
  readonly #renamings: readonly Renaming[];
  readonly #textOf: (thing: Thing, renaming: Renaming) => string;
  readonly #numbers = new Map<string, number>();
  readonly #things: (Thing | undefined)[] = [];
  /** By renaming, then by number; −1: not asked for yet. */
  readonly #renamed: Int32Array[];

  constructor(
    renamings: readonly Renaming[],
    textOf: (thing: Thing, renaming: Renaming) => string,
  ) {
    this.#renamings = renamings;
    this.#textOf = textOf;
    this.#renamed = renamings.map(() => new Int32Array(1024).fill(-1));
  }

  get size(): number {
    return this.#things.length;
  }

  numberOf(thing: Thing): number {
    const number = this.#numberOfText(this.#textOf(thing, this.#renamings[0] as Renaming));
    this.#things[number] ??= thing;
    return number;
  }

  thing(number: number): Thing {
    const thing = this.#things[number];
    if (thing === undefined) throw new RangeError(`nothing has number ${number}`);
    return thing;
  }

  /** The number of the same thing after the renaming at that place of the list. */
  renamed(number: number, renaming: number): number {
    const known = this.#renamed[renaming]?.[number] ?? -1;
    return known === -1 ? this.#rename(number, renaming) : known;
  }

  #rename(number: number, renaming: number): number {
    const text = this.#textOf(this.thing(number), this.#renamings[renaming] as Renaming);
    const other = this.#numberOfText(text);
    let table = this.#renamed[renaming] as Int32Array;
    if (number >= table.length) {
      const larger = new Int32Array(Math.max(2 * table.length, number + 1)).fill(-1);
      larger.set(table);
      this.#renamed[renaming] = larger;
      table = larger;
    }
    table[number] = other;
    return other;
  }

  #numberOfText(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#things.push(undefined) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}
