import { CLOCK_RATE_BOUND as BOUND_OF_CLIENTS } from '@raftd/client';
import { expect, it } from 'vitest';
import { CLOCK_RATE_BOUND } from '../../src/world/clock-rate-bound.js';

it('the clocks of the world keep to the bound that clients believe in', () => {
  expect(CLOCK_RATE_BOUND).toBe(BOUND_OF_CLIENTS);
});
