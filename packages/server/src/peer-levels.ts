import type { NodeId } from '@raftd/raft';

/** What feature level each member's build supports, as its last hello said. */
export class PeerLevels {
  readonly #members: readonly NodeId[];
  readonly #levels = new Map<NodeId, number>();

  constructor(members: readonly NodeId[], self: NodeId, level: number) {
    this.#members = members;
    this.#levels.set(self, level);
  }

  heard(id: NodeId, level: number): void {
    this.#levels.set(id, level);
  }

  /** The lowest level of all members; undefined while one has not been heard. */
  supportedByAll(): number | undefined {
    let lowest = Number.POSITIVE_INFINITY;
    for (const id of this.#members) {
      const level = this.#levels.get(id);
      if (level === undefined) return undefined;
      lowest = Math.min(lowest, level);
    }
    return lowest;
  }
}
