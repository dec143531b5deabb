import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClientCommand,
  type ClientRequest,
  commandCodec,
  DEFAULT_WIRE_LIMITS,
  type EventsFrame,
  PROTOCOL_VERSION,
  type ReplyBody,
  utf8ByteString,
  type Welcome,
} from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import { type ClientDial, DEFAULT_TRANSPORT_SETTINGS, dialClient } from '@raftd/transport';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { checkIdentity } from '../../src/raftd/identity-check.js';
import { type RunningNode, startNode } from '../../src/raftd/node.js';
import type { RaftdSettings } from '../../src/raftd/settings.js';
import { systemTimers } from '../../src/raftd/surroundings.js';

const scratch = mkdtempSync(join(tmpdir(), 'raftd-node-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const faults: Error[] = [];
let settings: RaftdSettings;
let node: RunningNode;
let directories = 0;

beforeEach(async () => {
  const port = await freePort();
  directories += 1;
  settings = {
    id: 'n1' as NodeId,
    peers: [{ id: 'n1' as NodeId, address: `127.0.0.1:${port}` }],
    listen: { host: '127.0.0.1', port },
    advertise: `127.0.0.1:${port}`,
    dataDirectory: join(scratch, `${directories}`),
    clusterName: 'test',
    reads: 'quorum',
    heartbeatMs: 50,
    electionTimeoutMs: 300,
    logLevel: 'silent',
  };
  node = await start();
});

afterEach(async () => {
  await node.stop();
  expect(faults).toEqual([]);
});

function start(): Promise<RunningNode> {
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  return startNode(settings, { log, version: '1.2.3', fatal: (error) => faults.push(error) });
}

test('a node serves over real sockets and disk, and has what it acknowledged after a restart', async () => {
  const client = await TestClient.dial(settings.advertise);
  expect(await client.put('greeting', 'hello')).toMatchObject({ result: { type: 'put' } });
  const before = await client.get('greeting');
  expect(before).toMatchObject({ result: { record: { version: 1 } } });
  client.close();
  await node.stop();
  node = await start();
  const again = await TestClient.dial(settings.advertise);
  expect(again.welcome.clusterId).toBe(client.welcome.clusterId);
  expect(await again.get('greeting')).toEqual(before);
  again.close();
});

test('a lease that nobody renews ends by itself: its key goes, its grant passes on', async () => {
  const client = await TestClient.dial(settings.advertise);
  const [first, second] = ['lease-1', 'lease-2'] as never[];
  await client.command({ type: 'lease-grant', lease: first as never, ttlMs: 2_000 });
  // Only now the node leads: before, a watch "from now on" is refused.
  const ended = client.watchElection('billing', (event) => event.type === 'ended');
  await client.command({ type: 'lease-grant', lease: second as never, ttlMs: 60_000 });
  const campaign = { type: 'campaign', election: 'billing', metadata: new Uint8Array() } as const;
  const granted = await client.command({
    ...campaign,
    lease: first as never,
    candidate: 'a',
    campaignId: 'c-1' as never,
  });
  expect(granted).toMatchObject({ result: { state: { state: 'granted' } } });
  const queued = await client.command({
    ...campaign,
    lease: second as never,
    candidate: 'b',
    campaignId: 'c-2' as never,
  });
  expect(queued).toMatchObject({ result: { state: { state: 'queued', position: 1 } } });
  const handOver = await ended;
  expect(handOver.events.map((event) => event.type)).toEqual(['ended', 'granted']);
  client.close();
});

test('a second node on the data directory is refused, the first goes on', async () => {
  await expect(start()).rejects.toMatchObject({ code: 'DATA_LOCKED' });
  const client = await TestClient.dial(settings.advertise);
  expect(await client.put('a', 'b')).toMatchObject({ result: { type: 'put' } });
  client.close();
});

test('an address in use is refused, and the data directory is released again', async () => {
  const other = { ...settings, dataDirectory: join(scratch, 'other') };
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const context = { log, version: '1.2.3', fatal: silent };
  await expect(startNode(other, context)).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
  await expect(startNode(other, context)).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
});

test('the data directory of a cluster of other nodes is refused', () => {
  const members = ['n1', 'n2', 'n3'].map((id) => ({ id: id as NodeId, incarnation: id }));
  expect(() => checkIdentity(settings, { clusterId: 'c', members })).toThrow(/of n1, n2, n3/);
  expect(() => checkIdentity(settings, undefined)).not.toThrow();
});

/** Straight on the transport: one request at a time, by its reply. */
class TestClient {
  readonly welcome: Welcome;
  readonly #connection: ClientDial;
  readonly #waiting: Map<number, (body: ReplyBody) => void>;
  readonly #watchers: Set<(frame: EventsFrame) => void>;
  #requestId = 0;
  #sequence = 0;

  private constructor(
    welcome: Welcome,
    connection: ClientDial,
    waiting: Map<number, (body: ReplyBody) => void>,
    watchers: Set<(frame: EventsFrame) => void>,
  ) {
    this.welcome = welcome;
    this.#connection = connection;
    this.#waiting = waiting;
    this.#watchers = watchers;
  }

  static async dial(address: string): Promise<TestClient> {
    for (;;) {
      const client = await TestClient.#dialOnce(address);
      if (client !== undefined) return client;
    }
  }

  /** Undefined: the node was not ready for clients yet, as it forms its cluster after listening. */
  static #dialOnce(address: string): Promise<TestClient | undefined> {
    const waiting = new Map<number, (body: ReplyBody) => void>();
    const watchers = new Set<(frame: EventsFrame) => void>();
    return new Promise((resolve) => {
      const connection = dialClient({
        address,
        hello: { type: 'client-hello', protocolVersion: PROTOCOL_VERSION, clusterId: undefined },
        limits: DEFAULT_WIRE_LIMITS,
        settings: DEFAULT_TRANSPORT_SETTINGS,
        timers: systemTimers,
        handlers: {
          onWelcome: (welcome) => resolve(new TestClient(welcome, connection, waiting, watchers)),
          onReplies: (replies) => {
            for (const { requestId, body } of replies) waiting.get(requestId)?.(body);
          },
          onEvents: (frame) => {
            for (const watcher of watchers) watcher(frame);
          },
          onWatchEnded: () => undefined,
          onClose: () => resolve(undefined),
        },
      });
    });
  }

  async command(command: ClientCommand): Promise<ReplyBody> {
    this.#sequence += 1;
    const stamp = {
      session: 'session-of-this-test' as never,
      openedAtMs: this.welcome.clusterTimeMs ?? 0,
      sequence: this.#sequence,
      mark: this.#sequence,
    };
    const logged = { stamp, command };
    for (;;) {
      const payload = commandCodec.encode(logged);
      const body = await this.#send({ type: 'command', requestId: this.#next(), payload, logged });
      // Just started: nobody leads for a moment.
      if (body.type === 'error' && body.error.code === 'UNAVAILABLE') continue;
      return body;
    }
  }

  put(key: string, value: string): Promise<ReplyBody> {
    return this.command({
      type: 'put',
      key: utf8ByteString(key),
      value: new TextEncoder().encode(value),
      lease: undefined,
      guards: [],
    });
  }

  async get(key: string): Promise<ReplyBody> {
    for (;;) {
      const body = await this.#send({
        type: 'query',
        requestId: this.#next(),
        consistency: 'linearizable',
        query: { type: 'get', key: utf8ByteString(key) },
      });
      if (body.type === 'error' && body.error.code === 'UNAVAILABLE') continue;
      return body;
    }
  }

  /** The first changes of the election that hold such an event. */
  watchElection(
    election: string,
    holds: (event: EventsFrame['changes'][number]['events'][number]) => boolean,
  ): Promise<EventsFrame['changes'][number]> {
    const found = new Promise<EventsFrame['changes'][number]>((resolve) => {
      this.#watchers.add((frame) => {
        const changes = frame.changes.find(({ events }) => events.some(holds));
        if (changes !== undefined) resolve(changes);
      });
    });
    const target = { type: 'election', election } as const;
    const requestId = this.#next();
    this.#connection.send([
      { type: 'watch', requestId, watchId: 1, target, fromRevision: undefined },
    ]);
    return found;
  }

  close(): void {
    this.#connection.close();
  }

  #next(): number {
    this.#requestId += 1;
    return this.#requestId;
  }

  #send(request: ClientRequest): Promise<ReplyBody> {
    return new Promise((resolve) => {
      this.#waiting.set(request.requestId, (body) => {
        this.#waiting.delete(request.requestId);
        resolve(body);
      });
      this.#connection.send([request]);
    });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
