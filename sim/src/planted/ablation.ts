import type { PlantedBug } from './bug.js';
import { CATALOGUE } from './catalogue/catalogue.js';
import type { BugOutcome } from './outcome.js';
import { hunt, inParallel, ordersFor, type PlantedOptions } from './run.js';

/** What was switched off: a kind of fault, or a checker. */
export type Ablated =
  | { readonly type: 'fault'; readonly kind: NonNullable<PlantedBug['needs']> }
  | { readonly type: 'checker'; readonly id: string };

export interface AblationOutcome {
  readonly ablated: Ablated;
  readonly bug: string;
  /** Nobody noticed the bug within its seeds: what was switched off is there for a reason. */
  readonly survived: boolean;
  readonly outcome: BugOutcome;
}

export interface AblationReport {
  readonly ablations: readonly AblationOutcome[];
  /** Those whose bug was found all the same. */
  readonly idle: readonly Ablated[];
}

/**
 * Switches off one kind of fault, or one checker, and plants the bug that is said to survive then.
 * Only storms are asked, for they alone know faults.
 */
export async function runAblation(options: PlantedOptions = {}): Promise<AblationReport> {
  const ablations = await inParallel(trialsOf(options), options.cores, async ({ bug, ablated }) => {
    const stormed = { ...bug, by: ['storm'] as const };
    const orders = ordersFor(stormed, { ...options, ranges: 1 });
    const off =
      ablated.type === 'fault'
        ? { ...orders, without: [ablated.kind] }
        : { ...orders, caughtBy: 'any' as const, except: [ablated.id] };
    const outcome = await hunt(stormed, off);
    const survived = !outcome.found && outcome.broken === undefined;
    return { ablated, bug: bug.id, survived, outcome };
  });
  const idle = ablations.filter(({ survived }) => !survived).map(({ ablated }) => ablated);
  return { ablations, idle };
}

interface Trial {
  readonly bug: PlantedBug;
  readonly ablated: Ablated;
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
