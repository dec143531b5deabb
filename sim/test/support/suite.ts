import { expect } from 'vitest';
import type { Occurrence, Tally } from '../../src/index.js';

/** A suite in which one of these never happened has proved nothing about it. */
export function expectHappened(tally: Tally, occurrences: readonly Occurrence[]): void {
  const missing = occurrences.filter((name) => tally[name] === 0);
  expect(
    missing,
    `never happened in this suite; the whole tally: ${JSON.stringify(tally)}`,
  ).toEqual([]);
}
