import type { PlantedBug } from './bug.js';
import { CATALOGUE } from './catalogue/catalogue.js';
import type { HuntResult } from './orders.js';
import type { BugOutcome } from './outcome.js';
import { hunt, inParallel, ordersFor, type PlantedOptions } from './run.js';

/** What was switched off: a kind of fault, or a checker. */
export type Ablated =
  | { readonly type: 'fault'; readonly kind: NonNullable<PlantedBug['needs']> }
  | { readonly type: 'checker'; readonly id: string };

export interface AblationOutcome {
  readonly ablated: Ablated;
  readonly bug: string;
  /** Seeds until it was found with everything in place; undefined: it was not. */
  readonly seedsWith: number | undefined;
  /** Who noticed it without, if anybody did. */
  readonly noticedBy: string | undefined;
  /** Found with it, and by nobody without it: what was switched off is there for a reason. */
  readonly survived: boolean;
}

export interface AblationReport {
  readonly ablations: readonly AblationOutcome[];
  /** Those whose bug was found all the same, or never. */
  readonly idle: readonly Ablated[];
}

/** Seeds within which a bug is found, and without what it needs is not. */
const SEEDS = 100;

/**
 * Switches off one kind of fault, or one checker, and plants the bug that is said to survive then.
 * Only storms are asked, for they alone know faults. Without a kind of fault all others rage, if
 * the bug does not ask for some; without a checker, a crash or any other checker counts as notice.
 */
export async function runAblation(options: PlantedOptions = {}): Promise<AblationReport> {
  const ablations = await inParallel(trialsOf(options), options.cores, (trial) =>
    ablate(trial, options),
  );
  const idle = ablations.filter(({ survived }) => !survived).map(({ ablated }) => ablated);
  return { ablations, idle };
}

async function ablate({ bug, ablated }: Trial, options: PlantedOptions): Promise<AblationOutcome> {
  const stormed = { ...bug, by: ['storm'] as const };
  const orders = ordersFor(stormed, { seedsMax: SEEDS, ...options, ranges: 1 });
  const off = ablated.type === 'fault' ? { without: [ablated.kind] } : { except: [ablated.id] };
  const found = resultOf(await hunt(stormed, orders));
  const without = await hunt(stormed, { ...orders, caughtBy: 'any', ...off });
  const noticed = resultOf(without);
  return {
    ablated,
    bug: bug.id,
    seedsWith: found?.found === true ? found.tried : undefined,
    noticedBy: noticed?.checker ?? without.broken,
    survived: found?.found === true && noticed?.found === false && without.broken === undefined,
  };
}

function resultOf({ hunts }: BugOutcome): HuntResult | undefined {
  return hunts.find(({ hunt }) => hunt === 'storm');
}

interface Trial {
  readonly bug: PlantedBug;
  readonly ablated: Ablated;
}

/** Whether it is there to show what a kind of fault or a checker is good for. */
export function isAblated({ needs, only }: PlantedBug): boolean {
  return needs !== undefined || only !== undefined;
}

function trialsOf({ catalogue = CATALOGUE, bugs }: PlantedOptions): readonly Trial[] {
  const chosen = catalogue.filter(({ id }) => bugs?.includes(id) ?? true);
  return chosen.flatMap((bug) => {
    const trials: Trial[] = [];
    if (bug.needs !== undefined) trials.push({ bug, ablated: { type: 'fault', kind: bug.needs } });
    if (bug.only !== undefined) trials.push({ bug, ablated: { type: 'checker', id: bug.only } });
    return trials;
  });
}
