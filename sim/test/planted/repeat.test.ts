import { describe, expect, it } from 'vitest';
import { failsAlike } from '../../src/planted/repeat.js';
import type { StormEngine } from '../../src/replay/engine.js';
import type { StormFailure } from '../../src/storm/failure.js';
import { planStorm } from '../../src/storm/index.js';
import type { StormResult } from '../../src/storm/result.js';

const plan = planStorm(1, { stormMs: 1_000 });
const FAILURE: StormFailure = { checker: 'S2', sentence: 'two votes', atMs: 700 };

/** Run after run, these hashes. */
function engineOf(hashes: readonly number[], failure: StormFailure | undefined): StormEngine {
  let run = 0;
  return {
    plan: () => plan,
    run: () => {
      const traceHash = hashes[run] ?? 0;
      run += 1;
      return Promise.resolve({ failure, traceHash, events: 9 } as StormResult);
    },
  };
}

describe('a failure', () => {
  it('is repeatable if three runs are equal', async () => {
    expect(await failsAlike(engineOf([7, 7, 7], FAILURE), plan)).toBe(true);
  });

  it('is not if the third differs', async () => {
    expect(await failsAlike(engineOf([7, 7, 8], FAILURE), plan)).toBe(false);
  });

  it('is none if nothing fails', async () => {
    expect(await failsAlike(engineOf([7, 7, 7], undefined), plan)).toBe(false);
  });
});
