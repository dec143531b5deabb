import type { StormEngine } from '../replay/engine.js';

interface StormDoor {
  readonly planStorm: StormEngine['plan'];
  readonly runStorm: StormEngine['run'];
}

export async function loadEngine(): Promise<StormEngine> {
  const path = ['../storm/planner/plan-storm', '../storm/run'].map((name) => `${name}.js`);
  const [planner, runner] = (await Promise.all(path.map((name) => import(name)))) as StormDoor[];
  if (planner === undefined || runner === undefined) throw new Error('no storm');
  return { plan: planner.planStorm, run: runner.runStorm };
}
