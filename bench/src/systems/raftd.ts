import { setTimeout as sleep } from 'node:timers/promises';

import { connect } from '@raftd/client';
import { startCluster } from '@raftd/scripts';

import type { System, SystemOptions } from './system.js';

/** As far behind as a few frames in flight. */
const LAG_MAX = 2_000;

async function caughtUp(endpoints: string): Promise<void> {
  await using client = await connect(endpoints);
  for (;;) {
    const { nodes } = await client.status();
    if (nodes.every((node) => node.reachable && node.lag <= LAG_MAX)) return;
    await sleep(100);
  }
}

export async function startRaftd(options: SystemOptions = {}): Promise<System> {
  const cluster = await startCluster({ nodes: 3, ...options });
  const leader = async (): Promise<string> => {
    await using client = await connect(cluster.endpoints);
    for (;;) {
      const { leader: id } = await client.status();
      if (id !== undefined) return id;
    }
  };
  return {
    name: 'raftd',
    addresses: async () => {
      const first = await leader();
      const others = cluster.ids.filter((id) => id !== first);
      return [first, ...others].map((id) => cluster.address(id));
    },
    killLeader: async () => {
      const id = await leader();
      await cluster.kill(id);
      return id;
    },
    restart: async (id) => {
      await cluster.startNode(id);
      await caughtUp(cluster.endpoints);
    },
    stop: () => cluster.stop(),
  };
}
