import type { Entry } from '@raftd/raft';
import type { ChainHash } from '../world/log-mirror.js';
import { EMPTY_CHAIN, extendChain } from '../world/log-mirror.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S13: all nodes, in all their lives, apply the same sequence (State Machine Safety, §3.6.3). */
export function appliedAlike(): Invariant {
  const sequence: ChainHash[] = [];
  /** The very objects: a node that replays its log applies the same ones again. */
  const first: Entry[] = [];
  const positions = new Map<string, number>();
  return {
    id: 'S13',
    onCrashed: ({ node }) => {
      positions.delete(node);
    },
    onApplied: ({ node, entry }) => {
      const position = positions.get(node) ?? 0;
      positions.set(node, position + 1);
      if (first[position] === entry) return;
      const chain = extendChain(sequence[position - 1] ?? EMPTY_CHAIN, entry);
      const known = sequence[position];
      if (known === undefined) {
        sequence.push(chain);
        first.push(entry);
      } else if (known !== chain) {
        throw new InvariantBroken(
          'S13',
          `${node} applied ${entry.index}/${entry.term}, another node something else there`,
        );
      }
    },
  };
}
