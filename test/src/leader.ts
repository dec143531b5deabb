import { connect } from '@raftd/client';
import type { LocalCluster } from '@raftd/scripts';

/** The node that leads now, other than those ruled out; asks until there is one. */
export async function leaderOf(
  cluster: LocalCluster,
  except: readonly string[] = [],
): Promise<string> {
  const ids = cluster.ids.filter((id) => !except.includes(id));
  const endpoints = `ws://${ids.map((id) => cluster.address(id)).join(',')}`;
  await using client = await connect(endpoints);
  for (;;) {
    const { nodes } = await client.status();
    for (const node of nodes) {
      if (node.reachable && node.role === 'leader' && ids.includes(node.id)) return node.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
