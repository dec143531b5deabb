import type { StormEngine } from '../replay/engine.js';
import type { StormFailure } from '../storm/failure.js';
import type { StormPlan } from '../storm/plan.js';
import type { HuntOrders, HuntResult, OtherCatch, SeedRange } from './orders.js';
import { isCatch } from './orders.js';
import { type Ended, failsAlike, runForFailure } from './repeat.js';
import { shrinkSchedule } from './shrink-schedule.js';

/** Storms, seed after seed, until one of the checkers that must find the bug does. */
export async function huntByStorm(
  engine: StormEngine,
  orders: HuntOrders,
  range: SeedRange,
  onSeed: () => void,
): Promise<HuntResult> {
  const startedAt = process.cpuUsage();
  const others: Record<string, OtherCatch> = {};
  let found: Found | undefined;
  let tried = 0;
  while (found === undefined && tried < range.count) {
    const seed = range.first + tried;
    const plan = planOf(engine, orders, seed);
    const ended = await runForFailure(engine, plan, orders.except);
    const { failure } = ended;
    tried += 1;
    onSeed();
    if (failure === undefined) continue;
    const { checker, sentence } = failure;
    if (isCatch(orders.caughtBy, checker)) found = { plan, failure, ended };
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
    first: range.first,
    seed: found?.plan.seed,
    checker: found?.failure.checker,
    sentence: found?.failure.sentence,
    cpuSeconds: (used.user + used.system) / 1e6,
    others,
    ...(found === undefined || range !== orders.ranges[0]
      ? {}
      : await lookCloser(engine, orders, found, onSeed)),
  };
}

interface Found {
  readonly plan: StormPlan;
  readonly failure: StormFailure;
  readonly ended: Ended;
}

/** A failure is worth something if it can be had again, and more if it is short. */
async function lookCloser(
  engine: StormEngine,
  { except, shrink = false }: HuntOrders,
  { plan, failure, ended }: Found,
  onRun: () => void,
): Promise<Pick<HuntResult, 'isRepeatable' | 'shrunk'>> {
  const isRepeatable = await failsAlike(engine, plan, ended, except);
  if (!shrink) return { isRepeatable };
  return { isRepeatable, shrunk: await shrinkSchedule(engine, plan, failure, onRun) };
}

function planOf(engine: StormEngine, orders: HuntOrders, seed: number): StormPlan {
  const { world, faults, without, except } = orders;
  const plan = engine.plan(seed, {
    ...world,
    ...(faults === undefined ? {} : { faults }),
    ...(without === undefined ? {} : { without }),
  });
  return except?.includes('liveness') === true ? { ...plan, liveness: undefined } : plan;
}
