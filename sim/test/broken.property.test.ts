import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantViolation } from '@raftd/raft';
import type { DriverFault, RunOptions, Schedule } from '../src/index.js';
import { InvariantBroken, runSchedule } from '../src/index.js';
import { BROKEN_CORES } from './support/broken-cores.js';
import { profileArbitrary, scheduleArbitrary, silentSteps } from './support/schedule-arbitrary.js';

const SEED = 20_250_102;
const RUNS_MAX = 400;

/** The first failure of a run of the suite under `options`. */
function findFailure(
  options: RunOptions,
  schedules: fc.Arbitrary<Schedule> = scheduleArbitrary(),
  more: fc.Parameters<[Schedule]> = { endOnFailure: true },
): fc.RunDetails<[Schedule]> {
  const property = fc.property(schedules, (schedule) => {
    runSchedule(schedule, options);
  });
  return fc.check(property, { seed: SEED, numRuns: RUNS_MAX, ...more });
}

/** `by`: the invariants that may be the first to notice; `core` stands for the core's own. */
function expectCaught(details: fc.RunDetails<[Schedule]>, by: readonly string[]): void {
  expect(details.failed, `survived ${details.numRuns} runs`).toBe(true);
  const error = details.errorInstance;
  if (error instanceof InvariantBroken) expect(by, error.message).toContain(error.invariant);
  else if (error instanceof InvariantViolation) expect(by, error.message).toContain('core');
  else throw error;
}

/** The first checkers to notice; a consequence would be noticed later without them. */
const CAUGHT_BY: Record<DriverFault, readonly string[]> = {
  'lying-disk': ['S3'],
  'messages-before-write': ['S3', 'S7'],
  'persisted-early': ['S3', 'S7', 'S15', 'S33'],
  'vote-forgotten': ['S2'],
  'tail-forgotten': ['S12', 'S14', 'S18'],
  'promise-forgotten': ['S24', 'S25'],
  'applied-twice': ['S5'],
  'read-unconfirmed': ['S23'],
  'lease-unchecked': ['S24', 'S23'],
};

/** A quick network of three with leases, where forgotten promises and old answers do harm. */
const silent: fc.Arbitrary<Schedule> = scheduleArbitrary(
  profileArbitrary({
    leaseReads: fc.constant(true),
    nodeCount: fc.constant(3),
    latencyMs: fc.constant([1, 3] as [number, number]),
    slowPercent: fc.constant(0),
    lossPercent: fc.constant(0),
    writeMs: fc.constant([0, 1] as [number, number]),
  }),
  silentSteps,
);

describe('a driver that breaks its contract is caught', () => {
  for (const [fault, by] of Object.entries(CAUGHT_BY)) {
    it(`when it commits the fault ${fault}`, () => {
      const schedules = fault === 'promise-forgotten' ? silent : scheduleArbitrary();
      expectCaught(findFailure({ world: { faults: [fault as DriverFault] } }, schedules), by);
    });
  }
});

const CORE_CAUGHT_BY: Record<keyof typeof BROKEN_CORES, readonly string[]> = {
  'takes a refused vote for a grant': ['S16', 'S10'],
  'votes without looking at the log': ['S17', 'S12'],
  'forgets its vote when asked again in the same term (R-001)': ['S2'],
  'does not compare the term before new entries': ['S11', 'S7'],
  'takes an acknowledgement for one of its whole log': ['S15', 'S18'],
  'counts itself before its disk has the entry (R-024)': ['S15'],
  'takes any answer for one to the latest round (R-056)': ['S23', 'S24'],
  'commits what a heartbeat names without having it proved': ['S14', 'S12', 'S23', 'core'],
  'takes a pre-vote request for a term to enter': ['S31'],
};

describe('a core with a fault that once was shipped is caught', () => {
  for (const [name, createCore] of Object.entries(BROKEN_CORES)) {
    it(`when it ${name}`, () => {
      const by = CORE_CAUGHT_BY[name as keyof typeof BROKEN_CORES];
      const schedules = name.includes('R-056') ? silent : scheduleArbitrary();
      expectCaught(findFailure({ world: { createCore } }, schedules), by);
    });
  }
});

describe('the controls', () => {
  const consequences = ['S10', 'S11', 'S12', 'S13', 'S14'];
  const causes = Array.from({ length: 35 }, (_, at) => `S${at + 1}`);
  const except = causes.filter((id) => !consequences.includes(id));

  it('a disk with fsync off loses a committed entry, seen by its consequences alone', () => {
    expectCaught(findFailure({ world: { faults: ['lying-disk'] }, except }), consequences);
  });

  it('clocks beyond their bound let a lease outlive its promise', () => {
    const profile = profileArbitrary({
      leaseReads: fc.constant(true),
      clockSkews: fc.constantFrom([-5, 5, 5, 5, 5], [5, -5, 5, 5, 5]),
    });
    expectCaught(findFailure({}, scheduleArbitrary(profile)), ['S24', 'S23']);
  });

  it('a failure shrinks to a schedule that a person can read', () => {
    const world = { faults: ['vote-forgotten'] } as const;
    const details = findFailure({ world }, scheduleArbitrary(), {});
    expectCaught(details, ['S2']);
    expect(details.counterexample?.[0].commands.length).toBeLessThanOrEqual(40);
  });
});
