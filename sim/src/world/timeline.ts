import type { TrueClock } from './clock.js';

/** Something that has a next moment: the network, a disk, a node's timer. */
export interface TimedSource {
  /** True time of what comes next here; undefined when nothing does. */
  nextDueMs(): number | undefined;
  runDue(): void;
}

/** Events in one stretch of time: beyond it something wakes itself for ever. */
const EVENTS_MAX = 200_000;

/**
 * Lets true time run to `endMs`, one event after the other, earliest first; of events due at
 * the same moment the source listed first goes first.
 */
export function runUntil(clock: TrueClock, sources: readonly TimedSource[], endMs: number): void {
  for (let count = 0; ; count += 1) {
    if (count > EVENTS_MAX) throw new Error(`no end of events before ${endMs} ms`);
    let earliest: TimedSource | undefined;
    let earliestMs = endMs;
    for (const source of sources) {
      const dueMs = source.nextDueMs();
      if (dueMs === undefined || dueMs > endMs) continue;
      if (earliest !== undefined && dueMs >= earliestMs) continue;
      earliest = source;
      earliestMs = dueMs;
    }
    if (earliest === undefined) break;
    // What was due while nobody looked is late, not in the past.
    clock.moveTo(Math.max(clock.nowMs, earliestMs));
    earliest.runDue();
  }
  clock.moveTo(endMs);
}
