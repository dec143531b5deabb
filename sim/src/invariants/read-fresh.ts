import type { CreateInvariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S23: a linearizable read shows everything that was committed anywhere when it was asked for,
 * from a leader that had committed an entry of its own term first (§6.4).
 */
export const readFresh: CreateInvariant = ({ committed }) => ({
  id: 'S23',
  onReadAnswered: ({ node, kind, floorIndex, outcome }, cluster) => {
    if (outcome.type !== 'served') return;
    if (outcome.appliedIndex < floorIndex) {
      throw new InvariantBroken(
        'S23',
        `${node} answered a ${kind} read at ${outcome.appliedIndex}, committed were ${floorIndex}`,
      );
    }
    if (outcome.readIndex > outcome.appliedIndex) {
      throw new InvariantBroken(
        'S23',
        `${node} answered a ${kind} read for ${outcome.readIndex} at ${outcome.appliedIndex}`,
      );
    }
    const { view, log } = cluster.node(node);
    if (view?.role !== 'leader') return;
    const ownTerm = committed.findLast(({ index }) => index <= view.commitIndex)?.term;
    if (ownTerm === view.term || log.termAt(view.commitIndex) === view.term) return;
    throw new InvariantBroken(
      'S23',
      `${node} answered a ${kind} read in term ${view.term} before it committed in that term`,
    );
  },
});
