import type { Entry } from '@raftd/raft';
import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { leaderAppends } from './leader-appends.js';
import { isSameBytes } from './same-content.js';
import { at } from './sentence.js';

/** Stamps are whole milliseconds, and clocks are products of floating point. */
const ROUNDING_MS = 1.001;

interface Append {
  readonly stampMs: number;
  readonly payload: Uint8Array;
  readonly atMs: number;
}

/**
 * L7 in true time: cluster time never runs faster than the fastest node's clock, over all changes
 * of leader, stalls and steps of wall clocks. As a lease ends only `ttl` of cluster time after the
 * stamp of its last renewal (`leases.ts`), it lives at least ttl / (1 + ρ) of true time from then,
 * and the holder, who counts from the send, has stopped before.
 *
 * For any two entries: stamp − stamp ≤ rate · (true time between their proposals). With
 * φ = stamp − rate · time it is enough to hold each against the lowest φ so far.
 */
export function clusterTimeTrue(context: HistoryContext): StormChecker & EntryReader {
  const { profile, probe, broken } = context;
  const rate = 1 + CLOCK_RATE_BOUND * Math.max(0, ...profile.nodeSkews);
  /** What leaders appended and nobody has applied yet, by index. */
  const appended = new Map<number, Append[]>();
  let lowest: { readonly phi: number; readonly index: number; readonly atMs: number } | undefined;
  let appliedIndex = 0;

  const onProposed = ({ index, clusterTimeMs: stampMs, payload }: Entry): void => {
    if (index <= appliedIndex) return;
    const append = { stampMs, payload, atMs: probe.trueMs };
    const others = appended.get(index);
    if (others === undefined) appended.set(index, [append]);
    else others.push(append);
  };

  const checkStamp = (entry: CanonicalEntry, proposedAtMs: number): void => {
    const phi = entry.stampMs - rate * proposedAtMs;
    if (lowest !== undefined && phi > lowest.phi + ROUNDING_MS) {
      const aheadMs = (phi - lowest.phi).toFixed(1);
      const between = `between entries ${lowest.index} (proposed ${at(lowest.atMs)})`;
      const and = `and ${entry.index} (proposed ${at(proposedAtMs)})`;
      broken('L7', `${between} ${and} cluster time gained ${aheadMs} ms on the fastest clock`);
    }
    if (lowest === undefined || phi < lowest.phi) {
      lowest = { phi, index: entry.index, atMs: proposedAtMs };
    }
  };

  return {
    ids: ['L7'],
    wants: ['stepped'],
    observe: (event) => {
      for (const entry of leaderAppends(event)) onProposed(entry);
    },
    finish: nothingLeft,
    onEntry: (entry) => {
      appliedIndex = entry.index;
      const candidates = appended.get(entry.index);
      if (candidates === undefined) return;
      appended.delete(entry.index);
      const [proposed, ...others] = candidates.filter(
        ({ stampMs, payload }) => stampMs === entry.stampMs && isSameBytes(payload, entry.payload),
      );
      // Two leaders proposed alike, to the millisecond, and which of them wrote this is not known
      // here: with the wrong time of the two the clock would seem to run too fast.
      if (proposed === undefined || others.length > 0) return;
      checkStamp(entry, proposed.atMs);
    },
  };
}
