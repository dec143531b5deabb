import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FenceError } from '../src/level.js';
import { createFence } from '../src/level.js';
import { memoryBench } from './memory-level.js';

const grants = fc.array(
  fc.record({
    lock: fc.constantFrom('a', 'b'),
    token: fc.bigInt({ min: 1n, max: 6n }),
    holder: fc.constantFrom('A', 'B'),
  }),
  { minLength: 1, maxLength: 20 },
);

test('as the naive model: a grant passes unless one admitted before stands above it', async () => {
  const seen: Record<string, number> = { admitted: 0, FENCED: 0, TOKEN_CONFLICT: 0 };
  await fc.assert(
    fc.asyncProperty(grants, async (sequence) => {
      const fence = createFence(memoryBench().db);
      const admitted: (typeof sequence)[number][] = [];
      for (const grant of sequence) {
        const before = admitted.filter(({ lock }) => lock === grant.lock);
        const fenced = before.some(({ token }) => token > grant.token);
        const conflict = before.some(
          (it) => it.token === grant.token && it.holder !== grant.holder,
        );
        const expected = fenced ? 'FENCED' : conflict ? 'TOKEN_CONFLICT' : 'admitted';
        const outcome = await fence.raise(grant).then(
          () => 'admitted',
          (error: FenceError) => error.code,
        );
        expect(outcome).toBe(expected);
        if (outcome === 'admitted') admitted.push(grant);
        seen[expected] = (seen[expected] ?? 0) + 1;
      }
    }),
    { numRuns: 500 },
  );
  // A run in which nothing was refused has shown nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});
