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
  / is applied$/,
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
   * What an adversary decided: elections, values, crashes, silences, requests, duplicates. The
   * unit in which the schedule of a storm is counted: its commands.
   */
  readonly decisions: number;
}

/** The first step only says which world it is. */
export function lengthOf(trace: readonly string[]): CounterexampleLength {
  const steps = trace.slice(1);
  const decisions = steps.filter((step) => !COURSE.some((course) => course.test(step)));
  return { steps: steps.length, decisions: decisions.length };
}
