import { describe, expect, it } from 'vitest';
import { planStorm } from '../../src/storm/planner/plan-storm.js';
import { runStorm } from '../../src/storm/run.js';
import { SOMETIMES, type Sometimes } from '../../src/storm/sometimes/sometimes.js';

/**
 * A sample of what `npm run sim -- storm` runs by the thousand, here so that the branches which
 * simulation alone takes are counted. Seeds are fixed: a red build stays red.
 */
const SEEDS = 36;
const FIXED_SEED = 20_250_101;
const FIRST_SEED = Number(process.env['RAFTD_SEED'] ?? FIXED_SEED);
const STORM_MS = 25_000;

/** So many seeds may pass without these; and without a few others, where seeds are not fixed. */
const SELDOM: readonly Sometimes[] = [
  'wiped node refused by its peers',
  'full disk ends a node',
  'lease expires while its holder is frozen',
  'two clients believe to lead',
];
const OTHERS_MAX = FIRST_SEED === FIXED_SEED ? 0 : 3;

describe('storms', () => {
  it(`${SEEDS} seeds pass all checkers`, async () => {
    const happened = new Map<string, number>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const result = await runStorm(planStorm(seed, { stormMs: STORM_MS }));
      const page = `npm run sim -- replay ${seed}: ${JSON.stringify(result.failure)}`;
      expect(result.failure, page).toBeUndefined();
      for (const [name, count] of Object.entries(result.sometimes)) {
        happened.set(name, (happened.get(name) ?? 0) + count);
      }
    }
    const never = SOMETIMES.filter((name) => (happened.get(name) ?? 0) === 0);
    const others = never.filter((name) => !SELDOM.includes(name));
    expect(others.length, others.join(', ')).toBeLessThanOrEqual(OTHERS_MAX);
  });
});
