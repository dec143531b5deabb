import type { FaultKind } from '../storm/fault-kind.js';
import type { Hunt, PlantedBug } from './bug.js';

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
  readonly stormMs: number;
  readonly faults?: readonly FaultKind[] | undefined;
  /** For the ablations: a kind of fault, or a checker, that is switched off. */
  readonly without?: readonly FaultKind[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/** How one hunt ended. */
export interface HuntResult {
  readonly hunt: Hunt;
  readonly found: boolean;
  /** Seeds tried, the one that found it included; states visited, for a search. */
  readonly tried: number;
  /** The seed that found it. */
  readonly seed: number | undefined;
  readonly checker: string | undefined;
  readonly sentence: string | undefined;
  readonly cpuSeconds: number;
  /** Checkers that failed a run though they are not among those that must. */
  readonly others: Readonly<Record<string, OtherCatch>>;
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
