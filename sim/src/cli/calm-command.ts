import { planCalm } from '../storm/index.js';
import type { StormEngine } from '../replay/engine.js';
import { showSeed } from './arguments.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import type { RunSeed } from './run-seed.js';
import type { Terminal } from './terminal.js';

export interface CalmRequest {
  readonly first: RunSeed;
  /** Simulated hours. */
  readonly hours: number;
}

const MS_PER_HOUR = 3_600_000;

/** Hours without a fault: the first leader must lead to the end. Resolves to the exit code. */
export async function runCalm(
  { first, hours }: CalmRequest,
  engine: StormEngine,
  terminal: Terminal,
): Promise<number> {
  const { seed, origin } = first;
  terminal.print(
    `calm: ${hours} simulated hours without a fault, seed ${showSeed(seed)} (${origin})`,
  );
  const result = await engine.run(planCalm(seed, hours * MS_PER_HOUR));
  const { failure, leaderChanges, operations, events } = result;
  if (failure !== undefined) {
    terminal.print(`At ${failure.atMs} ms: ${failure.sentence}`);
    return exitCodeOf(failure.checker);
  }
  const what = `${leaderChanges} changes of leader, ${operations} operations, ${events} events.`;
  terminal.print(what);
  return leaderChanges === 0 ? EXIT.ok : EXIT.liveness;
}
