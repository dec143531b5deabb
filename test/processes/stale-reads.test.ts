import { connect } from '@raftd/client';
import { startCluster } from '@raftd/scripts';
import { expect, test } from 'vitest';

import { leaderOf } from '../src/index.js';

const ROUNDS = 20;

test.each(['quorum', 'lease'])(
  'a leader that was frozen never serves the old value when it wakes (--reads %s)',
  async (reads) => {
    await using cluster = await startCluster({ nodes: 3, flags: ['--reads', reads] });
    let answered = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const old = await leaderOf(cluster);
      await using reader = await connect(`ws://${cluster.address(old)}`);
      await reader.put('account', `old ${round}`);
      cluster.node(old).kill('SIGSTOP');
      const others = cluster.ids.filter((id) => id !== old).map((id) => cluster.address(id));
      await using writer = await connect(`ws://${others.join(',')}`);
      await writer.put('account', `new ${round}`, { timeoutMs: 30_000 });
      // Asked while it is frozen: the very first thing that it finds when it wakes.
      const early = reader.get('account', { timeoutMs: 30_000 });
      cluster.node(old).kill('SIGCONT');
      const late = reader.get('account', { timeoutMs: 30_000 });
      for (const record of await Promise.all([early, late])) {
        expect(record?.valueText).toBe(`new ${round}`);
        answered += 1;
      }
    }
    expect(answered).toBe(2 * ROUNDS);
  },
);
