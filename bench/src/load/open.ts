import type { Driver, LoadOptions } from './driver.js';
import { connectEtcd } from './etcd-driver.js';
import { connectFloor } from './floor-driver.js';
import { connectRaftd } from './raftd-driver.js';

export async function open(options: LoadOptions): Promise<Driver> {
  switch (options.system) {
    case 'raftd':
      return connectRaftd(options.addresses);
    case 'etcd':
      return connectEtcd(options.addresses);
    case 'floor':
      return connectFloor(options.addresses);
  }
}
