import { request } from 'node:http';
import { connect } from 'node:net';
import {
  decodePeerFrame,
  decodeServerFrame,
  DEFAULT_WIRE_LIMITS,
  encodeClientFrame,
  encodePeerFrame,
} from '@raftd/protocol';
import { expect, test } from 'vitest';
import { createListener } from '../src/index.js';
import {
  ClientSide,
  clientHello,
  clock,
  dialNode,
  n1,
  n2,
  PeerSide,
  rawSocket,
  settings,
  silent,
  startNode,
  timers,
} from './support.js';

function get(port: number, path: string, headers = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, headers, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Bytes to the bare port, and all that comes back until it closes. */
function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

const upgrade = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'raftd.v1',
};

test('a port in use is a typed error', async () => {
  const node = await startNode(n1);
  const second = createListener({
    host: '127.0.0.1',
    port: node.port,
    limits: DEFAULT_WIRE_LIMITS,
    settings,
    peer: new PeerSide(n2),
    client: new ClientSide().accept,
    timers,
    clock,
    log: silent,
  });
  const error = await new Promise((resolve) => second.listen(resolve));
  expect(error).toMatchObject({ code: 'ADDRESS_IN_USE' });
});

test('plain requests get 404, or 426 on the paths that speak WebSocket', async () => {
  const node = await startNode(n1);
  expect(await get(node.port, '/')).toMatchObject({ status: 404 });
  expect(await get(node.port, '/client')).toMatchObject({
    status: 426,
    text: expect.stringMatching(/raftd\.v1/),
  });
  expect(await get(node.port, '/peer?x=1')).toMatchObject({ status: 426 });
});

test('upgrades elsewhere, of browsers and without the subprotocol are refused', async () => {
  const node = await startNode(n1);
  expect(await get(node.port, '/elsewhere', upgrade)).toMatchObject({ status: 404 });
  const origin = { ...upgrade, origin: 'http://example.org' };
  expect(await get(node.port, '/client', origin)).toMatchObject({ status: 403 });
  const other = { ...upgrade, 'sec-websocket-protocol': 'chat' };
  expect(await get(node.port, '/client', other)).toMatchObject({ status: 426 });
});

test('a malformed upgrade gives its place back', async () => {
  const node = await startNode(n1, { settings: { ...settings, clientConnectionsMax: 1 } });
  const bad = { ...upgrade, 'sec-websocket-key': 'short' };
  expect(await get(node.port, '/client', bad)).toMatchObject({ status: 400 });
  await dialNode(node.address).welcomes.next();
});

test('bytes that are not HTTP are answered 400', async () => {
  const node = await startNode(n1);
  expect(await exchange(node.port, Uint8Array.of(1, 2, 3, 4, 10, 13, 10))).toMatch(
    /^HTTP\/1.1 400/,
  );
});

for (const path of ['/client', '/peer']) {
  test(`random bytes on ${path} close that connection, the others live on`, async () => {
    const node = await startNode(n1);
    const other = dialNode(node.address);
    await other.welcomes.next();
    const raw = await rawSocket(node.address, path);
    raw.socket.send(Uint8Array.of(0xc1, 0xff, 0x00, 0x93, 0x01));
    const decode = path === '/peer' ? decodePeerFrame : decodeServerFrame;
    expect(decode(await raw.frames.next(), DEFAULT_WIRE_LIMITS)).toMatchObject({
      ok: true,
      value: { type: 'goodbye', error: { code: 'MALFORMED_FRAME' } },
    });
    expect(await raw.end).toMatchObject({
      code: 1002,
      reason: expect.stringMatching(/^MALFORMED_FRAME: frame /),
    });
    other.dial.send([{ type: 'status', requestId: 1 }]);
    expect(await node.client.requests.next()).toHaveLength(1);
  });

  test(`a text frame on ${path} closes the connection`, async () => {
    const node = await startNode(n1);
    const raw = await rawSocket(node.address, path);
    raw.socket.send('hello');
    expect(await raw.end).toMatchObject({
      code: 1002,
      reason: expect.stringMatching(/frames are binary/),
    });
  });

  test(`a frame above the limit on ${path} closes the connection with 1009`, async () => {
    const node = await startNode(n1, { limits: { ...DEFAULT_WIRE_LIMITS, frameBytesMax: 1000 } });
    const raw = await rawSocket(node.address, path);
    raw.socket.send(new Uint8Array(1001));
    const decode = path === '/peer' ? decodePeerFrame : decodeServerFrame;
    expect(decode(await raw.frames.next(), DEFAULT_WIRE_LIMITS)).toMatchObject({
      value: { type: 'goodbye', error: { code: 'FRAME_TOO_LARGE' } },
    });
    expect(await raw.end).toMatchObject({
      code: 1009,
      reason: expect.stringMatching(/^FRAME_TOO_LARGE/),
    });
  });

  test(`bytes on ${path} that are no WebSocket frame close the connection`, async () => {
    const node = await startNode(n1);
    const lines = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}`);
    const head = [`GET ${path} HTTP/1.1`, `host: ${node.address}`, ...lines, '', ''].join('\r\n');
    const garbage = Buffer.concat([Buffer.from(head), Buffer.alloc(64, 0xff)]);
    const answer = await exchange(node.port, garbage);
    expect(answer).toMatch(/^HTTP\/1.1 101/);
    expect(answer).toContain('MALFORMED_FRAME');
    expect(node.client.connections.all).toHaveLength(0);
  });
}

test('a second hello closes the connection', async () => {
  const node = await startNode(n1);
  const client = await rawSocket(node.address, '/client');
  client.socket.send(encodeClientFrame(clientHello));
  client.socket.send(encodeClientFrame(clientHello));
  expect(await client.end).toMatchObject({
    code: 1002,
    reason: expect.stringMatching(/one hello/),
  });
  const peer = await rawSocket(node.address, '/peer');
  const hello = encodePeerFrame(new PeerSide(n2).hello(n1, 'control'));
  peer.socket.send(hello);
  peer.socket.send(hello);
  expect(await peer.end).toMatchObject({ code: 1002, reason: expect.stringMatching(/one hello/) });
});
