import type { PlanOptions, StormEngine } from '../replay/engine.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormResult } from '../storm/result.js';

/** How all seeds of a run are planned. */
export interface StormOrders {
  readonly plan: PlanOptions;
}

/** What one seed of a run gave, with what the summary wants to know about it. */
export interface SeedReport {
  readonly seed: number;
  /** Undefined: the run broke off, by a crash or for ever. */
  readonly result: StormResult | undefined;
  readonly failure: StormFailure | undefined;
  readonly nodeCount: number;
  readonly clientCount: number;
  readonly wallMs: number;
  /** Of a yardstick right before it, where one was laid. */
  readonly yardstickMs?: number | undefined;
}

export async function runSeed(
  engine: StormEngine,
  seed: number,
  orders: StormOrders,
): Promise<SeedReport> {
  const startedMs = performance.now();
  try {
    const plan = engine.plan(seed, orders.plan);
    const result = await engine.run(plan);
    return {
      seed,
      result,
      failure: result.failure,
      nodeCount: plan.profile.nodeCount,
      clientCount: plan.profile.clientCount,
      wallMs: performance.now() - startedMs,
    };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return lostSeed(seed, reason, 'assertion');
  }
}

/** The run of a seed did not come to an end that tells anything. */
export function lostSeed(
  seed: number,
  reason: string,
  checker: 'assertion' | 'liveness',
): SeedReport {
  const failure: StormFailure = { checker, sentence: `The run broke off: ${reason}`, atMs: 0 };
  return { seed, result: undefined, failure, nodeCount: 0, clientCount: 0, wallMs: 0 };
}
