import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/replay/shrink.js';
import { shrinkPlan } from '../../src/replay/shrink.js';
import type { StormCommand } from '../../src/storm/command.js';
import type { StormPlan } from '../../src/storm/plan.js';
import { planOf } from '../support/core-engine.js';

const NOISE: StormCommand = { type: 'operate', client: 0, operation: { type: 'put', key: 1 } };
const CRASH: StormCommand = { type: 'crash', node: 'leader', landed: 'torn' };
const HEAL: StormCommand = { type: 'heal' };

/** 400 commands; what fails needs the two crashes, and the heal between them. */
const plan = planOf(
  9,
  40_000,
  Array.from({ length: 400 }, (_, at) => {
    const command = at === 120 || at === 250 ? CRASH : at === 200 ? HEAL : NOISE;
    return [at * 100, command] as const;
  }),
);

function trial({ commands, profile }: StormPlan): Trial {
  const relevant = commands.filter(({ command }) => command.type !== 'operate');
  const types = relevant.map(({ command }) => command.type).join(' ');
  const last = relevant.at(-1);
  const fails = types.startsWith('crash heal crash') && profile.nodeCount >= 2;
  const failure = { checker: 'S7', sentence: 'lost', atMs: (last?.atMs ?? 0) + 5 };
  const lasts = profile.stormMs >= failure.atMs;
  return { failure: fails && lasts ? failure : undefined, events: 100 };
}

async function shrink(budget?: { runsMax: number; eventsMax: number }) {
  const { failure } = trial(plan);
  if (failure === undefined) throw new Error('the plan fails');
  return shrinkPlan(plan, failure, (candidate) => Promise.resolve(trial(candidate)), budget);
}

describe('shrinking', () => {
  it('leaves the commands that matter, and none that can go', async () => {
    const shrunk = await shrink();
    expect(shrunk.plan.commands.map(({ command }) => command.type)).toEqual([
      'crash',
      'heal',
      'crash',
    ]);
    expect(shrunk).toMatchObject({ commandsBefore: 400, commandsAfter: 3, isMinimal: true });
    expect(shrunk.runs).toBeLessThan(120);
  });

  it('ends the run right after the failure, without liveness mode', async () => {
    const { plan: small } = await shrink();
    expect(small.liveness).toBeUndefined();
    expect(small.profile.stormMs).toBe(25_006);
  });

  it('makes the world simpler where the failure does not need it', async () => {
    const { profile } = (await shrink()).plan;
    expect(profile).toMatchObject({
      nodeCount: 2,
      nodeSkews: [0, 0],
      clientCount: 1,
      clientSkews: [0],
      faults: [],
      lossPercent: 0,
      duplicatePercent: 0,
    });
  });

  it('keeps to its budget, and says that there may be less', async () => {
    const shrunk = await shrink({ runsMax: 6, eventsMax: 1_000_000 });
    expect(shrunk.runs).toBe(6);
    expect(shrunk.isMinimal).toBe(false);
    expect(trial(shrunk.plan).failure?.checker).toBe('S7');
  });

  it('finds when it was broken where the checker looked at the end only', async () => {
    const run = (candidate: StormPlan): Promise<Trial> => {
      const { stormMs } = candidate.profile;
      const failure = { checker: 'linearizability', sentence: 'no order', atMs: stormMs };
      return Promise.resolve({ failure: stormMs > 9_000 ? failure : undefined, events: 1 });
    };
    const late = { checker: 'linearizability', sentence: 'no order', atMs: 55_000 };
    const shrunk = await shrinkPlan(plan, late, run);
    expect(shrunk.plan.profile.stormMs).toBeLessThan(9_500);
    expect(shrunk.commandsAfter).toBe(0);
  });

  it('does not take the failure of another checker for this one', async () => {
    const failure = { checker: 'S7', sentence: 'lost', atMs: 39_000 };
    const other = { checker: 'liveness', sentence: 'stuck', atMs: 1 };
    const run = (candidate: StormPlan): Promise<Trial> =>
      Promise.resolve({
        failure: candidate.commands.length === 400 ? failure : other,
        events: 1,
      });
    const shrunk = await shrinkPlan(plan, failure, run, { runsMax: 2_000, eventsMax: 10_000 });
    expect(shrunk.failure.checker).toBe('S7');
    expect(shrunk.commandsAfter).toBeGreaterThan(380);
  });

  it('keeps liveness mode for a failure of liveness', async () => {
    const failure = { checker: 'liveness', sentence: 'no leader', atMs: 60_000 };
    const run = (candidate: StormPlan): Promise<Trial> =>
      Promise.resolve({
        failure: candidate.liveness === undefined ? undefined : failure,
        events: 1,
      });
    const shrunk = await shrinkPlan(plan, failure, run);
    expect(shrunk.plan.liveness).toEqual(plan.liveness);
    expect(shrunk.commandsAfter).toBe(0);
    expect(shrunk.plan.profile.nodeCount).toBe(3);
  });
});
