import type { LogIndex, Term } from '@raftd/raft';
import type { CreateInvariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/** S14: what any node ever reported committed is the same for ever, on every node. */
export const committedImmutable: CreateInvariant = ({ committed }) => ({
  id: 'S14',
  onStepped: ({ node, before, after }, cluster) => {
    const { log } = cluster.node(node);
    for (let index = (before?.commitIndex ?? 0) + 1; index <= after.commitIndex; index += 1) {
      const term = (log.termAt(index as LogIndex) ?? 0) as Term;
      const chain = log.chainAt(index as LogIndex) ?? 0;
      const known = committed[index - 1];
      if (known === undefined) {
        committed.push({ index: index as LogIndex, term, chain, committedIn: after.term });
      } else if (known.chain !== chain) {
        throw new InvariantBroken(
          'S14',
          `${node} committed ${index}/${term}, committed before was ${index}/${known.term}`,
        );
      }
    }
  },
});
