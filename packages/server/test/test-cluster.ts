import type {
  ClientCommand,
  ClientRequest,
  ErrorBody,
  PeerHello,
  Query,
  Reply,
  ReplyBody,
  ServerToClientFrame,
  Stamp,
  Welcome,
} from '@raftd/protocol';
import { commandCodec, PROTOCOL_VERSION, utf8ByteString } from '@raftd/protocol';
import {
  type ClusterIdentity,
  type Entry,
  type HardState,
  type LogWrite,
  type Message,
  type NodeId,
  NO_TERM,
} from '@raftd/raft';
import {
  type ClientHandlers,
  createServer,
  DEFAULT_SERVER_LIMITS,
  type Ports,
  type Server,
  type ServerOptions,
} from '../src/index.js';
import { TinyMachine } from './tiny-machine.js';
import type { VirtualTime } from './virtual-time.js';

const MESSAGE_MS = 1;

/** A disk that keeps what was written, after `delayMs`. */
export class TestDisk {
  delayMs = 2;
  /** Set by a test: the next write fails. */
  failing = false;
  /** Set by a test: writes do not complete until released. */
  frozen = false;
  identity: ClusterIdentity | undefined;
  hardState: HardState = { term: NO_TERM, votedFor: undefined, promiseMs: 0 };
  readonly entries: Entry[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  append(write: LogWrite, done: (error: Error | undefined) => void): void {
    this.#later(done, () => {
      if (write.hardState !== undefined) this.hardState = write.hardState;
      if (write.truncateFrom !== undefined) this.entries.length = write.truncateFrom - 1;
      this.entries.push(...write.entries);
    });
  }

  saveIdentity(identity: ClusterIdentity, done: (error: Error | undefined) => void): void {
    this.#later(done, () => {
      this.identity = identity;
    });
  }

  #later(done: (error: Error | undefined) => void, write: () => void): void {
    this.#time.after(this.delayMs, () => {
      if (this.frozen) return;
      if (this.failing) return done(new Error('no space left'));
      write();
      done(undefined);
    });
  }
}

/** One client's connection, with every frame it was sent. */
export class TestClient {
  readonly frames: ServerToClientFrame[] = [];
  readonly replies = new Map<number, ReplyBody[]>();
  closedWith: ErrorBody | undefined;
  buffered = 0;
  readonly handlers: ClientHandlers;
  #requestId = 0;

  constructor(server: Server, clusterId?: string) {
    this.handlers = server.acceptClient({
      send: (frame) => this.#onFrame(frame),
      bufferedBytes: () => this.buffered,
      close: (error) => {
        this.closedWith = error;
      },
    });
    this.handlers.onHello({ type: 'client-hello', protocolVersion: PROTOCOL_VERSION, clusterId });
  }

  /** Sends requests in one frame; answers their ids. */
  send(...requests: readonly DistributedOmit<ClientRequest, 'requestId'>[]): readonly number[] {
    const numbered = requests.map((request) => {
      this.#requestId += 1;
      return { ...request, requestId: this.#requestId };
    });
    this.handlers.onRequests(numbered);
    return numbered.map((request) => request.requestId);
  }

  put(key: string, stamp: Stamp): number {
    return this.send(putRequest(key, stamp))[0] ?? 0;
  }

  get(key: string, consistency: 'linearizable' | 'stale' = 'linearizable'): number {
    const query: Query = { type: 'get', key: utf8ByteString(key) };
    return this.send({ type: 'query', consistency, query })[0] ?? 0;
  }

  /** The one reply to a request; undefined while there is none. */
  replyTo(requestId: number): ReplyBody | undefined {
    const replies = this.replies.get(requestId) ?? [];
    if (replies.length > 1) throw new Error(`request ${requestId} was answered twice`);
    return replies[0];
  }

  errorTo(requestId: number): ErrorBody | undefined {
    const reply = this.replyTo(requestId);
    return reply?.type === 'error' ? reply.error : undefined;
  }

  get welcome(): Welcome | undefined {
    return this.frames.find((frame) => frame.type === 'welcome');
  }

  /** Revisions of one watch, in the order they came. */
  revisions(watchId: number): readonly number[] {
    return this.frames.flatMap((frame) =>
      frame.type === 'events' && frame.watchId === watchId
        ? frame.changes.map((changes) => changes.revision)
        : [],
    );
  }

  watchEnd(watchId: number): ErrorBody | undefined {
    for (const frame of this.frames) {
      if (frame.type === 'watch-ended' && frame.watchId === watchId) return frame.error;
    }
    return undefined;
  }

  #onFrame(frame: ServerToClientFrame): void {
    this.frames.push(frame);
    if (frame.type !== 'replies') return;
    for (const reply of frame.replies) this.#onReply(reply);
  }

  #onReply({ requestId, body }: Reply): void {
    const known = this.replies.get(requestId);
    if (known === undefined) this.replies.set(requestId, [body]);
    else known.push(body);
  }
}

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export function stamp(sequence: number, session = 's1', openedAtMs = 0): Stamp {
  return { session: session as Stamp['session'], openedAtMs, sequence, mark: 1 };
}

export function putRequest(
  key: string,
  by: Stamp,
): DistributedOmit<Extract<ClientRequest, { type: 'command' }>, 'requestId'> {
  const command: ClientCommand = {
    type: 'put',
    key: utf8ByteString(key),
    value: new Uint8Array([1, 2, 3]),
    lease: undefined,
    guards: [],
  };
  const logged = { stamp: by, command };
  return { type: 'command', payload: commandCodec.encode(logged), logged };
}

export interface TestNode {
  readonly id: NodeId;
  readonly server: Server;
  readonly machine: TinyMachine;
  readonly disk: TestDisk;
  readonly faults: Error[];
}

/** Some nodes in one thread: loopback peers that can be cut, disks of their own, virtual time. */
export class TestCluster {
  readonly nodes = new Map<string, TestNode>();
  readonly #time: VirtualTime;
  readonly #ids: readonly NodeId[];
  readonly #overrides: Partial<ServerOptions>;
  /** `from>to` pairs between which nothing passes. */
  readonly #cut = new Set<string>();
  #seed = 1;

  constructor(time: VirtualTime, size: number, overrides: Partial<ServerOptions> = {}) {
    this.#time = time;
    this.#overrides = overrides;
    this.#ids = Array.from({ length: size }, (_, at) => `n${at + 1}` as NodeId);
  }

  /** All start, introduce themselves to each other, and elect. */
  start(): TestNode {
    for (const id of this.#ids) this.startNode(id);
    this.introduceAll();
    return this.awaitLeader();
  }

  awaitLeader(except?: string): TestNode {
    let found: TestNode | undefined;
    this.#time.until('a leader serves', () => {
      found = [...this.nodes.values()].find(
        (node) =>
          node.id !== except && node.server.status().role === 'leader' && node.machine.initialized,
      );
      return found !== undefined;
    });
    if (found === undefined) throw new Error('no leader');
    return found;
  }

  node(id: string): TestNode {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  others(node: TestNode): readonly TestNode[] {
    return [...this.nodes.values()].filter((other) => other !== node);
  }

  startNode(
    id: NodeId,
    overrides: Partial<ServerOptions> = {},
    disk: TestDisk = new TestDisk(this.#time),
  ): TestNode {
    const machine = new TinyMachine();
    const faults: Error[] = [];
    const ports: Ports = {
      clock: this.#time,
      timers: this.#time,
      random: () => this.#random(),
      storage: disk,
      peers: { send: (message) => this.#deliver(message) },
      machine,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      fatal: (error) => faults.push(error),
    };
    const server = createServer({ ...this.#options(id, disk), ...overrides }, ports);
    const node: TestNode = { id, server, machine, disk, faults };
    this.nodes.set(id, node);
    server.start();
    return node;
  }

  introduceAll(): void {
    for (const source of this.nodes.values()) {
      for (const target of this.nodes.values()) {
        if (source !== target) this.introduce(source.id, target.id);
      }
    }
    this.#time.advance(10);
  }

  /** `source` dials `target`; answers what the target said to the hello. */
  introduce(
    source: string,
    target: string,
    changed: Partial<PeerHello> = {},
  ): ErrorBody | undefined {
    const hello = this.node(source).server.peerHandlers.hello(target as NodeId, 'control');
    return this.node(target).server.peerHandlers.onHello({ ...hello, ...changed });
  }

  /** Nothing passes between `id` and the others, either way. */
  isolate(id: string): void {
    for (const other of this.#ids) {
      if (other === id) continue;
      this.#cut.add(`${id}>${other}`);
      this.#cut.add(`${other}>${id}`);
    }
  }

  /** It hears the others and is not heard. */
  mute(id: string): void {
    for (const other of this.#ids) if (other !== id) this.#cut.add(`${id}>${other}`);
  }

  heal(): void {
    this.#cut.clear();
  }

  client(node: TestNode, clusterId?: string): TestClient {
    return new TestClient(node.server, clusterId);
  }

  #deliver(message: Message): void {
    this.#time.after(MESSAGE_MS, () => {
      if (this.#cut.has(`${message.from}>${message.to}`)) return;
      this.nodes.get(message.to)?.server.peerHandlers.onMessages(message.from, [message]);
    });
  }

  #options(id: NodeId, disk: TestDisk): ServerOptions {
    return {
      id,
      clusterName: 'test',
      members: this.#ids.map((member) => ({ id: member, address: `${member}:7400` })),
      incarnation: `life-of-${id}`,
      identity: disk.identity,
      loaded: {
        hardState: disk.hardState,
        entries: [...disk.entries],
      },
      reads: 'quorum',
      heartbeatMs: 50,
      electionTimeoutMs: 300,
      featureLevel: 1,
      version: '0.0.0',
      hash: (text) => `hash(${text})`,
      limits: DEFAULT_SERVER_LIMITS,
      ...this.#overrides,
    };
  }

  /** A small generator; the draws of all nodes come from one repeatable stream. */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

function ignore(): void {
  // Logs are for people.
}
