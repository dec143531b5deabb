import { describe, expect, it } from 'vitest';
import { FingerprintTable } from '../../src/explore/fingerprint-table.js';
import type { Scope } from '../../src/explore/index.js';
import { explore, oneOf, StateWriter } from '../../src/explore/index.js';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A board that is walked to the right and up, one step at a time. */
function board(size: number, options: { hole?: Place; throwsAt?: Place } = {}): Scope<Place> {
  const isAt = (place: Place, other: Place | undefined): boolean =>
    place.x === other?.x && place.y === other.y;
  return {
    name: 'board',
    initial: () => ({ x: 0, y: 0 }),
    successors: (place, visit) => {
      if (place.x < size - 1) visit(() => 'right', { ...place, x: place.x + 1 });
      if (isAt(place, options.throwsAt)) throw new Error('the board is broken');
      if (place.y < size - 1) visit(() => 'up', { ...place, y: place.y + 1 });
    },
    encode: ({ x, y }, into) => {
      into.word(x);
      into.word(y);
    },
    violation: (place) =>
      isAt(place, options.hole) ? { invariant: 'hole', sentence: 'there is a hole' } : undefined,
  };
}

describe('an exhaustive search', () => {
  it('visits each state once and counts each way between two', () => {
    const found = explore(board(100));
    expect(found).toMatchObject({ states: 10_000, transitions: 19_800, depth: 198 });
    expect(found).toMatchObject({ exhausted: true, violations: [], frontierMax: 100 });
  });

  it('shows a shortest way to what is broken', () => {
    const { violations, exhausted } = explore(board(10, { hole: { x: 2, y: 1 } }));
    expect(violations).toHaveLength(1);
    expect(violations[0]?.invariant).toBe('hole');
    expect(violations[0]?.trace.toSorted()).toEqual(['right', 'right', 'up']);
    expect(exhausted).toBe(false);
  });

  it('goes on around what is broken, if asked to', () => {
    const found = explore(board(3, { hole: { x: 1, y: 1 } }), { violationsMax: 2 });
    expect(found).toMatchObject({ states: 9, exhausted: true });
    expect(found.violations).toHaveLength(1);
  });

  it('takes what the code throws for a find, and names the way there', () => {
    const { violations } = explore(board(9, { throwsAt: { x: 1, y: 0 } }));
    expect(violations[0]).toMatchObject({ invariant: 'crash', sentence: 'the board is broken' });
    expect(violations[0]?.trace).toEqual(['right', 'then the code threw: the board is broken']);
  });

  it('says that it is not exhausted when it meets its limit', () => {
    expect(explore(board(100), { statesMax: 50 })).toMatchObject({ exhausted: false, states: 50 });
  });

  it('walks several worlds as one, the choice being the first step', () => {
    const worlds = [
      { what: 'a small one', scope: board(2) },
      { what: 'a broken one', scope: board(3, { hole: { x: 1, y: 0 } }) },
    ];
    const found = explore(oneOf('boards', worlds), { violationsMax: 2 });
    // Behind the hole is one place that no other way leads to.
    expect(found).toMatchObject({ states: 1 + 4 + 8, exhausted: true });
    expect(found.violations[0]?.trace).toEqual(['a broken one', 'right']);
  });
});

describe('the table of fingerprints', () => {
  it('tells 200,000 neighbouring states apart, and knows each again', () => {
    const table = new FingerprintTable();
    const writer = new StateWriter();
    const add = (number: number): boolean => {
      writer.clear();
      writer.word(number % 512);
      writer.word(Math.floor(number / 512));
      return table.add(writer);
    };
    let news = 0;
    for (let number = 0; number < 200_000; number += 1) if (add(number)) news += 1;
    expect(news).toBe(200_000);
    for (let number = 0; number < 200_000; number += 1) if (add(number)) news += 1;
    expect([news, table.size]).toEqual([200_000, 200_000]);
    expect(table.bytes / table.size).toBeLessThan(27);
  });

  it('tells a longer writing from a shorter one', () => {
    const table = new FingerprintTable();
    const writer = new StateWriter();
    for (let length = 0; length < 300; length += 1) {
      expect(table.add(writer)).toBe(true);
      writer.word(0);
    }
  });

  it('tells texts in a row, absent numbers and flags apart', () => {
    const table = new FingerprintTable();
    const write = (writing: (into: StateWriter) => void): boolean => {
      const writer = new StateWriter();
      writing(writer);
      return table.add(writer);
    };
    const texts = (a: string, b: string) => (into: StateWriter) => {
      into.text(a);
      into.text(b);
    };
    expect(write(texts('ab', 'c'))).toBe(true);
    expect(write(texts('a', 'bc'))).toBe(true);
    expect(write((into) => into.optional(undefined))).toBe(true);
    expect(write((into) => into.optional(0))).toBe(true);
    expect(write((into) => into.flag(true))).toBe(true);
  });
});
