import type { StormObserver } from '../storm/events.js';
import type { FaultKind } from '../storm/fault-kind.js';
import type { StormPlan } from '../storm/plan.js';
import type { StormResult } from '../storm/result.js';
import type { ClusterProbe } from '../world/cluster-probe.js';

export interface PlanOptions {
  readonly stormMs?: number;
  /** The only kinds of fault; otherwise whatever the seed draws. */
  readonly faults?: readonly FaultKind[];
  readonly without?: readonly FaultKind[];
  readonly nodeCount?: number;
  readonly clientCount?: number;
}

export interface RunOptions {
  /** Further observers, made for the cluster of this run. */
  readonly observers?: (cluster: ClusterProbe) => readonly StormObserver[];
  /** Checkers to leave out, by id. */
  readonly except?: readonly string[];
}

/** What plans and runs storms; tests hand in one made by hand. */
export interface StormEngine {
  plan(seed: number, options?: PlanOptions): StormPlan;
  run(plan: StormPlan, options?: RunOptions): Promise<StormResult>;
}
