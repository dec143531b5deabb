import { expect, it } from 'vitest';
import type { ClientOperation } from '../../src/workload/operation.js';
import { runStorm } from '../../src/storm/index.js';
import { handMadePlan } from './hand-made-plan.js';

const LEAD: ClientOperation = {
  type: 'lead',
  election: 0,
  ttlMs: 2_000,
  holdMs: 20_000,
  workEveryMs: 500,
  careless: true,
  waitMs: undefined,
  end: 'resign',
};

/** The holder hears nothing from 3 s on; whoever wins next does so while it may still believe. */
async function storm(skews: { nodeSkews: number[]; clientSkews: number[] }) {
  const { profile, ...plan } = handMadePlan([], skews);
  return runStorm({
    ...plan,
    profile,
    commands: [
      { atMs: 1_500, command: { type: 'operate', client: 0, operation: LEAD } },
      { atMs: 1_900, command: { type: 'operate', client: 1, operation: LEAD } },
      { atMs: 3_000, command: { type: 'cut-client', client: 0, node: 'all' } },
      { atMs: 8_000, command: { type: 'mend-client', client: 0 } },
    ],
  });
}

it('a client whose clock is a fifth slow believes to lead after another has won', async () => {
  const { failure, sometimes } = await storm({ nodeSkews: [20, 20, 20], clientSkews: [-20, 0] });
  expect(failure).toBeUndefined();
  expect(sometimes['two clients believe to lead']).toBe(1);
});

it('with clocks at the edge of their bound it has stopped before', async () => {
  const { failure, sometimes } = await storm({ nodeSkews: [1, 1, 1], clientSkews: [-1, 0] });
  expect(failure).toBeUndefined();
  expect(sometimes['two clients believe to lead']).toBe(0);
});
