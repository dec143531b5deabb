import { Etcd3 } from 'etcd3';

import type { Driver } from './driver.js';

export function connectEtcd(addresses: readonly string[]): Driver {
  const client = new Etcd3({ hosts: addresses.map((address) => `http://${address}`) });
  return {
    put: async (key, value) => {
      await client.put(key).value(Buffer.from(value.buffer, value.byteOffset, value.length));
    },
    get: async (key) => (await client.get(key).buffer()) ?? undefined,
    close: () => Promise.resolve(client.close()),
  };
}
