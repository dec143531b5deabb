import { finish } from '../fingerprint-table.js';
import type { StateWriter } from '../state-writer.js';
import type { ClusterState } from './cluster-state.js';
import type { NodeSpace } from './node-space.js';

/**
 * Writes a cluster state so that states which differ by a renaming of the nodes are written
 * alike: of all renamings that put the nodes in order of their shapes, the least writing counts.
 */
export class Canon {
  readonly #space: NodeSpace;
  /** By renaming: which position each new position takes its node from. */
  readonly #sources: readonly (readonly number[])[];
  readonly #shapes: number[] = [];
  #least: number[] = [];
  #other: number[] = [];

  constructor(space: NodeSpace) {
    this.#space = space;
    this.#sources = space.renamings.map((renaming) =>
      renaming.map((_, position) => renaming.indexOf(position)),
    );
  }

  write(state: ClusterState, into: StateWriter): void {
    let isFirst = true;
    for (let position = 0; position < state.nodes.length; position += 1) {
      this.#shapes[position] = this.#space.node(state.nodes[position] as number).shape;
    }
    for (let renaming = 0; renaming < this.#sources.length; renaming += 1) {
      if (!this.#isInOrder(renaming)) continue;
      this.#writeRenamed(state, renaming, this.#other);
      if (!isFirst && !isLess(this.#other, this.#least)) continue;
      [this.#least, this.#other] = [this.#other, this.#least];
      isFirst = false;
    }
    for (const word of this.#least) into.word(word);
  }

  #isInOrder(renaming: number): boolean {
    if (this.#sources.length === 1) return true;
    const sources = this.#sources[renaming] as readonly number[];
    let previous = -1;
    for (const source of sources) {
      const shape = this.#shapes[source] as number;
      if (shape < previous) return false;
      previous = shape;
    }
    return true;
  }

  #writeRenamed(state: ClusterState, renaming: number, words: number[]): void {
    const sources = this.#sources[renaming] as readonly number[];
    const positions = this.#space.renamings[renaming] as readonly number[];
    words.length = 0;
    for (const source of sources) {
      words.push(this.#space.renamedNode(state.nodes[source] as number, renaming));
      words.push(state.crashes[source] as number);
    }
    const { campaigns, values, beats, silences, slowWrites } = state;
    words.push(campaigns, values, beats, silences, slowWrites);
    words.push(state.leaders.length);
    for (const leader of state.leaders) {
      words.push(leader === 0 ? 0 : 1 + (positions[leader - 1] as number));
    }
    words.push(state.votes.length);
    for (let base = 0; base < state.votes.length; base += sources.length) {
      for (const source of sources) {
        const vote = state.votes[base + source] as number;
        words.push(vote === 0 ? 0 : 1 + (positions[vote - 1] as number));
      }
    }
    words.push(state.committed.length);
    for (const { code, committedIn } of state.committed) words.push(code, committedIn);
    this.#writeSent(state, renaming, words);
    words.push(state.broken === undefined ? 0 : 1);
  }

  /** A set: of each message two hashes, summed up, and the count. */
  #writeSent({ sent }: ClusterState, renaming: number, words: number[]): void {
    let first = 0;
    let second = 0;
    for (const message of sent) {
      const number = this.#space.renamedMessage(message, renaming);
      first = (first + finish(number + 0x51ed270b)) | 0;
      second = (second + finish(Math.imul(number, 0x27d4eb2f) ^ 0x165667b1)) | 0;
    }
    words.push(sent.length, first, second);
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] === b[at]) continue;
    return (a[at] as number) < (b[at] as number);
  }
  return false;
}
