import type { ReadKind } from '../world/events.js';
import type { CreateInvariant, History, Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

/**
 * S23: a linearizable read shows everything that was committed anywhere when it was asked for,
 * from a leader that had committed an entry of its own term first (§6.4). That it waited for its
 * index is checked where a driver decides on it (`world/`); the server's driver shows it by I12.
 */
export const readFresh: CreateInvariant = (history) => freshness(history, 'quorum');

/** The same of reads by the leader's lease, which is worth what the clocks are. */
export const leaseReadFresh: CreateInvariant = (history) => ({
  ...freshness(history, 'lease'),
  restsOnClocks: true,
});

const freshness = ({ committed }: History, of: ReadKind): Invariant => ({
  id: 'S23',
  onReadAnswered: ({ node, kind, floorIndex, outcome }, cluster) => {
    if (kind !== of || outcome.type !== 'served') return;
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
