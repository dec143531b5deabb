import { createServer, type Server, type Socket } from 'node:net';
import {
  type ClientHello,
  DEFAULT_WIRE_LIMITS,
  type ErrorBody,
  encodePeerFrame,
  type EventsFrame,
  type PeerHello,
  PROTOCOL_VERSION,
  type Reply,
  SUBPROTOCOL,
  type WatchEndedFrame,
  type Welcome,
} from '@raftd/protocol';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  type ClientConnection,
  type ClientDial,
  type ClientHandlers,
  createListener,
  createPeerNetwork,
  DEFAULT_TRANSPORT_SETTINGS,
  dialClient,
  type Listener,
  type ListenerOptions,
  type Logger,
  type PeerHandlers,
  type PeerNetwork,
  type PeerNetworkOptions,
  type Timers,
  type TransportSettings,
} from '../src/index.js';

export type NodeId = PeerHello['to'];
export type Message = Parameters<PeerHandlers['onMessages']>[1][number];

export const n1 = 'n1' as NodeId;
export const n2 = 'n2' as NodeId;

export const timers: Timers = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  defer: (callback) => {
    setImmediate(callback);
  },
};

export const clock = { monotonicMs: (): number => performance.now() };

const ignore = (): void => undefined;
export const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A logger whose warnings and notes can be waited for. */
export function listening(): Logger & {
  readonly warnings: Arrivals<object>;
  readonly notes: Arrivals<object>;
} {
  const warnings = new Arrivals<object>();
  const notes = new Arrivals<object>();
  return { ...silent, warnings, notes, warn: warnings.push, debug: notes.push };
}

export const settings: TransportSettings = DEFAULT_TRANSPORT_SETTINGS;

/** Values that arrive one by one; `next` waits for the next one, in order. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #read = 0;
  readonly #waiting: ((value: T) => void)[] = [];

  readonly push = (value: T): void => {
    this.all.push(value);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    this.#read += 1;
    waiting(value);
  };

  next(): Promise<T> {
    const value = this.all[this.#read];
    if (value === undefined) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#read += 1;
    return Promise.resolve(value);
  }

  async until(wanted: (value: T) => boolean): Promise<T> {
    while (true) {
      const value = await this.next();
      if (wanted(value)) return value;
    }
  }
}

/** One node's side for peers: admits everyone from `clusterName` c who means this node. */
export class PeerSide implements PeerHandlers {
  readonly hellos = new Arrivals<PeerHello>();
  readonly messages = new Arrivals<readonly Message[]>();
  readonly id: NodeId;
  clusterName = 'c';

  constructor(id: NodeId) {
    this.id = id;
  }

  hello(to: NodeId, lane: PeerHello['lane']): PeerHello {
    return {
      type: 'peer-hello',
      protocolVersion: PROTOCOL_VERSION,
      clusterName: this.clusterName,
      from: { id: this.id, incarnation: `life-of-${this.id}` },
      to,
      cluster: undefined,
      lane,
      featureLevel: 1,
    };
  }

  onHello(hello: PeerHello): ErrorBody | undefined {
    if (hello.clusterName !== this.clusterName) return refusal('WRONG_CLUSTER');
    if (hello.to !== this.id) return refusal('WRONG_NODE');
    this.hellos.push(hello);
    return undefined;
  }

  onMessages(_from: NodeId, messages: readonly Message[]): void {
    this.messages.push(messages);
  }
}

function refusal(code: 'WRONG_CLUSTER' | 'WRONG_NODE'): ErrorBody {
  return { code, message: 'refused by the test', details: {} };
}

/** One node's side for clients: welcomes everyone, keeps what comes. */
export class ClientSide {
  readonly connections = new Arrivals<ClientConnection>();
  readonly requests = new Arrivals<Parameters<ClientHandlers['onRequests']>[0]>();
  readonly closes = new Arrivals<ClientConnection>();

  readonly accept = (connection: ClientConnection): ClientHandlers => {
    return {
      onHello: () => {
        this.connections.push(connection);
        connection.send(welcome);
      },
      onRequests: this.requests.push,
      onClose: () => this.closes.push(connection),
    };
  };
}

export const welcome: Welcome = {
  type: 'welcome',
  protocolVersion: PROTOCOL_VERSION,
  clusterId: 'cluster',
  nodeId: n1,
  leader: undefined,
  members: [],
  clusterTimeMs: 17,
  featureLevel: 1,
};

export const clientHello: ClientHello = {
  type: 'client-hello',
  protocolVersion: PROTOCOL_VERSION,
  clusterId: undefined,
};

export interface Node {
  readonly listener: Listener;
  readonly peer: PeerSide;
  readonly client: ClientSide;
  readonly port: number;
  readonly address: string;
}

/** A listening node on a free port, closed with the test. */
export async function startNode(id: NodeId, options: Partial<ListenerOptions> = {}): Promise<Node> {
  const peer = new PeerSide(id);
  const client = new ClientSide();
  const listener = createListener({
    host: '127.0.0.1',
    port: 0,
    limits: DEFAULT_WIRE_LIMITS,
    settings,
    peer,
    client: client.accept,
    timers,
    clock,
    log: silent,
    ...options,
  });
  const error = await new Promise((resolve) => listener.listen(resolve));
  if (error !== undefined) throw new Error(JSON.stringify(error));
  onTestFinished(() => closed(listener));
  const port = listener.address()?.port ?? 0;
  return { listener, peer, client, port, address: `127.0.0.1:${port}` };
}

export function closed(closable: { close(done: () => void): void }): Promise<void> {
  return new Promise((resolve) => closable.close(resolve));
}

/** A network of `self` with one peer, started and closed with the test. */
export function startNetwork(
  side: PeerSide,
  peer: NodeId,
  address: string,
  options: Partial<PeerNetworkOptions> = {},
): PeerNetwork {
  const network = createPeerNetwork({
    self: side.id,
    peers: [
      { id: side.id, address: '127.0.0.1:1' },
      { id: peer, address },
    ],
    handlers: side,
    timers,
    random: () => 0,
    limits: DEFAULT_WIRE_LIMITS,
    settings,
    log: silent,
    ...options,
  });
  network.start();
  onTestFinished(() => closed(network));
  return network;
}

export interface Dialled {
  readonly dial: ClientDial;
  readonly welcomes: Arrivals<Welcome>;
  readonly replies: Arrivals<readonly Reply[]>;
  readonly events: Arrivals<EventsFrame>;
  readonly ended: Arrivals<WatchEndedFrame>;
  readonly closes: Arrivals<ErrorBody>;
}

export function dialNode(address: string, hello: ClientHello = clientHello): Dialled {
  const welcomes = new Arrivals<Welcome>();
  const replies = new Arrivals<readonly Reply[]>();
  const events = new Arrivals<EventsFrame>();
  const ended = new Arrivals<WatchEndedFrame>();
  const closes = new Arrivals<ErrorBody>();
  const dial = dialClient({
    address,
    hello,
    handlers: {
      onWelcome: welcomes.push,
      onReplies: replies.push,
      onEvents: events.push,
      onWatchEnded: ended.push,
      onClose: closes.push,
    },
    limits: DEFAULT_WIRE_LIMITS,
    settings,
    timers,
  });
  onTestFinished(() => dial.close());
  return { dial, welcomes, replies, events, ended, closes };
}

export interface RawEnd {
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket of no manners: what it gets, and how it ended. */
export async function rawSocket(
  address: string,
  path: string,
): Promise<{
  readonly socket: WebSocket;
  readonly frames: Arrivals<Uint8Array>;
  readonly end: Promise<RawEnd>;
}> {
  const socket = new WebSocket(`ws://${address}${path}`, [SUBPROTOCOL], {
    perMessageDeflate: false,
  });
  const frames = new Arrivals<Uint8Array>();
  socket.on('message', (data) => {
    if (data instanceof Buffer) frames.push(data);
  });
  const end = new Promise<RawEnd>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  onTestFinished(() => socket.terminate());
  return { socket, frames, end };
}

/** A TCP server that hands over its sockets and says nothing. */
export async function silentServer(): Promise<{
  readonly server: Server;
  readonly port: number;
  readonly sockets: Arrivals<Socket>;
}> {
  const sockets = new Arrivals<Socket>();
  const server = createServer(sockets.push);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.all) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port, sockets };
}

/** A peer that answers the hello and then reads nothing more. */
export async function muteNode(side: PeerSide): Promise<{
  readonly address: string;
  readonly sockets: Arrivals<WebSocket>;
}> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  const sockets = new Arrivals<WebSocket>();
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.once('message', () => {
      socket.send(encodePeerFrame(side.hello(n1, 'control')));
      socket.pause();
    });
  });
  await new Promise((resolve) => server.on('listening', resolve));
  onTestFinished(() => {
    for (const socket of sockets.all) socket.terminate();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { address: `127.0.0.1:${address.port}`, sockets };
}
