import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { historyCheckers } from '../../src/history/index.js';
import { allInvariants } from '../../src/invariants/checkers.js';
import { emptyHistory } from '../../src/invariants/invariant.js';
import { CATALOGUE } from '../../src/planted/catalogue/catalogue.js';
import { UNSEEN_BUGS } from '../../src/planted/catalogue/unseen.js';
import { patchOf } from '../../src/planted/patch.js';
import { planStorm } from '../../src/storm/index.js';
import { DAMAGE_REFUSED } from '../../src/storm/run.js';

describe('every planted bug', () => {
  for (const bug of [...CATALOGUE, ...UNSEEN_BUGS]) {
    it(`${bug.id} stands on text that the source has exactly once, and builds`, () => {
      const files = new Set(bug.edits.map(({ file }) => file));
      expect(patchOf(bug).map(([url]) => url)).toHaveLength(files.size);
    });
  }
});

describe('the README of the simulator', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

  it('has the row of each bug of the catalogue, in its order', () => {
    const ids = CATALOGUE.map(({ id }) => id).join('|');
    const rows = readme.matchAll(
      new RegExp(`^\\| (${ids}) \\| ([abc]) \\| (.*?) \\| (.*?) \\|`, 'gm'),
    );
    const told = Array.from(rows, ([, id, bugClass, title]) => ({ id, class: bugClass, title }));
    expect(told).toEqual(CATALOGUE.map(({ id, class: own, title }) => ({ id, class: own, title })));
  });

  it('names as finders only checkers that must find the bug', () => {
    const rows = readme.matchAll(/^\| ([A-Z]\d+[a-z]?) \| [abc] \| .*? \| (.*?) \|/gm);
    const strangers = Array.from(rows, ([, id = '', finders = '']) => {
      const caughtBy = CATALOGUE.find((bug) => bug.id === id)?.caughtBy ?? [];
      // In brackets stands the scope that finds it too, or instead.
      const named = finders.replace(/ \(.*\)$/, '').split(', ');
      return { id, strangers: named.filter((one) => !caughtBy.includes(one)) };
    });
    expect(strangers.length).toBe(CATALOGUE.length);
    expect(strangers.filter((row) => row.strangers.length > 0)).toEqual([]);
  });

  it('names those that nobody has seen yet', () => {
    const [, unseen = ''] = /each with its reason\): ([^.]*)\./.exec(readme) ?? [];
    expect(new Set(unseen.split(/,\s+/))).toEqual(new Set(UNSEEN_BUGS.map(({ id }) => id)));
  });
});

describe('the catalogue', () => {
  it('has at least 40 bugs, each under an id of its own', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(40);
    const ids = [...CATALOGUE, ...UNSEEN_BUGS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names for each bug a way to find it and the checkers that must', () => {
    for (const { id, by, caughtBy } of CATALOGUE) {
      expect(by.length, id).toBeGreaterThan(0);
      expect(caughtBy.length, id).toBeGreaterThan(0);
    }
  });

  it('has bugs of class a that storms find: class a is met in three ranges of seeds', () => {
    const unmet = CATALOGUE.filter((bug) => bug.class === 'a' && !bug.by.includes('storm'));
    expect(unmet.map(({ id }) => id)).toEqual([]);
  });

  it('names checkers that exist', () => {
    const { profile } = planStorm(1);
    const known = new Set<string>([
      'liveness',
      DAMAGE_REFUSED,
      ...allInvariants(emptyHistory(), DEFAULT_LIMITS).map(({ id }) => id),
      ...historyCheckers({ trueMs: 0 }, profile).flatMap(({ ids }) => ids),
    ]);
    for (const { id, caughtBy, only } of CATALOGUE) {
      for (const checker of [...caughtBy, ...(only === undefined ? [] : [only])]) {
        expect(known, `${id} is caught by ${checker}`).toContain(checker);
      }
    }
  });
});
