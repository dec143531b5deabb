import type { NodeId } from '@raftd/raft';
import type { ProgressView } from '../world/core-view.js';
import type { Invariant } from './invariant.js';
import { InvariantBroken } from './invariant.js';

export interface Bounds {
  readonly inflightMessagesMax: number;
  readonly inflightBytesMax: number;
  /** One message may exceed the window, so that a large entry can move at all. */
  readonly appendBytesMax: number;
  readonly pendingReadsMax: number;
  /** ρ, for the arithmetic of leases (S24); that of production where absent. */
  readonly clockRateBound?: number;
}

/** Kinds of message that may wait for a write: one of each to each peer is enough. */
const HELD_KINDS = 9;

/**
 * S32: windows and queues stay within their limits, and what is acknowledged is in flight no more:
 * a window that keeps it stands closed long before it is full.
 */
export function bounded(bounds: Bounds): Invariant {
  return {
    id: 'S32',
    onStepped: ({ node, after, view }, cluster) => {
      const { nodes } = cluster;
      assertWithin(node, 'holds back messages', view.heldMessages, HELD_KINDS * nodes.length);
      assertWithin(node, 'has reads waiting', view.pendingReads, bounds.pendingReadsMax);
      if (after.role !== 'leader') return;
      for (const peer of nodes) {
        const progress = view.progressOf(peer.id);
        if (progress === undefined) continue;
        const { inflightMessages, inflightBytes } = progress;
        assertWithin(node, 'has messages in flight', inflightMessages, bounds.inflightMessagesMax);
        const bytesMax = bounds.inflightBytesMax + bounds.appendBytesMax;
        assertWithin(node, 'has bytes in flight', inflightBytes, bytesMax);
        assertUnacknowledged(node, peer.id, progress);
      }
    },
  };
}

function assertWithin(node: NodeId, what: string, count: number, max: number): void {
  if (count > max) throw new InvariantBroken('S32', `${node} ${what}: ${count}, at most ${max}`);
}

function assertUnacknowledged(node: NodeId, peer: NodeId, progress: ProgressView): void {
  const { oldestInflight, match } = progress;
  if (oldestInflight === undefined || oldestInflight > match) return;
  const kept = `an append up to ${oldestInflight} in flight to ${peer}`;
  throw new InvariantBroken('S32', `${node} has ${kept}, which acknowledged ${match}`);
}
