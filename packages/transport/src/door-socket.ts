import { type ErrorBody, errorBody } from '@raftd/protocol';
import { FrameSocket } from './frame-socket.js';
import { KeepAlive } from './keep-alive.js';
import type { Timers } from './ports.js';
import type { TransportSettings } from './settings.js';
import type { NamedCloseSocket } from './web-socket.js';

export interface DoorSocketOptions {
  readonly socket: NamedCloseSocket;
  readonly settings: TransportSettings;
  readonly timers: Timers;
  /** Who is at the other side, as an error names it. */
  readonly who: 'client' | 'peer';
  readonly goodbye: (error: ErrorBody) => Uint8Array;
  readonly onBytes: (bytes: Uint8Array) => void;
  /** The hello was accepted, or never will be. Once. */
  readonly onHandshakeDone: () => void;
  /** Once, last. */
  readonly onClosed: () => void;
}

/** A connection at the listening side: frames, a time limit for the hello, and signs of life. */
export class DoorSocket {
  readonly #options: DoorSocketOptions;
  readonly #frames: FrameSocket;
  readonly #keepAlive: KeepAlive;
  #cancelHandshake: (() => void) | undefined;

  constructor(options: DoorSocketOptions) {
    this.#options = options;
    const { socket, settings, timers, who } = options;
    this.#frames = new FrameSocket({
      socket,
      timers,
      closeTimeoutMs: settings.closeTimeoutMs,
      goodbye: options.goodbye,
      onOpen: () => undefined,
      onBytes: (bytes) => {
        this.#keepAlive.heard();
        options.onBytes(bytes);
      },
      onBeat: () => this.#keepAlive.heard(),
      onClosed: () => this.#onClosed(),
    });
    // A peer pings what it dialled: here its silence alone tells. A client is pinged from here.
    const isPeer = who === 'peer';
    this.#keepAlive = new KeepAlive({
      everyMs: isPeer ? settings.peerPingMs : settings.clientPingMs,
      missesMax: isPeer ? settings.peerSilenceMissesMax : settings.pingMissesMax,
      timers,
      ping: () => (isPeer ? undefined : this.#frames.ping()),
      dead: () => this.terminate(errorBody('UNAVAILABLE', `the ${who} is silent`)),
    });
    this.#cancelHandshake = timers.after(settings.handshakeTimeoutMs, () => {
      this.refuse(errorBody('TIMEOUT', `no hello within ${settings.handshakeTimeoutMs} ms`));
    });
  }

  get isOpen(): boolean {
    return this.#frames.isOpen;
  }

  send(bytes: Uint8Array): void {
    this.#frames.send(bytes);
  }

  bufferedBytes(): number {
    return this.#frames.bufferedBytes();
  }

  /** Says why and closes. */
  refuse(error: ErrorBody): void {
    this.#frames.refuse(error);
  }

  terminate(error: ErrorBody): void {
    this.#frames.terminate(error);
  }

  handshakeDone(): void {
    if (this.#cancelHandshake === undefined) return;
    this.#cancelHandshake();
    this.#cancelHandshake = undefined;
    this.#options.onHandshakeDone();
  }

  #onClosed(): void {
    this.handshakeDone();
    this.#keepAlive.stop();
    this.#options.onClosed();
  }
}
