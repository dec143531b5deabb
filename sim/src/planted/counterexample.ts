import { electionBounds } from '../explore/elections.js';
import { preVoteBounds } from '../explore/prevote.js';
import { replicationBounds } from '../explore/replication.js';

/**
 * Steps of a counterexample that take their course in a storm: arrivals, writes that land, what a
 * leader does with a request, time. A storm decides these by its seed; no schedule has them.
 */
const COURSE: readonly RegExp[] = [
  /^\S+ receives /,
  /^\S+: the write lands$/,
  /^time passes: /,
  / is heard$/,
  / hears of its grant$/,
  / asks for a lease$/,
  / sends renewal \d+$/,
  / resigns$/,
  /^applied: /,
  /^the write of \S+ with \S+: /,
  /^the leader decides /,
  /^then the code threw: /,
];

/** How long a counterexample of explore is. */
export interface CounterexampleLength {
  /** All that happened. */
  readonly steps: number;
  /**
   * What an adversary decided: elections, values, crashes, silences, requests (each counts once,
   * as it is applied), duplicates. The unit in which the schedule of a storm is counted: its
   * commands.
   */
  readonly decisions: number;
}

/** Says only which world of the scope it is: nothing has happened yet. */
function isWorld(step: string): boolean {
  return WORLDS.has(step) || /^variant \d+$/.test(step);
}

const WORLDS: ReadonlySet<string> = new Set(
  [electionBounds('ci'), preVoteBounds('ci'), replicationBounds('ci')]
    .flat()
    .map(({ name }) => name),
);

export function lengthOf(trace: readonly string[]): CounterexampleLength {
  const steps = trace.filter((step) => !isWorld(step));
  const decisions = steps.filter((step) => !COURSE.some((course) => course.test(step)));
  return { steps: steps.length, decisions: decisions.length };
}
