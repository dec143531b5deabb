import { Ancestry } from './ancestry.js';
import { FingerprintTable } from './fingerprint-table.js';
import type { Exploration, ExploreLimits, FoundViolation, Scope, Violation } from './scope.js';
import { StateWriter } from './state-writer.js';

const DEFAULT_LIMITS: ExploreLimits = { statesMax: 100_000_000, violationsMax: 1 };

/**
 * All states of a scope, nearest first. Only fingerprints, parents and ordinals of visited states
 * are kept, in typed arrays; states themselves live as long as they wait for their turn.
 */
export function explore<State>(
  scope: Scope<State>,
  limits: Partial<ExploreLimits> = {},
): Exploration {
  return new Search(scope, { ...DEFAULT_LIMITS, ...limits }).run();
}

class Search<State> {
  readonly #scope: Scope<State>;
  readonly #limits: ExploreLimits;
  readonly #seen = new FingerprintTable();
  readonly #ancestry = new Ancestry();
  readonly #writer = new StateWriter();
  readonly #violations: FoundViolation[] = [];
  /** States of the depth being found; their numbers follow one another. */
  #found: (State | undefined)[] = [];
  #transitions = 0;
  #frontierMax = 0;

  constructor(scope: Scope<State>, limits: ExploreLimits) {
    this.#scope = scope;
    this.#limits = limits;
  }

  run(): Exploration {
    this.#meet(this.#scope.initial(), 0, 0);
    let depth = 0;
    let first = 0;
    let frontier = this.#found;
    while (frontier.length > 0 && !this.#isOver()) {
      this.#frontierMax = Math.max(this.#frontierMax, frontier.length);
      this.#found = [];
      this.#expandAll(frontier, first);
      first += frontier.length;
      frontier = this.#found;
      if (frontier.length > 0) depth += 1;
    }
    return {
      scope: this.#scope.name,
      states: this.#seen.size,
      transitions: this.#transitions,
      depth,
      exhausted: frontier.length === 0 && !this.#isOver(),
      frontierMax: this.#frontierMax,
      tableBytes: this.#seen.bytes + this.#ancestry.bytes,
      violations: this.#violations,
    };
  }

  #isOver(): boolean {
    if (this.#violations.length >= this.#limits.violationsMax) return true;
    return this.#seen.size >= this.#limits.statesMax;
  }

  #expandAll(frontier: (State | undefined)[], first: number): void {
    for (let at = 0; at < frontier.length && !this.#isOver(); at += 1) {
      const state = frontier[at];
      // Broken states are not gone on from, and each is let go once it had its turn.
      frontier[at] = undefined;
      if (state !== undefined) this.#expand(state, first + at);
    }
  }

  #expand(state: State, number: number): void {
    let ordinal = 0;
    try {
      this.#scope.successors(state, (_label, next) => {
        this.#transitions += 1;
        this.#meet(next, number, ordinal);
        ordinal += 1;
      });
    } catch (thrown) {
      const found = violationOf(thrown);
      const trace = [...this.#traceTo(number), `then the code threw: ${found.sentence}`];
      this.#violations.push({ ...found, trace });
    }
  }

  #meet(state: State, parent: number, ordinal: number): void {
    this.#writer.clear();
    this.#scope.encode(state, this.#writer);
    if (!this.#seen.add(this.#writer)) return;
    const number = this.#ancestry.add(parent, ordinal);
    const violation = this.#scope.violation(state);
    if (violation === undefined) {
      this.#found.push(state);
      return;
    }
    this.#found.push(undefined);
    if (this.#violations.length >= this.#limits.violationsMax) return;
    this.#violations.push({ ...violation, trace: this.#traceTo(number) });
  }

  /** Walks the way again: successors come in the same order every time. */
  #traceTo(number: number): string[] {
    const trace: string[] = [];
    let state = this.#scope.initial();
    for (const ordinal of this.#ancestry.wayTo(number)) {
      const step = this.#stepFrom(state, ordinal);
      trace.push(step.label);
      state = step.next;
    }
    return trace;
  }

  #stepFrom(state: State, wanted: number): { readonly label: string; readonly next: State } {
    let ordinal = 0;
    let step: { readonly label: string; readonly next: State } | undefined;
    try {
      this.#scope.successors(state, (label, next) => {
        if (ordinal === wanted) step = { label: label(), next };
        ordinal += 1;
      });
    } catch (thrown) {
      // It threw the first time too, after the successor that is wanted here.
      if (step === undefined) throw thrown;
    }
    if (step === undefined) throw new Error(`${this.#scope.name} is not deterministic`);
    return step;
  }
}

/** An invariant of the simulator says which it is; anything else is the code's own. */
function violationOf(thrown: unknown): Violation {
  if (!(thrown instanceof Error)) return { invariant: 'crash', sentence: String(thrown) };
  const invariant = 'invariant' in thrown ? String(thrown.invariant) : invariantOf(thrown);
  return { invariant, sentence: thrown.message };
}

function invariantOf(thrown: Error): string {
  return thrown.name === 'InvariantViolation' ? 'assertion' : 'crash';
}
