import type { PlantedBug } from './bug.js';
import { CATALOGUE } from './catalogue/catalogue.js';
import { lengthOf } from './counterexample.js';
import { storms } from './orders.js';
import type { BugOutcome } from './outcome.js';
import type { PlantedOptions } from './run.js';
import { runPlanted } from './run.js';

/** A shrunk schedule beside a shortest counterexample of the same bug. */
export interface ShrinkRow {
  readonly bug: string;
  readonly seed: number;
  readonly commandsBefore: number;
  /** What is left of the schedule. */
  readonly commands: readonly string[];
  readonly isMinimal: boolean;
  readonly cpuSeconds: number;
  /** The failure, and what is left of it, three times each. */
  readonly isRepeatable: boolean;
  /** Of the counterexample: all of it, and what an adversary decided of it. */
  readonly steps: number;
  readonly decisions: number;
  /** Commands left for each decision. */
  readonly ratio: number;
}

export interface ShrinkReport {
  readonly rows: readonly ShrinkRow[];
  /** Those that not both found. */
  readonly missed: readonly string[];
  readonly medianRatio: number;
  readonly isRepeatable: boolean;
}

/** Finds the bugs that both can find, and holds what shrinking leaves against what explore says. */
export async function runShrinking(options: PlantedOptions = {}): Promise<ShrinkReport> {
  const { catalogue = CATALOGUE } = options;
  const both = catalogue.filter(isFoundByBoth);
  const asked = both.filter(({ id }) => options.bugs?.includes(id) ?? true);
  const found = await runPlanted({
    ...options,
    catalogue: asked,
    bugs: undefined,
    ranges: 1,
    shrink: true,
  });
  const rows = found.outcomes.flatMap(rowsOf);
  return {
    rows,
    missed: found.outcomes.map(({ id }) => id).filter((id) => rows.every(({ bug }) => bug !== id)),
    medianRatio: median(rows.map(({ ratio }) => ratio)),
    isRepeatable: rows.every((row) => row.isRepeatable),
  };
}

/** By storms, and by a search: then there are two lengths to compare. */
export function isFoundByBoth(bug: PlantedBug): boolean {
  return storms(bug) && bug.by.some((hunt) => hunt !== 'storm');
}

function rowsOf({ id, hunts }: BugOutcome): readonly ShrinkRow[] {
  const storm = hunts.find(({ hunt }) => hunt === 'storm');
  const traces = hunts.flatMap(({ trace }) => (trace === undefined ? [] : [trace]));
  const lengths = traces.map(lengthOf).sort((one, other) => one.steps - other.steps);
  const [shortest] = lengths;
  if (storm?.shrunk === undefined || storm.seed === undefined || shortest === undefined) return [];
  const { commandsBefore, commands, isMinimal, cpuSeconds, isRepeatable } = storm.shrunk;
  return [
    {
      bug: id,
      seed: storm.seed,
      commandsBefore,
      commands,
      isMinimal,
      cpuSeconds,
      isRepeatable: isRepeatable && storm.isRepeatable === true,
      ...shortest,
      // A counterexample needs a decision at least: nothing happens by itself in explore.
      ratio: commands.length / Math.max(1, shortest.decisions),
    },
  ];
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
