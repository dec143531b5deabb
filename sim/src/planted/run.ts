import { availableParallelism } from 'node:os';
import type { PlanOptions } from '../replay/engine.js';
import type { BugClass, PlantedBug } from './bug.js';
import { SEED_BUDGET } from './bug.js';
import { CATALOGUE } from './catalogue/catalogue.js';
import type { ChildResult } from './child.js';
import { huntInChild } from './child.js';
import type { HuntOrders, HuntResult, SeedRange } from './orders.js';
import { storms } from './orders.js';
import type { BugOutcome } from './outcome.js';
import type { Patch } from './patch.js';
import { isUnplantable, patchOf } from './patch.js';

export interface PlantedOptions {
  /** Of these classes only; default: all. */
  readonly classes?: readonly BugClass[] | undefined;
  /** These ids only; default: all of the classes. */
  readonly bugs?: readonly string[] | undefined;
  /** Where the seeds begin; default 1. */
  readonly firstSeed?: number | undefined;
  /** Disjoint ranges of seeds, in each of which a storm must find it; default 3 (a) or 1 (b, c). */
  readonly ranges?: number | undefined;
  /** Seeds a range; default: the budget of the bug's class. */
  readonly seedsMax?: number | undefined;
  /** Length of a storm where the bug asks for none; default 12,000 ms. */
  readonly stormMs?: number | undefined;
  /** Makes the failure of the first range small; default false. */
  readonly shrink?: boolean | undefined;
  /** Child processes at once; default: one a core. */
  readonly cores?: number | undefined;
  /** Called as each bug is done, in no order. */
  readonly onOutcome?: ((outcome: BugOutcome) => void) | undefined;
  /** What is planted; default: the catalogue. */
  readonly catalogue?: readonly PlantedBug[] | undefined;
}

export interface PlantedReport {
  /** How many were planted. */
  readonly bugs: number;
  readonly found: number;
  /** Ids, in the order of the catalogue. */
  readonly missed: readonly string[];
  /** In the order of the catalogue. */
  readonly outcomes: readonly BugOutcome[];
}

const STORM_MS = 12_000;

/** From one range to the next: above every budget. */
const RANGE_STRIDE = 1_000_000;

/** Plants the bugs, each in processes of its own, and looks who finds them. */
export async function runPlanted(options: PlantedOptions = {}): Promise<PlantedReport> {
  const outcomes = await inParallel(chosen(options), options.cores, async (bug) => {
    const outcome = await hunt(bug, ordersFor(bug, options));
    options.onOutcome?.(outcome);
    return outcome;
  });
  const missed = outcomes.filter(({ found }) => !found).map(({ id }) => id);
  return { bugs: outcomes.length, found: outcomes.length - missed.length, missed, outcomes };
}

/** So many at once, results in the order of the jobs. */
export async function inParallel<Job, Result>(
  jobs: readonly Job[],
  cores: number = availableParallelism(),
  work: (job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = jobs.entries();
  const member = async (): Promise<void> => {
    for (const [at, job] of waiting) results[at] = await work(job);
  };
  await Promise.all(Array.from({ length: cores }, member));
  return results;
}

/** @throws if a bug is asked for that is not in the catalogue. */
function chosen({ catalogue = CATALOGUE, classes, bugs }: PlantedOptions): readonly PlantedBug[] {
  for (const id of bugs ?? []) {
    if (!catalogue.some((bug) => bug.id === id)) throw new RangeError(`no bug is called ${id}`);
  }
  return catalogue.filter(
    (bug) => (classes?.includes(bug.class) ?? true) && (bugs?.includes(bug.id) ?? true),
  );
}

/** The world of a bug's storms, as the options that plan it. */
export function worldOf(bug: PlantedBug, stormMs: number = STORM_MS): PlanOptions {
  const world = { stormMs, ...bug.world };
  return bug.faults === undefined ? world : { ...world, faults: bug.faults };
}

type Hunted = Omit<HuntOrders, 'urls'>;

async function plantAndHunt(bug: PlantedBug, orders: Hunted): Promise<ChildResult> {
  let patch: Patch;
  try {
    patch = patchOf(bug);
  } catch (error) {
    if (!isUnplantable(error)) throw error;
    return { results: [], broken: error.message };
  }
  return huntInChild(patch, { ...orders, urls: patch.map(([url]) => url) });
}

export function ordersFor(bug: PlantedBug, options: PlantedOptions): Hunted {
  const { firstSeed = 1, ranges = bug.class === 'a' ? 3 : 1 } = options;
  const { faults, ...world } = worldOf(bug, options.stormMs);
  const count = options.seedsMax ?? SEED_BUDGET[bug.class];
  return {
    caughtBy: bug.caughtBy,
    by: bug.by,
    ranges: Array.from(
      { length: storms(bug) ? ranges : 0 },
      (_, at): SeedRange => ({ first: firstSeed + at * RANGE_STRIDE, count }),
    ),
    world,
    faults,
    shrink: options.shrink,
  };
}

/** A failure that two more runs do not repeat to the last event proves nothing. */
export function isProof({ found, isRepeatable }: HuntResult): boolean {
  return found && isRepeatable !== false;
}

export async function hunt(bug: PlantedBug, orders: Hunted): Promise<BugOutcome> {
  const { results, broken } = await plantAndHunt(bug, orders);
  const wanted = orders.by.length - (orders.by.includes('storm') ? 1 : 0) + orders.ranges.length;
  return {
    id: bug.id,
    title: bug.title,
    class: bug.class,
    files: [...new Set(bug.edits.map(({ file }) => file))],
    found: broken === undefined && results.length === wanted && results.every(isProof),
    hunts: results,
    broken,
  };
}
