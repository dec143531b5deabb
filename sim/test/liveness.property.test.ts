import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Breakage, Schedule } from '../src/index.js';
import { converge, emptyTally, runSchedule } from '../src/index.js';
import { assertHolds } from './support/assert-holds.js';
import { profileArbitrary, scheduleArbitrary } from './support/schedule-arbitrary.js';
import { expectHappened } from './support/suite.js';

/**
 * Elections are won by chance, and lost ones lengthen the next timer (to 8 times): two survivors
 * that ask at the same moment a few times in a row need long, but only few may.
 */
const TIMEOUTS_MAX = 40;
const TIMEOUTS_USUAL = 10;
const UNUSUAL_MAX = 0.02;
const RUNS = 250;

const tally = emptyTally();

/** Latencies that leave an election timeout room for a round trip; all else may be bad. */
const profile = profileArbitrary({
  latencyMs: fc.constantFrom([1, 3], [0, 20], [5, 60]),
});

/** Which minority stays broken, and how, follows from the schedule's own seed. */
function brokenOf({ profile: { seed, nodeCount } }: Schedule): Map<number, Breakage> {
  const ways: readonly Breakage[] = ['down', 'frozen', 'isolated', 'mute', 'deaf'];
  const count = seed % (Math.floor((nodeCount - 1) / 2) + 1);
  const broken = new Map<number, Breakage>();
  for (let at = 0; at < count; at += 1) {
    const way = ways[Math.floor(seed / 7 + at) % ways.length];
    if (way !== undefined) broken.set((Math.floor(seed / 3) + at) % nodeCount, way);
  }
  return broken;
}

describe('after any storm, with a minority broken for ever', () => {
  it('a quorum elects a leader, commits, brings all its logs level and then stays calm', () => {
    const waits: number[] = [];
    assertHolds({
      schedules: scheduleArbitrary(profile),
      runs: RUNS,
      check: (schedule) => {
        const world = runSchedule(schedule, { tally });
        const broken = brokenOf(schedule);
        const { timeoutsToLeader } = converge(world, { broken, timeoutsMax: TIMEOUTS_MAX });
        waits.push(timeoutsToLeader);
      },
    });
    const unusual = waits.filter((wait) => wait > TIMEOUTS_USUAL).length;
    expect(unusual / RUNS, `of the waits ${waits.join(' ')}`).toBeLessThanOrEqual(UNUSUAL_MAX);
  });

  afterAll(() => {
    expectHappened(tally, ['electionsWon', 'commits', 'truncations', 'crashes', 'freezes']);
  });
});
