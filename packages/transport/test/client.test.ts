import {
  decodeServerFrame,
  DEFAULT_WIRE_LIMITS,
  encodeClientCommand,
  encodeClientFrame,
  type ClientCommand,
  type ClientRequest,
  type SessionId,
  utf8ByteString,
} from '@raftd/protocol';
import { expect, test } from 'vitest';
import { clientHello, closed, dialNode, n1, rawSocket, settings, startNode } from './support.js';

function put(requestId: number, value: Uint8Array): ClientRequest {
  const stamp = { session: 's' as SessionId, openedAtMs: 0, sequence: requestId, mark: 0 };
  const key = utf8ByteString('k');
  const command: ClientCommand = { type: 'put', key, value, lease: undefined, guards: [] };
  const payload = encodeClientCommand(stamp, command);
  return { type: 'command', requestId, payload, logged: { stamp, command } };
}

const recordNumbers = {
  key: utf8ByteString('k'),
  createRevision: 1,
  modRevision: 1,
  version: 1,
  lease: undefined,
};

test('a client says hello, is welcomed, sends requests and gets replies', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  expect(await client.welcomes.next()).toMatchObject({ nodeId: 'n1', clusterTimeMs: 17 });

  client.dial.send([put(1, new Uint8Array([7])), { type: 'status', requestId: 2 }]);
  const requests = await node.client.requests.next();
  expect(requests.map((request) => request.type)).toEqual(['command', 'status']);

  const connection = await node.client.connections.next();
  connection.send({ type: 'replies', replies: [{ requestId: 2, body: { type: 'unwatched' } }] });
  expect(await client.replies.next()).toEqual([{ requestId: 2, body: { type: 'unwatched' } }]);
});

test('requests of one call arrive as one batch', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  await client.welcomes.next();
  client.dial.send(Array.from({ length: 100 }, (_, index) => put(index + 1, new Uint8Array(10))));
  expect(await node.client.requests.next()).toHaveLength(100);
});

test('events and the end of a watch reach the client', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  const connection = await node.client.connections.next();
  connection.send({ type: 'events', watchId: 3, changes: [] });
  const error = { code: 'COMPACTED', message: 'gone', details: { revision: 4 } } as const;
  connection.send({ type: 'watch-ended', watchId: 3, error });
  expect(await client.events.next()).toEqual({ type: 'events', watchId: 3, changes: [] });
  expect(await client.ended.next()).toEqual({ type: 'watch-ended', watchId: 3, error });
});

test('one invalid request is answered alone; its connection lives on', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  await client.welcomes.next();
  const tooLarge = put(2, new Uint8Array(DEFAULT_WIRE_LIMITS.valueBytesMax + 1));
  client.dial.send([put(1, new Uint8Array(1)), tooLarge, put(3, new Uint8Array(1))]);
  const requests = await node.client.requests.next();
  expect(requests.map((request) => request.requestId)).toEqual([1, 3]);
  expect(await client.replies.next()).toMatchObject([
    { requestId: 2, body: { type: 'error', error: { code: 'LIMIT_EXCEEDED' } } },
  ]);
});

test('a goodbye of the server is what the client hears as the reason of the close', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  const connection = await node.client.connections.next();
  const error = { code: 'SLOW_CONSUMER', message: 'too slow', details: { bytes: 9 } } as const;
  connection.close(error);
  expect(await client.closes.next()).toEqual(error);
  expect(await node.client.closes.next()).toBe(connection);
});

test('a connection that the client closes ends on both sides, once', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  await client.welcomes.next();
  client.dial.close();
  expect(await client.closes.next()).toMatchObject({ code: 'CLIENT_CLOSED' });
  await node.client.closes.next();
  client.dial.send([put(1, new Uint8Array(1))]);
  expect(client.closes.all).toHaveLength(1);
});

test('a refused connection is UNAVAILABLE and names the address and the cause', async () => {
  const node = await startNode(n1);
  await closed(node.listener);
  const client = dialNode(node.address);
  expect(await client.closes.next()).toMatchObject({
    code: 'UNAVAILABLE',
    details: { address: node.address, reason: 'ECONNREFUSED' },
  });
});

test('an address that is none is INVALID_ARGUMENT', async () => {
  const client = dialNode('no port here');
  expect(await client.closes.next()).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('a node that goes down says so to its clients', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address);
  await client.welcomes.next();
  await closed(node.listener);
  expect(await client.closes.next()).toMatchObject({ code: 'SHUTTING_DOWN' });
});

test('another protocol version is refused before anything else of the hello is read', async () => {
  const node = await startNode(n1);
  const client = dialNode(node.address, { ...clientHello, protocolVersion: 2 });
  expect(await client.closes.next()).toMatchObject({
    code: 'UNSUPPORTED_VERSION',
    details: { theirs: 2, ours: 1 },
  });
  expect(node.client.connections.all).toHaveLength(0);
});

test('requests before the hello close the connection', async () => {
  const node = await startNode(n1);
  const raw = await rawSocket(node.address, '/client');
  raw.socket.send(encodeClientFrame({ type: 'requests', requests: [] }));
  expect(await raw.end).toMatchObject({
    code: 1002,
    reason: expect.stringMatching(/first frame must be a hello/),
  });
});

test('a client that does not say hello in time is sent away', async () => {
  const node = await startNode(n1, { settings: { ...settings, handshakeTimeoutMs: 20 } });
  const raw = await rawSocket(node.address, '/client');
  const goodbye = decodeServerFrame(await raw.frames.next(), DEFAULT_WIRE_LIMITS);
  expect(goodbye).toMatchObject({ ok: true, value: { error: { code: 'TIMEOUT' } } });
  expect((await raw.end).code).toBe(1008);
});

test('clients beyond the limit are TOO_MANY_CONNECTIONS until one leaves', async () => {
  const node = await startNode(n1, { settings: { ...settings, clientConnectionsMax: 1 } });
  const first = dialNode(node.address);
  await first.welcomes.next();
  const second = dialNode(node.address);
  expect(await second.closes.next()).toMatchObject({ code: 'TOO_MANY_CONNECTIONS' });
  first.dial.close();
  await node.client.closes.next();
  await dialNode(node.address).welcomes.next();
});

test('a storm of handshakes is cut to the budget of its window', async () => {
  const slow = { ...settings, handshakesPerWindowMax: 3, handshakeWindowMs: 60_000 };
  const node = await startNode(n1, { settings: slow });
  const clients = Array.from({ length: 5 }, () => dialNode(node.address));
  const outcomes = await Promise.all(
    clients.map((client) =>
      Promise.race([
        client.welcomes.next().then(() => 'welcome'),
        client.closes.next().then((error) => error.code),
      ]),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'welcome')).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === 'TOO_MANY_CONNECTIONS')).toHaveLength(2);
});

test('bytes that a client does not read are visible to the server', async () => {
  const node = await startNode(n1);
  const raw = await rawSocket(node.address, '/client');
  raw.socket.send(encodeClientFrame(clientHello));
  const connection = await node.client.connections.next();
  raw.socket.pause();
  const record = { key: utf8ByteString('k'), value: new Uint8Array(1024 * 1024) };
  const numbers = { createRevision: 1, modRevision: 1, version: 1, lease: undefined };
  type Sent = Parameters<typeof connection.send>[0];
  const body = { type: 'query', result: { type: 'get', record: { ...record, ...numbers } } };
  const frame = { type: 'replies', replies: [{ requestId: 1, body }] } as unknown as Sent;
  for (let sent = 0; sent < 64; sent += 1) connection.send(frame);
  expect(connection.bufferedBytes()).toBeGreaterThan(32 * 1024 * 1024);
});

test('an answer larger than a frame becomes an error, not silence', async () => {
  const limits = { ...DEFAULT_WIRE_LIMITS, frameBytesMax: 1000 };
  const node = await startNode(n1, { limits });
  const client = dialNode(node.address);
  const connection = await node.client.connections.next();
  const error = { code: 'OVERLOADED', message: 'x'.repeat(2000), details: {} } as const;
  connection.send({ type: 'replies', replies: [{ requestId: 4, body: { type: 'error', error } }] });
  expect(await client.replies.next()).toMatchObject([
    { requestId: 4, body: { error: { code: 'LIMIT_EXCEEDED', details: { limit: 1000 } } } },
  ]);
});

test('of a frame of answers that is too large only those too large by themselves are lost', async () => {
  const limits = { ...DEFAULT_WIRE_LIMITS, frameBytesMax: 1000 };
  const node = await startNode(n1, { limits });
  const client = dialNode(node.address);
  const connection = await node.client.connections.next();
  type Sent = Parameters<typeof connection.send>[0];
  const reading = (bytes: number): object => ({
    type: 'txn',
    revision: 1,
    succeeded: true,
    results: [{ type: 'get', record: { ...recordNumbers, value: new Uint8Array(bytes) } }],
  });
  const replies = [600, 2000, 600].map((bytes, at) => {
    return { requestId: at, body: { type: 'command', result: reading(bytes) } };
  });
  connection.send({ type: 'replies', replies } as unknown as Sent);
  expect(await client.replies.next()).toMatchObject([{ requestId: 0, body: { type: 'command' } }]);
  expect(await client.replies.next()).toMatchObject([
    { requestId: 1, body: { error: { code: 'REPLY_DROPPED', details: { limit: 1000 } } } },
  ]);
  expect(await client.replies.next()).toMatchObject([{ requestId: 2, body: { type: 'command' } }]);
});

test('a client that answers no pings is dropped', async () => {
  const node = await startNode(n1, {
    settings: { ...settings, clientPingMs: 10, pingMissesMax: 2 },
  });
  const raw = await rawSocket(node.address, '/client');
  raw.socket.send(encodeClientFrame(clientHello));
  const connection = await node.client.connections.next();
  raw.socket.pause();
  expect(await node.client.closes.next()).toBe(connection);
});
