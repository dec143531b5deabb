import type { Exploration } from './scope.js';
import type { ScopeName } from './scopes.js';

/** What a scope amounts to. It changes with the behaviour of the code, or with the bounds. */
export interface Golden {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
}

/**
 * Of the scopes at their size for each change. Another number is no failure by itself: the commit
 * that writes it here says what behaves differently now.
 */
const GOLDEN: Partial<Record<ScopeName, Golden>> = {
  elections: { states: 347_320, transitions: 1_490_959, depth: 24 },
  prevote: { states: 915_182, transitions: 6_491_413, depth: 29 },
  replication: { states: 2_950_875, transitions: 8_125_295, depth: 29 },
  lease: { states: 1_565_817, transitions: 4_672_733, depth: 30 },
};

/** Undefined where none is written down yet. */
export function goldenOf(name: ScopeName): Golden | undefined {
  return GOLDEN[name];
}

/** What differs from the golden numbers, as a sentence; undefined: nothing. */
export function unlikeGolden(
  { scope, states, transitions, depth }: Exploration,
  golden: Golden,
): string | undefined {
  const isAlike =
    states === golden.states && transitions === golden.transitions && depth === golden.depth;
  if (isAlike) return undefined;
  const found = `${states} states, ${transitions} transitions, depth ${depth}`;
  const known = `${golden.states}, ${golden.transitions} and ${golden.depth}`;
  return `${scope} has ${found}; golden are ${known}`;
}
