import type { Entry, LogIndex } from '@raftd/raft';
import type { CoreView } from './core-view.js';

/**
 * Hash of a log up to an entry: equal hashes stand for equal prefixes, payloads included, which
 * makes log matching a comparison of two numbers.
 */
export type ChainHash = number;

export const EMPTY_CHAIN: ChainHash = 0x811c9dc5;

const MIX = 0x01000193;

export function extendChain(chain: ChainHash, entry: Entry): ChainHash {
  let hash = Math.imul(chain ^ entry.term, MIX);
  hash = Math.imul(hash ^ (entry.kind === 'command' ? 1 : 2), MIX);
  hash = Math.imul(hash ^ entry.clusterTimeMs, MIX);
  hash = Math.imul(hash ^ entry.payload.length, MIX);
  for (const byte of entry.payload) hash = Math.imul(hash ^ byte, MIX);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** What changed in a log since it was last seen. */
export interface LogChange {
  /** First index that was removed; undefined when the old log is a prefix of the new one. */
  readonly truncatedFrom: LogIndex | undefined;
  /** How many entries the truncation removed. */
  readonly removed: number;
  /** First index that was not there before; lastIndex + 1 when nothing was added. */
  readonly appendedFrom: LogIndex;
}

/** What a log looked like when it was last seen: a term and a chain hash for each index. */
export class LogMirror {
  readonly #terms: number[] = [];
  readonly #chains: ChainHash[] = [];
  /** What `follow` answers while nothing changes. */
  #unchanged: LogChange = { truncatedFrom: undefined, removed: 0, appendedFrom: 1 as LogIndex };

  get lastIndex(): number {
    return this.#terms.length;
  }

  termAt(index: LogIndex): number | undefined {
    return this.#terms[index - 1];
  }

  /** The hash of the log up to `index`; undefined past its end. */
  chainAt(index: LogIndex): ChainHash | undefined {
    return index === 0 ? EMPTY_CHAIN : this.#chains[index - 1];
  }

  /** Follows the log of `view`. Cost: what changed, not the length of the log. */
  follow(view: Pick<CoreView, 'lastIndex' | 'entryAt'>): LogChange {
    const oldLast = this.#terms.length;
    if (oldLast === view.lastIndex && this.#terms[oldLast - 1] === this.#termIn(view, oldLast)) {
      return this.#unchanged;
    }
    let common = Math.min(oldLast, view.lastIndex);
    // Within one log, an equal term at an index means an equal prefix (log matching, S11).
    while (common > 0 && this.#terms[common - 1] !== this.#termIn(view, common)) common -= 1;
    this.#terms.length = common;
    this.#chains.length = common;
    for (let index = common + 1; index <= view.lastIndex; index += 1) {
      const entry = view.entryAt(index as LogIndex);
      if (entry === undefined) throw new Error(`log has no entry ${index} of ${view.lastIndex}`);
      this.#terms.push(entry.term);
      this.#chains.push(extendChain(this.#chains[index - 2] ?? EMPTY_CHAIN, entry));
    }
    const appendedFrom = (view.lastIndex + 1) as LogIndex;
    this.#unchanged = { truncatedFrom: undefined, removed: 0, appendedFrom };
    return {
      truncatedFrom: common < oldLast ? ((common + 1) as LogIndex) : undefined,
      removed: oldLast - common,
      appendedFrom: (common + 1) as LogIndex,
    };
  }

  #termIn(view: Pick<CoreView, 'entryAt'>, index: number): number | undefined {
    return view.entryAt(index as LogIndex)?.term;
  }
}
