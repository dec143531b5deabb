import { encodePeerFrame } from '@raftd/protocol';
import { expect, test } from 'vitest';
import type { PeerNetwork } from '../src/index.js';
import { append, heartbeat } from './messages.js';
import {
  closed,
  listening,
  muteNode,
  n1,
  n2,
  type NodeId,
  PeerSide,
  rawSocket,
  settings,
  silentServer,
  startNetwork,
  startNode,
} from './support.js';

/** Both lanes are admitted by the listening side, and it is known here. */
async function connected(network: PeerNetwork, self: PeerSide): Promise<void> {
  await self.hellos.next();
  await self.hellos.next();
  expect(network.connected()).toEqual([n2]);
}

test('a peer is dialled on both lanes, and each side introduces itself', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, node.address);
  const lanes = [await node.peer.hellos.next(), await node.peer.hellos.next()];
  expect(new Set(lanes.map((hello) => hello.lane))).toEqual(new Set(['bulk', 'control']));
  expect(lanes.map((hello) => hello.from.id)).toEqual([n1, n1]);
  await connected(network, self);
});

test('messages of one turn travel in one frame, one alone at the end of its turn', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, node.address);
  await connected(network, self);
  for (let round = 1; round <= 50; round += 1) network.send(heartbeat(round));
  expect(await node.peer.messages.next()).toHaveLength(50);
  network.send(heartbeat(51));
  expect(await node.peer.messages.next()).toEqual([heartbeat(51)]);
});

test('appends go on the bulk lane and arrive as they were sent', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, node.address);
  await connected(network, self);
  network.send(append(300_000));
  network.send(heartbeat(1));
  const batches = [await node.peer.messages.next(), await node.peer.messages.next()];
  const types = new Set(batches.map((batch) => batch[0]?.type));
  expect(types).toEqual(new Set(['append-request', 'heartbeat']));
  expect(batches.flat()).toContainEqual(append(300_000));
});

test('a turn of appends above the frame limit is cut into frames below it', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, node.address);
  await connected(network, self);
  for (let sent = 0; sent < 6; sent += 1) network.send(append(1_500_000));
  const batches = [];
  for (let got = 0; got < 3; got += 1) batches.push(await node.peer.messages.next());
  expect(batches.map((batch) => batch.length)).toEqual([2, 2, 2]);
});

test('messages without a connection are dropped and counted', async () => {
  const { port } = await silentServer();
  const network = startNetwork(new PeerSide(n1), n2, `127.0.0.1:${port}`);
  network.send(heartbeat(1));
  network.send(append(10));
  network.send(heartbeat(1, n1, 'n9' as NodeId));
  expect(network.dropped()).toBe(2);
  expect(network.connected()).toEqual([]);
});

test('what is above the bounds of a lane is dropped, the other lane does not notice', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const bounds = { ...settings, bulkBytesMax: 1_000_000, laneMessagesMax: 10 };
  const network = startNetwork(self, n2, node.address, { settings: bounds });
  await connected(network, self);
  for (let sent = 0; sent < 5; sent += 1) network.send(append(400_000));
  expect(network.dropped()).toBe(3);
  for (let round = 1; round <= 12; round += 1) network.send(heartbeat(round));
  expect(network.dropped()).toBe(5);
  const batches = [await node.peer.messages.next(), await node.peer.messages.next()];
  expect(batches.map((batch) => batch.length).toSorted((a, b) => a - b)).toEqual([2, 10]);
});

test('a peer that does not read fills its bulk lane to the bound and no further', async () => {
  const peer = await muteNode(new PeerSide(n2));
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, peer.address);
  await connected(network, self);
  let sent = 0;
  for (; network.dropped() === 0; sent += 1) {
    expect(sent).toBeLessThan(100);
    network.send(append(1_500_000));
    await new Promise(setImmediate);
  }
  expect(sent).toBeGreaterThan(settings.bulkBytesMax / 1_500_000);
});

test('another cluster, another recipient and a stranger are refused', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  self.clusterName = 'other';
  const log = listening();
  startNetwork(self, n2, node.address, { log });
  expect(await log.warnings.next()).toMatchObject({
    error: expect.stringMatching(/^WRONG_CLUSTER/),
  });

  const raw = await rawSocket(node.address, '/peer');
  raw.socket.send(encodePeerFrame(new PeerSide(n1).hello('n3' as NodeId, 'control')));
  expect(await raw.end).toMatchObject({ code: 1008, reason: expect.stringMatching(/^WRONG_NODE/) });
});

test('an address that leads to another node is refused by the dialling side', async () => {
  const node = await startNode(n2);
  node.peer.onHello = () => undefined;
  const log = listening();
  startNetwork(new PeerSide(n1), 'n3' as NodeId, node.address, { log });
  expect(await log.warnings.next()).toMatchObject({
    error: expect.stringMatching(/^WRONG_NODE: .* is n2/),
  });
});

test('a refusal that repeats is warned of once', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  self.clusterName = 'other';
  const log = listening();
  startNetwork(self, n2, node.address, { log });
  await log.warnings.next();
  await log.warnings.next();
  for (let repeats = 0; repeats < 4; repeats += 1) await log.notes.next();
  expect(log.warnings.all).toHaveLength(2);
});

test('a message in the name of another node closes the connection', async () => {
  const node = await startNode(n2);
  const raw = await rawSocket(node.address, '/peer');
  raw.socket.send(encodePeerFrame(new PeerSide(n1).hello(n2, 'control')));
  const messages = [heartbeat(1, 'n3' as NodeId, n2)];
  raw.socket.send(encodePeerFrame({ type: 'peer-messages', messages }));
  expect(await raw.end).toMatchObject({ code: 1008, reason: expect.stringMatching(/^WRONG_NODE/) });
  expect(node.peer.messages.all).toHaveLength(0);
});

test('messages before the hello close the connection', async () => {
  const node = await startNode(n2);
  const raw = await rawSocket(node.address, '/peer');
  raw.socket.send(encodePeerFrame({ type: 'peer-messages', messages: [heartbeat(1)] }));
  expect(await raw.end).toMatchObject({
    code: 1002,
    reason: expect.stringMatching(/first frame must be a hello/),
  });
});

test('the newest connection of a peer and lane wins', async () => {
  const node = await startNode(n2);
  const older = await rawSocket(node.address, '/peer');
  const newer = await rawSocket(node.address, '/peer');
  const otherLane = await rawSocket(node.address, '/peer');
  older.socket.send(encodePeerFrame(new PeerSide(n1).hello(n2, 'control')));
  await older.frames.next();
  otherLane.socket.send(encodePeerFrame(new PeerSide(n1).hello(n2, 'bulk')));
  await otherLane.frames.next();
  newer.socket.send(encodePeerFrame(new PeerSide(n1).hello(n2, 'control')));
  await newer.frames.next();
  await older.end;
  newer.socket.send(encodePeerFrame({ type: 'peer-messages', messages: [heartbeat(1)] }));
  otherLane.socket.send(encodePeerFrame({ type: 'peer-messages', messages: [heartbeat(2)] }));
  await node.peer.messages.next();
  await node.peer.messages.next();
});

test('a peer that was away is found again when it is back', async () => {
  const first = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, first.address);
  await connected(network, self);
  await closed(first.listener);
  const second = await startNode(n2, { port: first.port });
  await second.peer.hellos.next();
  await second.peer.hellos.next();
  await connected(network, self);
  network.send(heartbeat(7));
  expect(await second.peer.messages.next()).toEqual([heartbeat(7)]);
});

test('a dial that is not answered is given up and tried again', async () => {
  const server = await silentServer();
  const fast = { ...settings, handshakeTimeoutMs: 20 };
  startNetwork(new PeerSide(n1), n2, `127.0.0.1:${server.port}`, { settings: fast });
  for (let dials = 0; dials < 4; dials += 1) await server.sockets.next();
});

test('a peer that answers no pings is dialled anew, on both lanes', async () => {
  const peer = await muteNode(new PeerSide(n2));
  // Only the control lane can find out within this test: the bulk lane goes with it.
  const fast = { ...settings, peerPingMs: 10, bulkMissesMax: 1_000_000 };
  const log = listening();
  startNetwork(new PeerSide(n1), n2, peer.address, { settings: fast, log });
  const lost = [await log.warnings.next(), await log.warnings.next()];
  for (const warning of lost) {
    expect(warning).toMatchObject({ error: expect.stringMatching(/n2 is silent/) });
  }
  for (let dials = 0; dials < 4; dials += 1) await peer.sockets.next();
});

test('a peer that falls silent after the handshake is let go on the listening side', async () => {
  const fast = { ...settings, peerPingMs: 10, peerSilenceMissesMax: 2 };
  const node = await startNode(n2, { settings: fast });
  const raw = await rawSocket(node.address, '/peer');
  raw.socket.send(encodePeerFrame(new PeerSide(n1).hello(n2, 'control')));
  expect((await raw.end).code).toBe(1006);
});

test('closing a network ends its connections on the other side', async () => {
  const node = await startNode(n2);
  const self = new PeerSide(n1);
  const network = startNetwork(self, n2, node.address);
  await connected(network, self);
  await closed(network);
  expect(network.connected()).toEqual([]);
});
