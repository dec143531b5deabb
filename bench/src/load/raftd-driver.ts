import { connect } from '@raftd/client';

import type { Driver } from './driver.js';

export async function connectRaftd(addresses: readonly string[]): Promise<Driver> {
  const client = await connect(`ws://${addresses.join(',')}`);
  return {
    put: async (key, value) => {
      await client.put(key, value);
    },
    get: async (key) => (await client.get(key))?.value,
    close: () => client.close(),
  };
}
