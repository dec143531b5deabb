import type { StateWriter } from './state-writer.js';

/** A rule that does not hold: its id in the list of invariants, and what broke it as a sentence. */
export interface Violation {
  readonly invariant: string;
  readonly sentence: string;
}

/**
 * A bounded world that the search can walk. It must be deterministic: the same state has the same
 * successors in the same order, as traces are found again by walking.
 */
export interface Scope<State> {
  readonly name: string;
  initial(): State;
  /**
   * Calls back once for each thing that can happen. `state` is never changed, and `next` never
   * after it was handed over. `label` says what happened, to people; it is called for traces only.
   * Something that changes nothing need not be visited.
   */
  successors(state: State, visit: Visit<State>): void;
  /**
   * Writes every field that behaviour or an invariant depends on, so that equal writings mean equal
   * futures. Symmetric states may be written alike.
   */
  encode(state: State, into: StateWriter): void;
  /** The first invariant that does not hold. A state that breaks one has no successors. */
  violation(state: State): Violation | undefined;
}

export type Visit<State> = (label: () => string, next: State) => void;

/** How far a search goes; every bound has a default in `explore`. */
export interface ExploreLimits {
  /** Distinct states after which the search gives up, not exhausted. */
  readonly statesMax: number;
  /** Broken states that are reported; with 1 the search stops at the first. */
  readonly violationsMax: number;
}

/** A broken rule with a shortest way to it. */
export interface FoundViolation extends Violation {
  /** What happened, in order, from the initial state. */
  readonly trace: readonly string[];
}

export interface Exploration {
  readonly scope: string;
  /** Distinct states, by their writing. */
  readonly states: number;
  /** Visited successors, known ones included. */
  readonly transitions: number;
  /** Steps from the initial state to the last one found. */
  readonly depth: number;
  /** No state is left whose successors were not visited. */
  readonly exhausted: boolean;
  /** Most states of one depth: these are held as objects. */
  readonly frontierMax: number;
  /** Bytes of tables for all states: fingerprints, parents, actions. */
  readonly tableBytes: number;
  readonly violations: readonly FoundViolation[];
}
