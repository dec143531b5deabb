import type { TimedCommand } from '../command.js';
import type { StormPlan } from '../plan.js';
import type { StormProfile } from '../profile.js';
import { Dice } from './dice.js';
import { drawDuels } from './draw-duels.js';
import { drawFaults } from './draw-faults.js';
import { drawLeasedReads, drawUnbinds } from './draw-leased-reads.js';
import { drawLiveness } from './draw-liveness.js';
import { drawOperations } from './draw-operations.js';
import { drawProfile, type PlanOptions } from './draw-profile.js';

/** The whole storm of one seed, an unsigned 32-bit number. Equal seeds, equal plans. */
export function planStorm(seed: number, options: PlanOptions = {}): StormPlan {
  const profile = drawProfile(seed, options);
  const victims = drawVictims(seed, profile);
  const operations = [...drawOperations(seed, profile), ...drawDuels(seed, profile)];
  const leased = [
    ...drawLeasedReads(seed, profile, operations),
    ...drawUnbinds(seed, profile, operations),
  ];
  const commands = [...operations, ...leased, ...drawFaults(seed, profile, victims)];
  return {
    version: 1,
    seed,
    profile,
    commands: inOrderOfTime(commands),
    liveness: drawLiveness(seed, profile.nodeCount, victims),
  };
}

/** Nodes that may be wiped or damaged for good: never so many that the others are no majority. */
function drawVictims(seed: number, { nodeCount, faults }: StormProfile): readonly number[] {
  if (!faults.includes('wipe') && !faults.includes('corrupt-record')) return [];
  const dice = new Dice(seed, 'victims');
  return dice.shuffled(nodeCount).slice(0, Math.floor((nodeCount - 1) / 2));
}

/** Sorting is stable: what was planned first for a moment happens first. */
function inOrderOfTime(commands: readonly TimedCommand[]): readonly TimedCommand[] {
  return commands.toSorted((one, other) => one.atMs - other.atMs);
}
