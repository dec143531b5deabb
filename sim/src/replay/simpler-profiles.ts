import type { FaultKind } from '../storm/fault-kind.js';
import type { StormPlan } from '../storm/plan.js';
import type { StormProfile } from '../storm/profile.js';

/** Plans in which one thing about the world is simpler, the simplest first. */
export type Simplify = (plan: StormPlan) => readonly StormPlan[];

export const simplerProfiles: readonly Simplify[] = [
  fewerNodes,
  fewerClients,
  fewerFaults,
  (plan) => change(plan, { lossPercent: 0 }),
  (plan) => change(plan, { duplicatePercent: 0 }),
  (plan) => change(plan, { slowPercent: 0 }),
  (plan) => change(plan, { nodeSkews: plan.profile.nodeSkews.map(() => 0) }),
  (plan) => change(plan, { clientSkews: plan.profile.clientSkews.map(() => 0) }),
  (plan) => change(plan, { equalTimeouts: false }),
  (plan) => change(plan, { encoded: false }),
  untightened,
];

function fewerNodes(plan: StormPlan): readonly StormPlan[] {
  const { nodeCount } = plan.profile;
  return countsBelow(nodeCount)
    .filter((count) => isWhole(plan, count))
    .flatMap((count) =>
      change(plan, { nodeCount: count, nodeSkews: plan.profile.nodeSkews.slice(0, count) }),
    );
}

/** A healthy core keeps its majority only if nobody of the plan goes missing. */
function isWhole({ liveness }: StormPlan, nodeCount: number): boolean {
  if (liveness === undefined) return true;
  const positions = [...liveness.core, ...liveness.broken.map(({ node }) => node)];
  return positions.every((position) => position < nodeCount);
}

function fewerClients(plan: StormPlan): readonly StormPlan[] {
  return countsBelow(plan.profile.clientCount).flatMap((count) =>
    change(plan, { clientCount: count, clientSkews: plan.profile.clientSkews.slice(0, count) }),
  );
}

function fewerFaults(plan: StormPlan): readonly StormPlan[] {
  const { faults } = plan.profile;
  if (faults.length === 0) return [];
  const without = (kind: FaultKind): readonly FaultKind[] => faults.filter((it) => it !== kind);
  return [
    ...change(plan, { faults: [] }),
    ...faults.flatMap((kind) => change(plan, { faults: without(kind) })),
  ];
}

function untightened({ profile, ...plan }: StormPlan): readonly StormPlan[] {
  const { tight, ...rest } = profile;
  return tight === undefined ? [] : [{ ...plan, profile: rest }];
}

function countsBelow(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, at) => at + 1);
}

/** The plan with that much changed; none if it is so already. */
function change(plan: StormPlan, changes: Partial<StormProfile>): readonly StormPlan[] {
  const profile: StormProfile = { ...plan.profile, ...changes };
  const isSame = JSON.stringify(profile) === JSON.stringify(plan.profile);
  return isSame ? [] : [{ ...plan, profile }];
}
