import { describe, expect, it } from 'vitest';
import { failsAlike, runForFailure } from '../../src/planted/repeat.js';
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

async function repeat(engine: StormEngine): Promise<boolean> {
  return failsAlike(engine, plan, await runForFailure(engine, plan));
}

describe('a failure', () => {
  it('is repeatable if three runs are equal', async () => {
    expect(await repeat(engineOf([7, 7, 7], FAILURE))).toBe(true);
  });

  it('is not if the third differs', async () => {
    expect(await repeat(engineOf([7, 7, 8], FAILURE))).toBe(false);
  });

  it('is none if nothing fails', async () => {
    expect(await repeat(engineOf([7, 7, 7], undefined))).toBe(false);
  });
});
