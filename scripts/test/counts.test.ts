import { expect, test } from 'vitest';
import { describeCounts } from '../src/test/counts.js';

test('the closing line adds up the runs', () => {
  const line = describeCounts([
    { passed: 3, failed: 0 },
    { passed: 4, failed: 1 },
  ]);
  expect(line).toBe('7 passed, 1 failed');
});
