import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';

import { connect } from '@raftd/client';
import { type LocalCluster, startCluster } from '@raftd/scripts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';

import { leaderOf } from '../src/index.js';

let cluster: LocalCluster;
let leader: string;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 3 });
  leader = await leaderOf(cluster);
});

afterAll(async () => {
  await cluster.stop();
});

/** A linear congruential generator: the same bytes in every run. */
function bytesOf(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let position = 0; position < length; position += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[position] = state >>> 24;
  }
  return bytes;
}

async function send(
  path: string,
  frame: Buffer | string,
): Promise<{ code: number; reason: string }> {
  const url = `ws://${cluster.address(leader)}${path}`;
  const socket = new WebSocket(url, 'raftd.v1', { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(frame);
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return { code, reason: reason.toString() };
}

async function expectUnharmed(): Promise<void> {
  expect(cluster.ids.every((id) => cluster.node(id).running)).toBe(true);
  await using client = await connect(cluster.endpoints);
  await client.put('unharmed', 'yes');
  const { nodes } = await client.status();
  const leads = nodes.filter((node) => node.reachable && node.role === 'leader');
  expect(leads.map(({ id }) => id)).toEqual([leader]);
}

test.each(['/client', '/peer'])(
  'random bytes on %s close that connection with a reason and touch nothing else',
  async (path) => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { code, reason } = await send(path, bytesOf(seed, 1 + ((seed * 97) % 2_000)));
      expect([1002, 1003, 1007, 1008, 1009]).toContain(code);
      expect(reason).not.toBe('');
    }
    await expectUnharmed();
  },
);

test.each(['/client', '/peer'])('a text frame on %s closes the connection', async (path) => {
  const { code } = await send(path, 'hello');
  expect([1002, 1003, 1008]).toContain(code);
  await expectUnharmed();
});

test.each(['/client', '/peer'])('an oversize frame on %s closes the connection', async (path) => {
  const { code } = await send(path, Buffer.alloc(32 * 1024 * 1024));
  // The sender may see the reset of the socket before the close frame.
  expect([1006, 1009]).toContain(code);
  await expectUnharmed();
});

test('garbage instead of HTTP is answered or cut off, and touches nothing else', async () => {
  const [host, port] = cluster.address(leader).split(':');
  for (let seed = 1; seed <= 50; seed += 1) {
    const socket = connectSocket(Number(port), host);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.end(bytesOf(seed, 500));
    socket.resume();
    await once(socket, 'close');
  }
  await expectUnharmed();
});
