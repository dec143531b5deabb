import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackOff } from '../src/back-off.js';

test('redials stay between the floor and a bound that doubles up to the cap', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.array(random, { minLength: 1, maxLength: 20 }), (draws) => {
      const left = [...draws];
      const backOff = new BackOff(50, 1_000, () => left.shift() ?? 0);
      draws.forEach((_, attempt) => {
        const delayMs = backOff.nextMs();
        expect(delayMs).toBeGreaterThanOrEqual(50);
        // A draw just below 1 rounds up to the bound itself.
        expect(delayMs).toBeLessThanOrEqual(Math.min(1_000, 50 * 2 ** (attempt + 1)));
      });
    }),
  );
});

test('after a success the bound starts again at the floor', () => {
  const backOff = new BackOff(50, 1_000, () => 0.999);
  for (let attempt = 0; attempt < 10; attempt += 1) backOff.nextMs();
  expect(backOff.nextMs()).toBeGreaterThan(900);
  backOff.reset();
  expect(backOff.nextMs()).toBeLessThan(100);
});
