import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { allocatePorts } from '@raftd/scripts';

import type { System } from './system.js';

/** One process, no consensus: the price of ws + msgpackr + one synced LevelDB batch a turn. */
export async function startFloor(): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-floor-'));
  const [port] = await allocatePorts(1);
  const script = fileURLToPath(new URL('./floor-server.js', import.meta.url));
  const server: ChildProcess = fork(script, [String(port), directory]);
  await once(server, 'message');
  return {
    name: 'floor',
    addresses: () => Promise.resolve([`127.0.0.1:${port}`]),
    killLeader: () => Promise.reject(new Error('the floor has no leader')),
    restart: () => Promise.reject(new Error('the floor has no nodes')),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
