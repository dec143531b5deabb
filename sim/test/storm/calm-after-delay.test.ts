import { expect, it } from 'vitest';
import { runStorm } from '../../src/storm/index.js';
import { handMadePlan } from './hand-made-plan.js';

// Seed 0x16c317c7: heartbeats of a healthy core stood in line behind what the storm had delayed,
// and the core changed its leader.
it.each([1, 2, 3, 4, 5, 6])(
  'what a storm delayed holds up nothing that the healed core sends (seed %i)',
  async (seed) => {
    const slow = { faults: ['delay'], slowPercent: 5, slowMs: 30_000, stormMs: 3_000 } as const;
    const { failure } = await runStorm({ ...handMadePlan([], slow), seed });
    expect(failure).toBeUndefined();
  },
);
