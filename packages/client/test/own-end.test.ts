import { expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { Leadership } from '../src/leadership.js';
import { FakeCluster } from './harness/cluster.js';
import { lead } from './harness/lead.js';
import { watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

// The owner's word ends a grant at once, so that its successor leads as soon as it is applied: a
// handle of the same client must be over before the word leaves (found by the storm, L4).
it.each([
  ['revokes its lease', (client: Client, { lease }: Leadership) => client.revokeLease(lease)],
  [
    'withdraws it',
    (client: Client, { lease, holder }: Leadership) => client.election('e').withdraw(lease, holder),
  ],
])('a leadership is over before its own client %s by name', async (_how, end) => {
  const world = new World();
  const cluster = new FakeCluster(world);
  const client = await cluster.connect({ to: [1], silenceMs: 1_000 });
  const leadership = await lead(world, client);
  const ending = watchOutcome<unknown>(end(client, leadership));
  expect(leadership.held).toBe(false);
  expect(leadership.signal.reason).toMatchObject({ reason: 'revoked' });
  await world.advance(20);
  expect(ending.now.state).toBe('resolved');
});
