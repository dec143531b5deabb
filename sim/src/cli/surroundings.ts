import type { StormEngine } from '../replay/engine.js';
import type { RunSeed } from './run-seed.js';
import { defaultSeed } from './run-seed.js';
import type { Terminal } from './terminal.js';

/** What the program is made of; tests hand in their own. */
export interface Surroundings {
  readonly engine: StormEngine;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command line, for running it once more in a process with a planted bug. */
  readonly args: readonly string[];
  /** Takes the exit code of the command that ran. */
  readonly finish: (code: number) => void;
}

/** Set in a process whose code has a planted bug, to its id. */
export const BUG_VARIABLE = 'RAFTD_SIM_BUG';

export function plantedBug({ environment }: Surroundings): string | undefined {
  return environment[BUG_VARIABLE];
}

export function firstSeed(seed: number | undefined, { environment }: Surroundings): RunSeed {
  return seed === undefined ? defaultSeed(environment) : { seed, origin: '--seed' };
}
