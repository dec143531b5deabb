import { pack, unpack } from 'msgpackr';
import WebSocket from 'ws';

import type { Driver } from './driver.js';

/** The client half of the floor: requests of one turn travel in one frame, as raftd's do. */
export async function connectFloor(addresses: readonly string[]): Promise<Driver> {
  const socket = new WebSocket(`ws://${addresses[0]}`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (value: Uint8Array | undefined) => void>();
  let outgoing: unknown[] = [];
  let nextId = 0;
  socket.on('message', (frame: Buffer) => {
    for (const [id, value] of unpack(frame) as [number, Uint8Array | undefined][]) {
      waiting.get(id)?.(value);
      waiting.delete(id);
    }
  });
  const request = (key: string, value: Uint8Array | null): Promise<Uint8Array | undefined> =>
    new Promise((resolve) => {
      nextId += 1;
      waiting.set(nextId, resolve);
      if (outgoing.push([nextId, key, value]) > 1) return;
      setImmediate(() => {
        socket.send(pack(outgoing));
        outgoing = [];
      });
    });
  return {
    put: async (key, value) => {
      await request(key, value);
    },
    get: (key) => request(key, null),
    close: () => new Promise((resolve) => socket.once('close', resolve).close()),
  };
}
