import type { PlanOptions } from '../replay/engine.js';
import type { FaultKind } from '../storm/fault-kind.js';

/** How hard a bug is to meet: the seeds within which a storm must find it. */
export type BugClass = 'a' | 'b' | 'c';

export const SEED_BUDGET: Readonly<Record<BugClass, number>> = { a: 100, b: 2_000, c: 20_000 };

/** One change of a source, as text: where the mistake would really be made. */
export interface Edit {
  /** From the root of the repository: `packages/raft/src/commit.ts`. */
  readonly file: string;
  /** Stands exactly once in the file, or the bug is not planted at all. */
  readonly anchor: string;
  readonly replacement: string;
}

/** What finds it: storms, or the exhaustive search of one scope. */
export type Hunt = 'storm' | `explore:${string}`;

/** Sizes, and how long a storm rages. */
export type BugWorld = Pick<PlanOptions, 'stormMs' | 'nodeCount' | 'clientCount'>;

/** A mistake that somebody made or would make. Shipped code never holds one. */
export interface PlantedBug {
  readonly id: string;
  /** What the code does wrong, as the end of the sentence "the code …". */
  readonly title: string;
  /** Issues of other systems that had it. */
  readonly seenIn?: string;
  readonly class: BugClass;
  readonly edits: readonly Edit[];
  /** Whichever of these checkers finds it: a crash, a time-out or another checker is a miss. */
  readonly caughtBy: readonly string[];
  /** Each of these must find it. */
  readonly by: readonly Hunt[];
  /** The only kinds of fault in its storms (swarm); absent: whatever the seed draws. */
  readonly faults?: readonly FaultKind[];
  /** What else is fixed of its storms, where not just any will do. */
  readonly world?: BugWorld;
  /** Without faults of this kind it survives its seeds: why the kind exists. */
  readonly needs?: FaultKind;
  /** Without this checker it survives its seeds: why the checker exists. */
  readonly only?: string;
}
