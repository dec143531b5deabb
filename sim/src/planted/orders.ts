import type { FaultKind } from '../storm/fault-kind.js';
import type { BugWorld, Hunt, PlantedBug } from './bug.js';

/** Seeds from `first` on, at most `count` of them. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
}

/** What a child process that has a bug in its code is to do. */
export interface HuntOrders {
  /** The planted modules: each must have been loaded, or nothing was proved. */
  readonly urls: readonly string[];
  /** `any`: whoever notices, a crash included; for the ablations. */
  readonly caughtBy: readonly string[] | 'any';
  readonly by: readonly Hunt[];
  /** For storms; the search of a scope has no seeds. */
  readonly ranges: readonly SeedRange[];
  readonly world: BugWorld;
  readonly faults?: readonly FaultKind[] | undefined;
  /** For the ablations: a kind of fault, or a checker, that is switched off. */
  readonly without?: readonly FaultKind[] | undefined;
  readonly except?: readonly string[] | undefined;
  /** The failure of the first range is also made as small as it can be. */
  readonly shrink?: boolean | undefined;
}

/** How one hunt ended. */
export interface HuntResult {
  readonly hunt: Hunt;
  readonly found: boolean;
  /** Seeds tried, the one that found it included; states visited, for a search. */
  readonly tried: number;
  /** The first seed of the range; undefined for a search. */
  readonly first: number | undefined;
  /** The seed that found it. */
  readonly seed: number | undefined;
  readonly checker: string | undefined;
  readonly sentence: string | undefined;
  readonly cpuSeconds: number;
  /** Checkers that failed a run though they are not among those that must. */
  readonly others: Readonly<Record<string, OtherCatch>>;
  /** The failure of the first range was run three times: equal to the last event? */
  readonly isRepeatable?: boolean | undefined;
  readonly shrunk?: ShrunkSchedule | undefined;
  /** A shortest way to it, for a search. */
  readonly trace?: readonly string[] | undefined;
}

/** A failing schedule, and what is left of it when all is gone that can go. */
export interface ShrunkSchedule {
  readonly commandsBefore: number;
  readonly commandsAfter: number;
  /** What is left, in order: operations of clients and faults. */
  readonly commands: readonly string[];
  readonly runs: number;
  readonly cpuSeconds: number;
  /** Leaving out any one command more makes the failure go away. */
  readonly isMinimal: boolean;
  /** What is left was run three times: equal to the last event? */
  readonly isRepeatable: boolean;
}

/** What somebody found who need not, and the first seed and sentence of it. */
export interface OtherCatch {
  readonly times: number;
  readonly seed: number | undefined;
  readonly sentence: string;
}

/** From the child to whoever started it. */
export type HuntMessage =
  /** It is at work: sent once a seed. */
  { readonly type: 'progress' } | { readonly type: 'result'; readonly result: HuntResult };

export function isCatch(caughtBy: HuntOrders['caughtBy'], checker: string): boolean {
  return caughtBy === 'any' || caughtBy.includes(checker);
}

export function storms(bug: PlantedBug): boolean {
  return bug.by.includes('storm');
}
