import { connect, RaftdError } from '@raftd/client';
import { type LocalCluster, startCluster } from '@raftd/scripts';
import { expect, test } from 'vitest';

import { leaderOf, Load } from '../src/index.js';

const TIMEOUT_MS = 2_000;

test('two of five killed, the leader among them: the other three go on', async () => {
  await using cluster = await startCluster({ nodes: 5 });
  const load = await Load.start(cluster);
  const first = await leaderOf(cluster);
  await cluster.kill(first);
  const second = await leaderOf(cluster, [first]);
  await cluster.kill(second);
  await load.progress();
  await cluster.startNode(first);
  await cluster.startNode(second);
  await load.progress();
  const outcomes = await load.stop();
  expect(await load.verify(outcomes)).toEqual([]);
});

test('a majority killed: calls fail in time, nothing is granted, and all is there afterwards', async () => {
  await using cluster = await startCluster({ nodes: 5 });
  const load = await Load.start(cluster);
  await load.progress();
  const outcomes = await load.stop();
  const dead = cluster.ids.slice(0, 3);
  for (const id of dead) await cluster.kill(id);

  await expectNoService(cluster, cluster.ids.slice(3));

  for (const id of dead) await cluster.startNode(id);
  await leaderOf(cluster);
  expect(await load.verify(outcomes)).toEqual([]);
});

/** Writes, linearizable reads and campaigns end within the caller's time-out, none succeeds. */
async function expectNoService(cluster: LocalCluster, alive: readonly string[]): Promise<void> {
  const endpoints = `ws://${alive.map((id) => cluster.address(id)).join(',')}`;
  await using client = await connect(endpoints);
  const calls: Record<string, () => Promise<unknown>> = {
    put: () => client.put('lonely', 'value', { timeoutMs: TIMEOUT_MS }),
    get: () => client.get('load/0', { timeoutMs: TIMEOUT_MS }),
    campaign: () =>
      client.election('lonely').campaign({
        candidate: 'nobody',
        ttlMs: 1_000,
        timeoutMs: TIMEOUT_MS,
      }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const started = performance.now();
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error, name).toBeInstanceOf(RaftdError);
    const { code, class: kind } = error as RaftdError;
    const isHonest = code === 'UNAVAILABLE' || kind === 'indeterminate';
    // A campaign that was not granted in time is withdrawn: that is all its caller must know.
    expect(isHonest || (name === 'campaign' && code === 'TIMEOUT'), `${name}: ${code}`).toBe(true);
    // Generous: it must end on its own, not when the test does.
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS * 5);
  }
}
