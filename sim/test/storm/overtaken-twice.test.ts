import { expect, it } from 'vitest';
import { runStorm } from '../../src/storm/index.js';
import { handMadePlan } from './hand-made-plan.js';

it('a leader that slept through two terms meets a term two above its own', async () => {
  const plan = handMadePlan([
    [2_000, { type: 'cut-client', client: 0, node: 'leader' }],
    [2_000, { type: 'cut-client', client: 1, node: 'leader' }],
    [2_000, { type: 'isolate', node: 'leader' }],
    [2_030, { type: 'freeze', node: 'leader' }],
    [3_200, { type: 'crash', node: 'leader', landed: 'whole' }],
    [3_200, { type: 'heal' }],
    [3_250, { type: 'restart-all' }],
    [4_400, { type: 'thaw', node: 'old-leader', timersFirst: false }],
    [4_400, { type: 'thaw', node: 'leader', timersFirst: false }],
  ]);
  const { failure, sometimes } = await runStorm(plan);
  expect(failure).toBeUndefined();
  expect(sometimes['leader meets a term two above its own']).toBeGreaterThan(0);
});
