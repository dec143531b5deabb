import {
  decodePeerFrame,
  describeError,
  type ErrorBody,
  encodePeerFrame,
  errorBody,
  type PeerHello,
  type PeerMessagesFrame,
  type WireLimits,
} from '@raftd/protocol';
import { DoorSocket } from './door-socket.js';
import type { Logger, PeerHandlers, Timers } from './ports.js';
import type { TransportSettings } from './settings.js';
import type { NamedCloseSocket } from './web-socket.js';

export interface PeerDoorOptions {
  readonly socket: NamedCloseSocket;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly timers: Timers;
  readonly log: Logger;
  readonly handlers: PeerHandlers;
  readonly onHandshakeDone: () => void;
  /** The peer was admitted: an older connection of the same (peer, lane) is to go. */
  readonly onAdmitted: (hello: PeerHello) => void;
  readonly onClosed: () => void;
}

/** One lane that a peer dialled: its hello first, ours in answer, then messages one way. */
export class PeerDoor {
  readonly #options: PeerDoorOptions;
  readonly #socket: DoorSocket;
  #hello: PeerHello | undefined;

  constructor(options: PeerDoorOptions) {
    this.#options = options;
    const { socket, settings, timers, onHandshakeDone, onClosed } = options;
    this.#socket = new DoorSocket({
      socket,
      settings,
      timers,
      who: 'peer',
      goodbye: (error) => encodePeerFrame({ type: 'goodbye', error }),
      onBytes: (bytes) => this.#onBytes(bytes),
      onHandshakeDone,
      onClosed,
    });
  }

  refuse(error: ErrorBody): void {
    this.#socket.refuse(error);
  }

  terminate(error: ErrorBody): void {
    this.#socket.terminate(error);
  }

  #onBytes(bytes: Uint8Array): void {
    const decoded = decodePeerFrame(bytes, this.#options.limits);
    if (!decoded.ok) {
      this.#refuseLoudly(decoded.error);
      return;
    }
    const frame = decoded.value;
    switch (frame.type) {
      case 'peer-hello':
        this.#onHello(frame);
        break;
      case 'peer-messages':
        this.#onMessages(frame);
        break;
      case 'goodbye':
        this.#options.log.info({ error: describeError(frame.error) }, 'a peer says goodbye');
        break;
    }
  }

  #onHello(hello: PeerHello): void {
    if (this.#hello !== undefined) {
      this.#refuseLoudly(errorBody('MALFORMED_FRAME', 'a connection has one hello'));
      return;
    }
    const { handlers } = this.#options;
    const error = handlers.onHello(hello);
    if (error !== undefined) {
      this.#refuseLoudly(error);
      return;
    }
    this.#socket.handshakeDone();
    this.#hello = hello;
    this.#options.onAdmitted(hello);
    this.#socket.send(encodePeerFrame(handlers.hello(hello.from.id, hello.lane)));
  }

  /** Every message must be from and to whom the hello named. */
  #onMessages(frame: PeerMessagesFrame): void {
    const hello = this.#hello;
    if (hello === undefined) {
      this.#refuseLoudly(errorBody('MALFORMED_FRAME', 'the first frame must be a hello'));
      return;
    }
    for (const { from, to } of frame.messages) {
      if (from === hello.from.id && to === hello.to) continue;
      const message = `a message from ${from} to ${to} came over ${hello.from.id} to ${hello.to}`;
      this.#refuseLoudly(errorBody('WRONG_NODE', message, { from, to }));
      return;
    }
    this.#options.handlers.onMessages(hello.from.id, frame.messages);
  }

  #refuseLoudly(error: ErrorBody): void {
    const peer = this.#hello?.from.id;
    this.#options.log.warn({ peer, error: describeError(error) }, 'a peer connection is refused');
    this.refuse(error);
  }
}
