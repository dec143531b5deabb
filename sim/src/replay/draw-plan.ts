import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import { drawPage } from '../story/page.js';
import type { RecordingOptions } from '../story/recording.js';
import { Recording } from '../story/recording.js';
import type { StormEngine } from './engine.js';

/** Runs a plan and draws its end as a page that needs nothing else. */
export async function drawPlan(
  engine: StormEngine,
  plan: StormPlan,
  options: RecordingOptions,
): Promise<string> {
  let recording: Recording | undefined;
  let failure: StormFailure | undefined;
  try {
    const result = await engine.run(plan, {
      observers: (cluster) => {
        recording = new Recording(cluster, options, plan.profile);
        return [recording];
      },
    });
    failure = result.failure;
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    failure = { checker: 'assertion', sentence, atMs: plan.profile.stormMs };
  }
  return drawPage({ plan, failure, picture: recording?.picture() });
}
