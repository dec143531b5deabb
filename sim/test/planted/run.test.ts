import { describe, expect, it } from 'vitest';
import type { PlantedBug } from '../../src/planted/bug.js';
import { isProof, runPlanted } from '../../src/planted/run.js';

/** A few votes short of a majority: nothing is easier to find. */
const HALF_A_QUORUM: PlantedBug = {
  id: 'T1',
  title: 'takes half of the cluster for a quorum',
  class: 'a',
  edits: [
    {
      file: 'packages/raft/src/quorum.ts',
      anchor: 'return Math.floor(voterCount / 2) + 1;',
      replacement: 'return Math.max(1, Math.floor(voterCount / 2));',
    },
  ],
  caughtBy: ['S16', 'S10'],
  by: ['storm'],
};

const HARMLESS: PlantedBug = {
  ...HALF_A_QUORUM,
  id: 'T2',
  edits: [
    {
      file: 'packages/raft/src/quorum.ts',
      anchor: 'return Math.floor(voterCount / 2) + 1;',
      replacement: 'return 1 + Math.floor(voterCount / 2);',
    },
  ],
};

const BROKEN: PlantedBug = {
  ...HALF_A_QUORUM,
  id: 'T3',
  edits: [
    {
      file: 'packages/raft/src/quorum.ts',
      anchor: 'return Math.floor(voterCount / 2) + 1;',
      replacement: 'process.exit(3);',
    },
  ],
};

async function hunt(bug: PlantedBug): ReturnType<typeof runPlanted> {
  return runPlanted({ catalogue: [bug], ranges: 1, seedsMax: 2, stormMs: 6_000, cores: 1 });
}

describe('a hunt', { timeout: 180_000 }, () => {
  it('finds a bug by the checker that must, with the seed that did', async () => {
    const { found, missed, outcomes } = await hunt(HALF_A_QUORUM);
    expect({ found, missed }).toEqual({ found: 1, missed: [] });
    expect(['S10', 'S16']).toContain(outcomes[0]?.hunts[0]?.checker);
    expect(outcomes[0]?.hunts[0]?.seed).toBeGreaterThan(0);
  });

  it('misses a bug that another checker finds first', async () => {
    const { missed, outcomes } = await hunt({ ...HALF_A_QUORUM, caughtBy: ['L4'] });
    expect(missed).toEqual(['T1']);
    expect(Object.keys(outcomes[0]?.hunts[0]?.others ?? {}).length).toBeGreaterThan(0);
  });

  it('finds nothing where the change is none', async () => {
    const { missed, outcomes } = await hunt(HARMLESS);
    expect(missed).toEqual(['T2']);
    expect(outcomes[0]?.hunts[0]).toMatchObject({ tried: 2, others: {} });
  });

  it('counts a failure that cannot be had again as a miss', async () => {
    const { outcomes } = await hunt(HALF_A_QUORUM);
    const [found] = outcomes[0]?.hunts ?? [];
    if (found === undefined) throw new Error('no hunt');
    expect(found.isRepeatable).toBe(true);
    expect([isProof(found), isProof({ ...found, isRepeatable: false })]).toEqual([true, false]);
  });

  it('counts a process that breaks as a miss, and says how it ended', async () => {
    const { missed, outcomes } = await hunt(BROKEN);
    expect(missed).toEqual(['T3']);
    expect(outcomes[0]?.broken).toContain('exit 3');
  });
});
