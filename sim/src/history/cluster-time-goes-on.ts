import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { leaderAppends } from './leader-appends.js';
import { at } from './sentence.js';

/** Stamps are whole milliseconds, and clocks are products of floating point. */
const ROUNDING_MS = 1.001;

/**
 * A leader discards what a stall took beyond 200 ms of its own clock (DESIGN section 6). While it
 * proposes more often than this, true time, however fast its clock is, nothing is discarded.
 */
const STEADY_MS = 150;

interface Proposed {
  readonly node: string;
  readonly term: number;
  readonly stampMs: number;
  readonly atMs: number;
}

/**
 * L7, the other side: cluster time does not stand still either, or no lease would ever run out.
 * While one leader proposes steadily it gains at least what the slowest clock counts. Nothing is
 * demanded over changes of leader and stalls, which may lose time.
 */
export function clusterTimeGoesOn({ profile, probe, broken }: HistoryContext): StormChecker {
  const slowest = 1 + CLOCK_RATE_BOUND * Math.min(0, ...profile.nodeSkews);
  let first: Proposed | undefined;
  let last: Proposed | undefined;

  const onProposed = (next: Proposed): void => {
    const isSteady =
      last?.node === next.node && last.term === next.term && next.atMs - last.atMs <= STEADY_MS;
    last = next;
    if (!isSteady || first === undefined) {
      first = next;
      return;
    }
    const passedMs = next.atMs - first.atMs;
    const gainedMs = next.stampMs - first.stampMs;
    if (gainedMs >= slowest * passedMs - ROUNDING_MS) return;
    const between = `between proposals of ${next.node} at ${at(first.atMs)} and ${at(next.atMs)}`;
    const gained = `cluster time gained ${gainedMs} ms only`;
    broken('L7', `${between}, none of them late, ${gained}, in ${passedMs.toFixed(1)} ms`);
  };

  return {
    ids: ['L7'],
    wants: ['stepped'],
    observe: (event) => {
      if (event.type !== 'stepped') return;
      const { node } = event;
      for (const { kind, term, clusterTimeMs: stampMs } of leaderAppends(event)) {
        // The core stamps its own first entry as the last one before it.
        if (kind !== 'no-op') onProposed({ node, term, stampMs, atMs: probe.trueMs });
      }
    },
    finish: nothingLeft,
  };
}
