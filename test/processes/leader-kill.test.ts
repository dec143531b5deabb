import { startCluster } from '@raftd/scripts';
import { expect, test } from 'vitest';

import { leaderOf, Load } from '../src/index.js';

test('kill -9 of the leader under load, five times: every acknowledged put is there exactly once', async () => {
  await using cluster = await startCluster({ nodes: 3 });
  const load = await Load.start(cluster);
  for (let kill = 0; kill < 5; kill += 1) {
    const leader = await leaderOf(cluster);
    await cluster.kill(leader, 'SIGKILL');
    await load.progress();
    await cluster.startNode(leader);
    await load.progress();
  }
  const outcomes = await load.stop();
  expect(outcomes.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(2_000);
  expect(await load.verify(outcomes)).toEqual([]);
});

test('all nodes killed at once and restarted: everything acknowledged is there exactly once', async () => {
  await using cluster = await startCluster({ nodes: 3 });
  const load = await Load.start(cluster);
  for (let round = 0; round < 3; round += 1) {
    await load.progress();
    await cluster.killAll();
    await cluster.start();
    await load.progress();
  }
  const outcomes = await load.stop();
  expect(await load.verify(outcomes)).toEqual([]);
});
