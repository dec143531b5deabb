import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogIndex, Term } from '../src/index.js';
import {
  addInflight,
  forkInflight,
  freeInflight,
  inflightCount,
  makeInflight,
} from '../src/inflight.js';
import {
  batchEnd,
  bytesBetween,
  highestIndexWithin,
  makeLog,
  truncateEntries,
} from '../src/log.js';
import { quorumSize, quorumValue } from '../src/quorum.js';
import { entryOf } from './node.js';

const SETTINGS = { seed: 20_261, numRuns: 300 };

test('quorumValue equals the sorted twin', () => {
  const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(values, (given) => {
      const sorted = [...given].sort((a, b) => a - b);
      const expected = sorted[given.length - quorumSize(given.length)];
      expect(quorumValue([...given])).toBe(expected);
    }),
    SETTINGS,
  );
});

test('quorumValue is the highest that a quorum has reached', () => {
  const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(values, (given) => {
      const value = quorumValue([...given]);
      const reached = (least: number): number => given.filter((one) => one >= least).length;
      expect(reached(value)).toBeGreaterThanOrEqual(quorumSize(given.length));
      expect(reached(value + 1)).toBeLessThan(quorumSize(given.length));
    }),
    SETTINGS,
  );
});

test('two quorums of the same voters always share one', () => {
  for (let voters = 1; voters <= 9; voters += 1) {
    expect(2 * quorumSize(voters)).toBeGreaterThan(voters);
  }
});

test('the inflight window equals a naive list', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 99 }) }),
      fc.record({ free: fc.integer({ min: 0, max: 700 }) }),
      fc.constant({ fork: true }),
    ),
    { maxLength: 600 },
  );
  fc.assert(
    fc.property(steps, (given) => {
      let inflight = makeInflight();
      let naive: { last: number; bytes: number }[] = [];
      let last = 0;
      for (const step of given) {
        if ('add' in step) {
          last += step.add;
          addInflight(inflight, last as LogIndex, step.bytes);
          naive.push({ last, bytes: step.bytes });
        } else if ('free' in step) {
          freeInflight(inflight, step.free as LogIndex);
          naive = naive.filter((one) => one.last > step.free);
        } else {
          inflight = forkInflight(inflight);
        }
        expect(inflightCount(inflight)).toBe(naive.length);
        expect(inflight.bytes).toBe(naive.reduce((sum, one) => sum + one.bytes, 0));
      }
    }),
    { ...SETTINGS, numRuns: 100 },
  );
});

test('a long window that never empties gives its spent part back', () => {
  const inflight = makeInflight();
  for (let i = 1; i <= 10_000; i += 1) {
    addInflight(inflight, i as LogIndex, 1);
    freeInflight(inflight, (i - 3) as LogIndex);
    expect(inflight.lastIndexes.length).toBeLessThan(300);
  }
  expect(inflightCount(inflight)).toBe(3);
});

const LOGS = fc
  .array(fc.record({ rise: fc.integer({ min: 0, max: 2 }), bytes: fc.integer({ min: 0, max: 9 }) }))
  .map((steps) => {
    let term = 1;
    return steps.map(({ rise, bytes }, at) => {
      term += rise;
      return entryOf(at + 1, term, bytes);
    });
  });

test('highestIndexWithin equals a walk backwards', () => {
  fc.assert(
    fc.property(LOGS, fc.nat(40), fc.nat(20), (entries, bound, term) => {
      let expected = Math.min(bound, entries.length);
      while (expected > 0 && (entries[expected - 1]?.term ?? 0) > term) expected -= 1;
      const log = makeLog(entries);
      expect(highestIndexWithin(log, bound as LogIndex, term as Term)).toBe(expected);
    }),
    SETTINGS,
  );
});

test('batchEnd equals counting entry by entry, and always takes one', () => {
  fc.assert(
    fc.property(LOGS, fc.nat(30), fc.integer({ min: 1, max: 600 }), (entries, skip, bytesMax) => {
      const after = Math.min(skip, entries.length - 1);
      fc.pre(after >= 0);
      let bytes = 0;
      let expected = after;
      for (const entry of entries.slice(after)) {
        bytes += entry.payload.length + 64;
        if (bytes > bytesMax && expected > after) break;
        expected += 1;
      }
      expect(batchEnd(makeLog(entries), after as LogIndex, bytesMax)).toBe(expected);
    }),
    SETTINGS,
  );
});

test('the byte count of a range equals its sum, after a truncation too', () => {
  fc.assert(
    fc.property(LOGS, fc.nat(30), fc.nat(30), (entries, cut, from) => {
      const log = makeLog(entries);
      const kept = Math.min(cut, entries.length);
      truncateEntries(log, (kept + 1) as LogIndex);
      const after = Math.min(from, kept);
      const sum = entries.slice(after, kept).reduce((all, one) => all + one.payload.length + 64, 0);
      expect(bytesBetween(log, after as LogIndex, kept as LogIndex)).toBe(sum);
    }),
    SETTINGS,
  );
});
