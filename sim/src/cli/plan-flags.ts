import type { PlanOptions } from '../replay/engine.js';

/** The arguments of `storm` that draw the same plan from the same seed. */
export function planFlags(plan: PlanOptions): readonly string[] {
  const { faults, without, stormMs, nodeCount, clientCount } = plan;
  return [
    ...(faults === undefined
      ? []
      : [`--faults ${faults.length === 0 ? 'none' : faults.join(',')}`]),
    ...(without === undefined ? [] : [`--without ${without.join(',')}`]),
    ...(stormMs === undefined ? [] : [`--storm-ms ${stormMs}`]),
    ...(nodeCount === undefined ? [] : [`--nodes ${nodeCount}`]),
    ...(clientCount === undefined ? [] : [`--clients ${clientCount}`]),
  ];
}
