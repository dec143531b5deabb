import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Occurrence, WorldProfile } from '../src/index.js';
import { emptyTally, OCCURRENCES, runSchedule } from '../src/index.js';
import { assertHolds } from './support/assert-holds.js';
import { profileArbitrary, scheduleArbitrary } from './support/schedule-arbitrary.js';
import { expectHappened } from './support/suite.js';

/** Runs schedules in worlds of this kind, and sees to it that they led somewhere. */
function assertSafe(
  profile: fc.Arbitrary<WorldProfile>,
  runs: number,
  mustHappen: readonly Occurrence[],
): void {
  const tally = emptyTally();
  assertHolds({
    schedules: scheduleArbitrary(profile),
    runs,
    check: (schedule) => {
      runSchedule(schedule, { tally });
    },
  });
  expectHappened(tally, mustHappen);
}

/**
 * Election safety, log matching, leader completeness, state machine safety, no vote lost by a
 * crash, nothing committed ever lost, no stale read: each is a checker that looks at every event.
 * Every schedule has at least 200 commands.
 */
describe('whatever is lost, doubled, late, reordered, cut off, frozen or crashed', () => {
  it('no invariant breaks in clusters of one to five', () => {
    assertSafe(profileArbitrary(), 900, OCCURRENCES);
  });

  it('no invariant breaks on disks slower than the election timeout', () => {
    const profile = profileArbitrary({
      writeMs: fc.constantFrom<[number, number][]>([20, 400], [0, 900]),
      nodeCount: fc.constantFrom(3, 3, 5),
    });
    assertSafe(profile, 250, [
      'commits',
      'commitsWithoutLeadersDisk',
      'followersAheadOfTheirDisk',
      'crashesWithUnsyncedLoss',
      'crashesWithUnreportedWrite',
      'truncationsOfThreeOrMore',
    ]);
  });

  it('no lease outlives its promise with clocks at both ends of their bound', () => {
    const skews = fc.array(fc.constantFrom(-1, 1), { minLength: 5, maxLength: 5 });
    const profile = profileArbitrary({ leaseReads: fc.constant(true), clockSkews: skews });
    assertSafe(profile, 300, [
      'promisesEchoed',
      'leaseReadsServed',
      'leaseReadsRefused',
      'leadersThawedAfterTheirTerm',
      'leadersOfTwoTermsAtOnce',
    ]);
  });
});
