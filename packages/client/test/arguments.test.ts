import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../src/client.js';
import type { WriteGuard } from '../src/kv.js';
import { FakeCluster } from './harness/cluster.js';
import { errorOf, valueOf, watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

let world: World;
let cluster: FakeCluster;
let client: Client;

beforeEach(async () => {
  world = new World();
  cluster = new FakeCluster(world);
  client = await cluster.connect({ to: [1] });
});

/** What a caller without types may hand over. */
function untyped<T>(value: unknown): T {
  return value as T;
}

async function expectRefused(call: Promise<unknown>, field: string, reason = ''): Promise<void> {
  const outcome = watchOutcome(call);
  await world.settle();
  const error = errorOf(outcome);
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', class: 'invalid', details: { field } });
  expect(error.message).toContain(reason);
  expect(cluster.received).toHaveLength(0);
}

const LIMIT = `from 1 to ${2n ** 53n - 1n}`;

it.each([-1n, 0n, 2n ** 53n, 2n ** 63n, 2n ** 64n, undefined, null, 7, '7'])(
  'token %s is none: the call is refused by the name and the limit of its field',
  async (token) => {
    const guard = { election: 'A', token: untyped<bigint>(token) };
    await expectRefused(client.put('g', 'x', { guard }), 'guard.token', LIMIT);
    await expectRefused(client.delete('g', { guard: [guard] }), 'guard.token', LIMIT);
    await expectRefused(client.txn({}, { guard }), 'guard.token', LIMIT);
    await expectRefused(client.fenceAdvance('r', 'A', guard.token), 'token', LIMIT);
  },
);

it.each([null, 5, 'A', [null]])(
  'guard %j is no guard, and no way to write unguarded',
  async (no) => {
    await expectRefused(client.put('g', 'x', { guard: untyped<WriteGuard>(no) }), 'guard');
  },
);

it('a guard names its election', async () => {
  const guard = untyped<WriteGuard>({ token: 1n });
  await expectRefused(client.put('g', 'x', { guard }), 'guard.election');
});

it.each([undefined, null, 5, {}])('%j is neither a key nor a value', async (no) => {
  const bytes = untyped<string>(no);
  await expectRefused(client.put('a', bytes), 'value');
  await expectRefused(client.put(bytes, 'x'), 'key');
  await expectRefused(client.get(bytes), 'key');
});

it('a transaction is an object', async () => {
  await expectRefused(client.txn(untyped(undefined)), 'txn');
  await expectRefused(client.txn(untyped(null)), 'txn');
});

it('text with a lone surrogate is refused: two of them would become the same bytes', async () => {
  const lone = 'a\ud800';
  await expectRefused(client.put(lone, 'x'), 'key', 'surrogate');
  await expectRefused(client.put('k', lone), 'value', 'surrogate');
  await expectRefused(client.rangeAll({ prefix: lone }), 'key', 'surrogate');
  await expectRefused(client.listElections({ prefix: lone }), 'prefix', 'surrogate');
  await expectRefused(client.fenceAdvance('r', lone, 1n), 'election', 'surrogate');
  await expectRefused(client.fenceAdvance(lone, 'e', 1n), 'resource', 'surrogate');
  const election = client.election(lone);
  await expectRefused(election.campaign({ candidate: 'c' }), 'election', 'surrogate');
  await expectRefused(election.show(), 'election', 'surrogate');
  await expectRefused(election.withdraw('l', 'h'), 'election', 'surrogate');
  expect(() => election.observe()).toThrow('surrogate');
});

it('a pair of surrogates is one character like any other', async () => {
  const put = watchOutcome(client.put('a\u{1f600}', '\u{1f600}'));
  await world.advance(20);
  valueOf(put);
});
