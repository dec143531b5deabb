import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  describeError,
  type ErrorBody,
  errorBody,
  SUBPROTOCOL,
  type WireLimits,
} from '@raftd/protocol';
import { type Server as UpgradeServer, WebSocketServer } from 'ws';
import { Admission } from './admission.js';
import { ClientDoor } from './client-door.js';
import { PeerDoor } from './peer-door.js';
import type {
  ClientConnection,
  ClientHandlers,
  Clock,
  Logger,
  PeerHandlers,
  Timers,
} from './ports.js';
import type { TransportSettings } from './settings.js';
import { NamedCloseSocket, socketLimits } from './web-socket.js';

export interface ListenerOptions {
  /** Name or address to bind; undefined: all interfaces. */
  readonly host: string | undefined;
  /** 0: any free port, see `address()`. */
  readonly port: number;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly peer: PeerHandlers;
  /** Called once a client has said hello, with its connection. */
  readonly client: (connection: ClientConnection) => ClientHandlers;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ListenError {
  readonly code: 'ADDRESS_IN_USE' | 'ADDRESS_NOT_AVAILABLE' | 'NOT_PERMITTED' | 'LISTEN_FAILED';
  readonly message: string;
}

export interface BoundAddress {
  readonly host: string;
  readonly port: number;
}

/** The one port of a node. */
export interface Listener {
  listen(done: (error: ListenError | undefined) => void): void;
  /** Undefined before `listen` is done and after `close`. */
  address(): BoundAddress | undefined;
  /** Ends every connection with SHUTTING_DOWN. */
  close(done: () => void): void;
}

export function createListener(options: ListenerOptions): Listener {
  return new NodeListener(options);
}

/** For peers, for handshakes under way, and to say 503. */
const SPARE_SOCKETS = 1_024;

interface Door {
  refuse(error: ErrorBody): void;
}

class NodeListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #http: Server;
  readonly #upgrades: UpgradeServer<typeof NamedCloseSocket>;
  readonly #admission: Admission;
  readonly #doors = new Set<Door>();
  /** By peer and lane: the newest wins. */
  readonly #lanes = new Map<string, PeerDoor>();
  #closing = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#admission = new Admission(options.settings, options.clock);
    const { clientConnectionsMax, closeTimeoutMs, handshakeTimeoutMs } = options.settings;
    this.#upgrades = new WebSocketServer({
      ...socketLimits(options.limits.frameBytesMax, closeTimeoutMs),
      noServer: true,
      clientTracking: false,
      WebSocket: NamedCloseSocket,
      handleProtocols: () => SUBPROTOCOL,
    });
    this.#http = createServer({
      noDelay: true,
      headersTimeout: handshakeTimeoutMs,
      requestTimeout: handshakeTimeoutMs,
      connectionsCheckingInterval: handshakeTimeoutMs,
    });
    // Sockets that never ask for an upgrade take places too, for as long as the headers may take.
    this.#http.maxConnections = clientConnectionsMax + SPARE_SOCKETS;
    this.#http.on('request', answerPlainly);
    this.#http.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
    this.#http.on('clientError', (_error, socket) => endWith(socket, 400, 'not HTTP'));
  }

  listen(done: (error: ListenError | undefined) => void): void {
    const onError = (error: Error): void => {
      done(listenError(error, this.#options));
    };
    this.#http.once('error', onError);
    const { host, port } = this.#options;
    this.#http.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      this.#http.off('error', onError);
      this.#http.on('error', (error) => {
        this.#options.log.error({ error: error.message }, 'the listener has a fault');
      });
      done(undefined);
    });
  }

  address(): BoundAddress | undefined {
    const address = this.#http.address();
    if (address === null || typeof address === 'string') return undefined;
    return { host: address.address, port: address.port };
  }

  close(done: () => void): void {
    this.#closing = true;
    const error = errorBody('SHUTTING_DOWN', 'this node is going down');
    for (const door of this.#doors) door.refuse(error);
    this.#http.close(() => done());
    this.#http.closeAllConnections();
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const path = pathOf(request);
    const refusal = upgradeRefusal(request, path);
    if (refusal !== undefined) {
      endWith(socket, refusal.status, refusal.text);
      return;
    }
    const isPeer = path === '/peer';
    const full = this.#closing
      ? errorBody('SHUTTING_DOWN', 'this node is going down')
      : isPeer
        ? this.#admission.enterPeer()
        : this.#admission.enterClient();
    if (full !== undefined) {
      this.#options.log.debug({ path, error: describeError(full) }, 'a connection is refused');
      endWith(socket, 503, describeError(full));
      return;
    }
    this.#upgrade(request, socket, head, isPeer);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, isPeer: boolean): void {
    let upgraded = false;
    // `ws` answers a malformed upgrade itself and never calls back: the place is given back then.
    socket.once('close', () => {
      if (upgraded) return;
      this.#admission.handshakeDone();
      if (!isPeer) this.#admission.leaveClient();
    });
    this.#upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      upgraded = true;
      if (isPeer) this.#openPeer(webSocket);
      else this.#openClient(webSocket);
    });
  }

  #openClient(socket: NamedCloseSocket): void {
    const { limits, settings, timers, client } = this.#options;
    const door = new ClientDoor({
      socket,
      limits,
      settings,
      timers,
      client,
      onHandshakeDone: () => this.#admission.handshakeDone(),
      onClosed: () => {
        this.#admission.leaveClient();
        this.#doors.delete(entry);
      },
    });
    const entry: Door = { refuse: (error) => door.close(error) };
    this.#doors.add(entry);
  }

  #openPeer(socket: NamedCloseSocket): void {
    const { limits, settings, timers, log, peer } = this.#options;
    let lane: string | undefined;
    const door = new PeerDoor({
      socket,
      limits,
      settings,
      timers,
      log,
      handlers: peer,
      onHandshakeDone: () => this.#admission.handshakeDone(),
      onAdmitted: (hello) => {
        lane = `${hello.lane}/${hello.from.id}`;
        const older = this.#lanes.get(lane);
        this.#lanes.set(lane, door);
        older?.terminate(errorBody('UNAVAILABLE', 'a newer connection of this peer took over'));
      },
      onClosed: () => {
        this.#doors.delete(door);
        if (lane !== undefined && this.#lanes.get(lane) === door) this.#lanes.delete(lane);
      },
    });
    this.#doors.add(door);
  }
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function isUpgradePath(path: string): boolean {
  return path === '/peer' || path === '/client';
}

interface HttpRefusal {
  readonly status: number;
  readonly text: string;
}

function upgradeRefusal(request: IncomingMessage, path: string): HttpRefusal | undefined {
  if (!isUpgradePath(path)) return { status: 404, text: 'not found: /peer and /client are served' };
  // A web page must not reach a node on its reader's machine; nodes and clients send no Origin.
  if (request.headers.origin !== undefined) {
    return { status: 403, text: 'browsers are not served' };
  }
  const offered = String(request.headers['sec-websocket-protocol'] ?? '');
  if (!offered.split(',').some((protocol) => protocol.trim() === SUBPROTOCOL)) {
    return { status: 426, text: `the subprotocol ${SUBPROTOCOL} is required` };
  }
  return undefined;
}

/** A request without upgrade. */
function answerPlainly(request: IncomingMessage, response: ServerResponse): void {
  const [status, text] = isUpgradePath(pathOf(request))
    ? [426, `upgrade to WebSocket, subprotocol ${SUBPROTOCOL}\n`]
    : [404, 'not found\n'];
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(status, status === 426 ? { ...headers, upgrade: 'websocket' } : headers);
  response.end(text);
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  426: 'Upgrade Required',
  503: 'Service Unavailable',
};

function endWith(socket: Duplex, status: number, text: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = `${text}\n`;
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? ''}\r\nConnection: close\r\n` +
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function listenError(error: Error, options: ListenerOptions): ListenError {
  const where = `${options.host ?? '*'}:${options.port}`;
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return { code: 'ADDRESS_IN_USE', message: `${where} is in use by another process` };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return { code: 'ADDRESS_NOT_AVAILABLE', message: `${where} is no address of this machine` };
    case 'EACCES':
      return { code: 'NOT_PERMITTED', message: `${where} may not be bound by this user` };
    default:
      return { code: 'LISTEN_FAILED', message: `${where}: ${error.message}` };
  }
}
