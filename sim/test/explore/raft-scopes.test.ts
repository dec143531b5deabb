import { describe, expect, it } from 'vitest';
import type {
  ClusterBounds,
  Exploration,
  Golden,
  PlantedDriverFault,
} from '../../src/explore/index.js';
import {
  electionBounds,
  explore,
  preVoteBounds,
  raftScope,
  replicationBounds,
  unlikeGolden,
} from '../../src/explore/index.js';

function search(
  worlds: readonly ClusterBounds[],
  change: Partial<ClusterBounds> = {},
): Exploration {
  const changed = worlds.map((bounds) => ({ ...bounds, ...change }));
  return explore(raftScope('worlds', changed));
}

const SMALL: Readonly<Record<string, readonly ClusterBounds[]>> = {
  elections: electionBounds('small'),
  prevote: preVoteBounds('small'),
  replication: replicationBounds('small'),
};

/** Another number here needs a sentence of reason in the commit that writes it. */
const GOLDEN_SMALL: Readonly<Record<string, Golden>> = {
  elections: { states: 10_063, transitions: 40_398, depth: 17 },
  prevote: { states: 10_725, transitions: 35_645, depth: 21 },
  replication: { states: 25_767, transitions: 62_401, depth: 20 },
};

describe('every state of the real core within small bounds', () => {
  for (const [name, worlds] of Object.entries(SMALL)) {
    it(`keeps all rules in the scope ${name}, with as many states as ever`, () => {
      const found = search(worlds);
      expect(found.violations).toEqual([]);
      expect(found.exhausted).toBe(true);
      const golden = GOLDEN_SMALL[name];
      expect(golden).toBeDefined();
      expect(golden && unlikeGolden(found, golden)).toBeUndefined();
    });
  }
});

describe('symmetry', () => {
  const [bounds] = replicationBounds('small');
  const worlds = bounds === undefined ? [] : [{ ...bounds, crashesMax: 0 }];

  it('leaves the verdict and at least a sixth of the states', () => {
    const on = search(worlds);
    const off = search(worlds, { symmetric: false });
    expect([on.violations, off.violations]).toEqual([[], []]);
    expect(on.depth).toBe(off.depth);
    expect(on.states).toBeLessThan(off.states);
    expect(on.states).toBeGreaterThanOrEqual(off.states / 6);
  });

  it('hides no bug and makes no way to it longer', () => {
    const fault = 'messages-before-write' as const;
    const on = search(worlds, { fault, slowWritesMax: 1 });
    const off = search(worlds, { fault, slowWritesMax: 1, symmetric: false });
    expect(on.violations[0]?.invariant).toBe(off.violations[0]?.invariant);
    expect(on.violations[0]?.trace.length).toBe(off.violations[0]?.trace.length);
  });
});

describe('a driver that breaks its contract', () => {
  const elections = electionBounds('small');
  const replication = replicationBounds('small');

  function firstFind(worlds: readonly ClusterBounds[], fault: PlantedDriverFault): string {
    const [violation] = search(worlds, { fault }).violations;
    return violation === undefined
      ? 'nothing'
      : `${violation.invariant} in ${violation.trace.length}`;
  }

  it('is caught when messages leave before what they say is durable', () => {
    expect(firstFind(elections, 'messages-before-write')).toMatch(/^S3 in \d$/);
  });

  it('is caught when a restart forgets a vote', () => {
    expect(firstFind(elections, 'vote-forgotten')).toMatch(/^S2 in \d$/);
  });

  it('is caught when a restart forgets an entry', () => {
    expect(firstFind(replication, 'tail-forgotten')).toMatch(/^S\d+ in \d+$/);
  });
});
