import { connect } from '@raftd/client';
import { startCluster } from '@raftd/scripts';

import type { System, SystemOptions } from './system.js';

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
    },
    stop: () => cluster.stop(),
  };
}
