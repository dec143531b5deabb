import type { StormPlan } from '../storm/plan.js';
import type { StormEngine } from './engine.js';
import type { Trial } from './shrink.js';

/** Runs a plan for its verdict; a run that throws has failed by an assertion. */
export async function tryPlan(engine: StormEngine, plan: StormPlan): Promise<Trial> {
  try {
    const { failure, events } = await engine.run(plan);
    return { failure, events };
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    return { failure: { checker: 'assertion', sentence, atMs: plan.profile.stormMs }, events: 0 };
  }
}
