import {
  type ClientHello,
  type ClientRequest,
  decodeServerFrame,
  type ErrorBody,
  type EventsFrame,
  encodeClientFrame,
  errorBody,
  type Reply,
  type ServerToClientFrame,
  type WatchEndedFrame,
  type Welcome,
  type WireLimits,
} from '@raftd/protocol';
import type { ClientRequest as HttpRequest, IncomingMessage } from 'node:http';
import { endError, FrameSocket, type SocketEnd } from './frame-socket.js';
import { KeepAlive } from './keep-alive.js';
import type { Timers } from './ports.js';
import type { TransportSettings } from './settings.js';
import { dial, type NamedCloseSocket, socketLimits } from './web-socket.js';

/** What a client's connection reports. `onClose` comes once, last, never from within a call. */
export interface ClientDialHandlers {
  onWelcome(welcome: Welcome): void;
  onReplies(replies: readonly Reply[]): void;
  onEvents(frame: EventsFrame): void;
  onWatchEnded(frame: WatchEndedFrame): void;
  onClose(error: ErrorBody): void;
}

export interface ClientDialOptions {
  /** HOST:PORT */
  readonly address: string;
  readonly hello: ClientHello;
  readonly handlers: ClientDialHandlers;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly timers: Timers;
}

export interface ClientDial {
  /** In one frame. After `onWelcome`; without effect once closed. */
  send(requests: readonly ClientRequest[]): void;
  /** Bytes handed over and not yet taken by the network. */
  bufferedBytes(): number;
  close(): void;
}

/** Starts to connect and returns at once; a failure to connect is an `onClose`. */
export function dialClient(options: ClientDialOptions): ClientDial {
  const { address, limits, settings, timers, handlers } = options;
  const socket = dial(address, '/client', {
    ...socketLimits(limits.frameBytesMax, settings.closeTimeoutMs),
  });
  if (socket !== undefined) return new Dialled(options, socket);
  const error = errorBody('INVALID_ARGUMENT', `${address} is not HOST:PORT`, { address });
  timers.defer(() => handlers.onClose(error));
  return { send: () => undefined, bufferedBytes: () => 0, close: () => undefined };
}

class Dialled implements ClientDial {
  readonly #options: ClientDialOptions;
  readonly #frames: FrameSocket;
  readonly #cancelHandshake: () => void;
  #keepAlive: KeepAlive | undefined;
  /** Why the server ends this connection, in its own words. */
  #goodbye: ErrorBody | undefined;

  constructor(options: ClientDialOptions, socket: NamedCloseSocket) {
    this.#options = options;
    const { address, settings, timers } = options;
    socket.on('unexpected-response', (request, response) => this.#onRefused(request, response));
    this.#frames = new FrameSocket({
      socket,
      timers,
      closeTimeoutMs: settings.closeTimeoutMs,
      goodbye: undefined,
      onOpen: () => this.#frames.send(encodeClientFrame(options.hello)),
      onBytes: (bytes) => this.#onBytes(bytes),
      onBeat: () => this.#keepAlive?.heard(),
      onClosed: (end) => this.#onClosed(end),
    });
    this.#cancelHandshake = timers.after(settings.handshakeTimeoutMs, () => {
      const message = `${address} did not answer within ${settings.handshakeTimeoutMs} ms`;
      this.#frames.terminate(errorBody('UNAVAILABLE', message, { address, reason: 'TIMEOUT' }));
    });
  }

  send(requests: readonly ClientRequest[]): void {
    this.#frames.send(encodeClientFrame({ type: 'requests', requests }));
  }

  bufferedBytes(): number {
    return this.#frames.bufferedBytes();
  }

  close(): void {
    this.#frames.refuse(errorBody('CLIENT_CLOSED', 'the connection was closed by this side'));
  }

  #onBytes(bytes: Uint8Array): void {
    this.#keepAlive?.heard();
    const decoded = decodeServerFrame(bytes, this.#options.limits);
    if (decoded.ok) this.#onFrame(decoded.value);
    else this.#frames.refuse(decoded.error);
  }

  #onFrame(frame: ServerToClientFrame): void {
    const { handlers } = this.#options;
    switch (frame.type) {
      case 'welcome':
        this.#onWelcome(frame);
        break;
      case 'replies':
        handlers.onReplies(frame.replies);
        break;
      case 'events':
        handlers.onEvents(frame);
        break;
      case 'watch-ended':
        handlers.onWatchEnded(frame);
        break;
      case 'goodbye':
        this.#goodbye = frame.error;
        break;
    }
  }

  #onWelcome(welcome: Welcome): void {
    if (this.#keepAlive !== undefined) {
      this.#frames.refuse(errorBody('MALFORMED_FRAME', 'a connection has one welcome'));
      return;
    }
    this.#cancelHandshake();
    const { address, settings, timers, handlers } = this.#options;
    this.#keepAlive = new KeepAlive({
      everyMs: settings.clientPingMs,
      missesMax: settings.pingMissesMax,
      timers,
      ping: () => this.#frames.ping(),
      dead: () => {
        const error = errorBody('UNAVAILABLE', `${address} is silent`, { address });
        this.#frames.terminate(error);
      },
    });
    handlers.onWelcome(welcome);
  }

  /** The server refused the upgrade: 503 while it takes no more connections. */
  #onRefused(request: HttpRequest, response: IncomingMessage): void {
    const { address } = this.#options;
    const status = response.statusCode ?? 0;
    const message = `${address} refused the connection with HTTP status ${status}`;
    const code = status === 503 ? 'TOO_MANY_CONNECTIONS' : 'UNAVAILABLE';
    this.#frames.terminate(errorBody(code, message, { address, status }));
    request.destroy();
  }

  #onClosed(end: SocketEnd): void {
    this.#cancelHandshake();
    this.#keepAlive?.stop();
    const error = this.#goodbye ?? endError(end, this.#options.address);
    this.#options.handlers.onClose(error);
  }
}
