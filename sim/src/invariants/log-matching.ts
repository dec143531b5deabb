import type { LogIndex } from '@raftd/raft';
import type { ChainHash } from '../world/log-mirror.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S11: the same index and term mean the same payload and the same log before it (§3.5). */
export function logMatching(): Invariant {
  const chains = new Map<number, Map<number, ChainHash>>();
  return {
    id: 'S11',
    onStepped: ({ node, log }, cluster) => {
      const mirror = cluster.node(node).log;
      for (let index: number = log.appendedFrom; index <= mirror.lastIndex; index += 1) {
        const term = mirror.termAt(index as LogIndex) ?? 0;
        const chain = mirror.chainAt(index as LogIndex) ?? 0;
        const ofTerm = chains.get(term) ?? new Map<number, ChainHash>();
        chains.set(term, ofTerm);
        const known = ofTerm.get(index);
        if (known === undefined) ofTerm.set(index, chain);
        else if (known !== chain) {
          throw new InvariantBroken(
            'S11',
            `${node} has another log up to index ${index} of term ${term} than was seen before`,
          );
        }
      }
    },
  };
}
