import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import type { StormResult } from '../storm/result.js';
import { LastLines } from '../story/last-lines.js';
import { Story } from '../story/story.js';
import type { StormEngine } from './engine.js';

export interface Retold {
  /** Undefined: the run threw, which `failure` tells. */
  readonly result: StormResult | undefined;
  readonly failure: StormFailure | undefined;
  readonly heading: readonly string[];
  readonly lastLines: readonly string[];
  /** Lines of the whole story. */
  readonly lines: number;
}

export interface RetellOptions {
  /** How many of the last lines are kept. */
  readonly last: number;
  /** Hears the heading, then every line as it happens. */
  readonly tell?: (line: string) => void;
  readonly heartbeats: boolean;
}

/** Runs a plan once more with its story. */
export async function retellPlan(
  engine: StormEngine,
  plan: StormPlan,
  { last, tell, heartbeats }: RetellOptions,
): Promise<Retold> {
  const kept = new LastLines(last);
  let heading: readonly string[] = [];
  const hear = (line: string): void => {
    kept.add(line);
    tell?.(line);
  };
  let result: StormResult | undefined;
  let failure: StormFailure | undefined;
  try {
    result = await engine.run(plan, {
      observers: (cluster) => {
        heading = Story.heading(cluster.nodes.map(({ id }) => id));
        for (const line of heading) tell?.(line);
        return [new Story(cluster, hear, { heartbeats, size: plan.profile })];
      },
    });
    failure = result.failure;
  } catch (error) {
    const sentence = error instanceof Error ? (error.stack ?? error.message) : String(error);
    failure = { checker: 'assertion', sentence, atMs: plan.profile.stormMs };
  }
  return { result, failure, heading, lastLines: kept.lines(), lines: kept.count };
}
