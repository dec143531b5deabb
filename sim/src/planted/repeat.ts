import type { StormEngine } from '../replay/engine.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';

/** A run that breaks with an exception found something, but no checker did. */
const CRASH = 'crash';

/** Beside the run that failed. */
const MORE_TIMES = 2;

export interface Ended {
  readonly failure: StormFailure | undefined;
  /** Of everything that happened; undefined after a crash. */
  readonly traceHash: number | undefined;
  readonly events: number;
}

export async function runForFailure(
  engine: StormEngine,
  plan: StormPlan,
  except?: readonly string[],
): Promise<Ended> {
  try {
    return await engine.run(plan, except === undefined ? {} : { except });
  } catch (error) {
    const failure = { checker: CRASH, sentence: String(error), atMs: 0 };
    return { failure, traceHash: undefined, events: 0 };
  }
}

/** `first` and two more runs: do all three fail, each equal to the others to the last event? */
export async function failsAlike(
  engine: StormEngine,
  plan: StormPlan,
  first: Ended,
  except?: readonly string[],
): Promise<boolean> {
  for (let time = 0; time < MORE_TIMES; time += 1) {
    const again = await runForFailure(engine, plan, except);
    if (again.traceHash !== first.traceHash || !isSame(again.failure, first.failure)) return false;
  }
  return first.failure !== undefined;
}

function isSame(one: StormFailure | undefined, other: StormFailure | undefined): boolean {
  return (
    one?.checker === other?.checker &&
    one?.sentence === other?.sentence &&
    one?.atMs === other?.atMs
  );
}
