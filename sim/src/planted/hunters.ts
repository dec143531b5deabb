import { exploreScope, SCOPE_NAMES } from '../explore/index.js';
import type { Exploration } from '../explore/scope.js';
import type { StormEngine } from '../replay/engine.js';
import { planStorm, runStorm } from '../storm/index.js';

/** A bug may make a scope endless. */
const STATES_MAX = 4_000_000;

export const STORMS: StormEngine = { plan: planStorm, run: runStorm };

/** The search of a scope at the size of every change. */
export function searchOf(scope: string): Exploration {
  const name = SCOPE_NAMES.find((known) => known === scope);
  if (name === undefined) throw new RangeError(`no scope is called ${scope}`);
  return exploreScope(name, 'ci', { statesMax: STATES_MAX });
}
