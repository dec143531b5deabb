import { describe, expect, it } from 'vitest';
import { checkDeterminism } from '../../src/replay/determinism.js';
import type { RunOptions, StormEngine } from '../../src/replay/engine.js';
import { STORM_ENGINE } from '../../src/replay/storm-engine.js';
import type { StormPlan } from '../../src/storm/plan.js';
import { CoreEngine, planOf } from '../support/core-engine.js';

const cores = new CoreEngine();
const plan = cores.plan(5);

/** Its runs differ: from the second on, the crash comes a moment later. */
class Wavering implements StormEngine {
  #runs = 0;

  plan(seed: number): StormPlan {
    return cores.plan(seed);
  }

  run(wanted: StormPlan, options?: RunOptions) {
    this.#runs += 1;
    const lateMs = this.#runs % 2 === 0 ? 0.5 : 0;
    const commands = wanted.commands.map(({ atMs, command }) => ({
      atMs: command.type === 'crash' ? atMs + lateMs : atMs,
      command,
    }));
    return cores.run({ ...wanted, commands }, options);
  }
}

describe('the determinism check', () => {
  it('finds two runs of one plan equal, to the hash', async () => {
    expect(await checkDeterminism(cores, plan, 3)).toMatchObject({ type: 'same' });
  });

  it('names the first event that differs, with its time and what led to it', async () => {
    const verdict = await checkDeterminism(new Wavering(), plan);
    if (verdict.type !== 'different' || verdict.first === undefined) throw new Error(verdict.type);
    const [one = [], two = []] = verdict.first.runs;
    expect(one.at(-1)).toBe('900  --- crash n2 landed nothing');
    expect(two.at(-1)).toBe('900.5  --- crash n2 landed nothing');
    expect(one.slice(0, -1)).toEqual(two.slice(0, -1));
  });

  it('finds storms of the real servers and clients equal', async () => {
    for (const seed of [11, 12]) {
      const storm = STORM_ENGINE.plan(seed, { stormMs: 4_000 });
      expect(await checkDeterminism(STORM_ENGINE, storm)).toMatchObject({ type: 'same' });
    }
  });

  it('a plan that asks for nothing is equal too', async () => {
    expect((await checkDeterminism(cores, planOf(1, 10, []))).type).toBe('same');
  });
});
