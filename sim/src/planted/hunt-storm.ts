import type { StormEngine } from '../replay/engine.js';
import type { StormFailure } from '../storm/failure.js';
import type { HuntOrders, HuntResult, OtherCatch, SeedRange } from './orders.js';
import { isCatch } from './orders.js';

/** A seed whose run breaks with an exception found something, but no checker did. */
const CRASH = 'crash';

/** Storms, seed after seed, until one of the checkers that must find the bug does. */
export async function huntByStorm(
  engine: StormEngine,
  orders: HuntOrders,
  range: SeedRange,
  onSeed: () => void,
): Promise<HuntResult> {
  const startedAt = process.cpuUsage();
  const others: Record<string, OtherCatch> = {};
  let found: StormFailure | undefined;
  let tried = 0;
  while (found === undefined && tried < range.count) {
    const seed = range.first + tried;
    const failure = await failureOf(engine, orders, seed);
    tried += 1;
    onSeed();
    if (failure === undefined) continue;
    const { checker, sentence } = failure;
    if (isCatch(orders.caughtBy, checker)) found = failure;
    else
      others[checker] = {
        seed,
        sentence,
        ...others[checker],
        times: (others[checker]?.times ?? 0) + 1,
      };
  }
  const used = process.cpuUsage(startedAt);
  return {
    hunt: 'storm',
    found: found !== undefined,
    tried,
    seed: found === undefined ? undefined : range.first + tried - 1,
    checker: found?.checker,
    sentence: found?.sentence,
    cpuSeconds: (used.user + used.system) / 1e6,
    others,
  };
}

async function failureOf(
  engine: StormEngine,
  orders: HuntOrders,
  seed: number,
): Promise<StormFailure | undefined> {
  const { stormMs, faults, without, except } = orders;
  const plan = engine.plan(seed, {
    stormMs,
    ...(faults === undefined ? {} : { faults }),
    ...(without === undefined ? {} : { without }),
  });
  try {
    const result = await engine.run(plan, except === undefined ? {} : { except });
    return result.failure;
  } catch (error) {
    return { checker: CRASH, sentence: String(error), atMs: 0 };
  }
}
