import * as fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { emptyTally, OCCURRENCES, runSchedule, type Schedule } from '../src/index.js';
import { assertHolds } from './support/assert-holds.js';
import { profileArbitrary, scheduleArbitrary } from './support/schedule-arbitrary.js';
import { expectHappened } from './support/suite.js';

const tally = emptyTally();

function check(schedule: Schedule): void {
  runSchedule(schedule, { tally });
}

/**
 * Election safety, log matching, leader completeness, state machine safety, no vote lost by a
 * crash, nothing committed ever lost, no stale read: each is a checker that looks at every event.
 */
describe('whatever is lost, doubled, late, reordered, cut off, frozen or crashed', () => {
  it('no invariant breaks in clusters of one to five', () => {
    assertHolds({ schedules: scheduleArbitrary(), runs: 700, check });
  });

  it('no invariant breaks on disks slower than the election timeout', () => {
    const profile = profileArbitrary({
      writeMs: fc.constantFrom([20, 400], [0, 900]),
      nodeCount: fc.constantFrom(3, 3, 5),
    });
    assertHolds({ schedules: scheduleArbitrary(profile), runs: 200, check });
  });

  it('no lease outlives its promise with clocks at both ends of their bound', () => {
    const rates = fc.array(fc.constantFrom(0.99, 1.01), { minLength: 5, maxLength: 5 });
    const profile = profileArbitrary({ leaseReads: fc.constant(true), clockRates: rates });
    assertHolds({ schedules: scheduleArbitrary(profile), runs: 250, check });
  });

  afterAll(() => {
    expectHappened(tally, OCCURRENCES);
  });
});
