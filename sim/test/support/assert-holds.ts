import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { RunOptions, Schedule } from '../../src/index.js';
import { retell } from '../../src/index.js';

/** Lines of the story that end the report of a failure. */
const STORY_LINES = 60;

export interface PropertyParameters {
  readonly schedules: fc.Arbitrary<Schedule>;
  readonly runs: number;
  /** How each schedule was run, to tell the failing one once more. */
  readonly options?: RunOptions;
  readonly check: (schedule: Schedule) => void;
}

/** RAFTD_SEED repeats a run of the suite, RAFTD_PATH its failing schedule alone. */
function replayParameters(): fc.Parameters<[Schedule]> {
  const { RAFTD_SEED, RAFTD_PATH } = process.env;
  const seed = RAFTD_SEED === undefined ? DEFAULT_SEED : Number(RAFTD_SEED);
  if (RAFTD_PATH === undefined) return { seed };
  return { seed, path: RAFTD_PATH, endOnFailure: true };
}

/** Fixed, so that a red build stays red; change it, or set RAFTD_SEED, to look elsewhere. */
const DEFAULT_SEED = 20_250_101;

/** Checks a property; a failure is told on one page, with the line that repeats it. */
export function assertHolds({ schedules, runs, check, options }: PropertyParameters): void {
  const property = fc.property(schedules, check);
  const details = fc.check(property, { numRuns: runs, ...replayParameters() });
  if (!details.failed) return;
  const schedule = details.counterexample?.[0];
  if (schedule === undefined) throw new Error(fc.defaultReportMessage(details) ?? 'failed');
  const { failure, lines } = retell(schedule, options);
  const cause = details.errorInstance;
  const sentence = failure?.message ?? (cause instanceof Error ? cause.message : String(cause));
  const { seed, counterexamplePath: path, numShrinks } = details;
  const { length } = schedule.commands;
  const test = `sim -t '${expect.getState().currentTestName?.split(' > ').at(-1) ?? ''}'`;
  const page = [
    sentence,
    `repeat: RAFTD_SEED=${seed} RAFTD_PATH=${path ?? ''} npx vitest run --project sim ${test}`,
    `shrunk ${numShrinks} times, to ${length} commands; as a file for sim/test/regressions:`,
    JSON.stringify(schedule),
    `the last ${STORY_LINES} events:`,
    ...lines.slice(-STORY_LINES),
  ];
  throw new Error(page.join('\n'), { cause });
}
