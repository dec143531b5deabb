import { startCluster } from '@raftd/scripts';
import { expect, test } from 'vitest';

import { leaderOf, Load } from '../src/index.js';

test('a leader stopped by SIGSTOP is replaced, and rejoins as a follower on SIGCONT', async () => {
  await using cluster = await startCluster({ nodes: 3 });
  const load = await Load.start(cluster);
  for (let round = 0; round < 3; round += 1) {
    const frozen = await leaderOf(cluster);
    cluster.node(frozen).kill('SIGSTOP');
    const successor = await leaderOf(cluster, [frozen]);
    expect(successor).not.toBe(frozen);
    await load.progress();
    cluster.node(frozen).kill('SIGCONT');
    await load.progress();
  }
  const outcomes = await load.stop();
  expect(await load.verify(outcomes)).toEqual([]);
});
