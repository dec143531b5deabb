import {
  decodeClientFrame,
  type DecodedRequests,
  type ErrorBody,
  encodeServerFrame,
  errorBody,
  type Reply,
  type ServerToClientFrame,
  type WireLimits,
} from '@raftd/protocol';
import { DoorSocket } from './door-socket.js';
import type { ClientConnection, ClientHandlers, Timers } from './ports.js';
import type { TransportSettings } from './settings.js';
import type { NamedCloseSocket } from './web-socket.js';

export interface ClientDoorOptions {
  readonly socket: NamedCloseSocket;
  readonly limits: WireLimits;
  readonly settings: TransportSettings;
  readonly timers: Timers;
  readonly client: (connection: ClientConnection) => ClientHandlers;
  /** The hello came, or never will. Once. */
  readonly onHandshakeDone: () => void;
  /** Once, last. */
  readonly onClosed: () => void;
}

/** One client at the listening side: a hello, then requests; what is invalid goes no further. */
export class ClientDoor implements ClientConnection {
  readonly #options: ClientDoorOptions;
  readonly #socket: DoorSocket;
  #handlers: ClientHandlers | undefined;

  constructor(options: ClientDoorOptions) {
    this.#options = options;
    const { socket, settings, timers, onHandshakeDone } = options;
    this.#socket = new DoorSocket({
      socket,
      settings,
      timers,
      who: 'client',
      goodbye: (error) => encodeServerFrame({ type: 'goodbye', error }),
      onBytes: (bytes) => this.#onBytes(bytes),
      onHandshakeDone,
      onClosed: () => {
        this.#handlers?.onClose();
        options.onClosed();
      },
    });
  }

  send(frame: ServerToClientFrame): void {
    if (!this.#socket.isOpen) return;
    const bytes = encodeServerFrame(frame);
    const { frameBytesMax } = this.#options.limits;
    if (bytes.length <= frameBytesMax) this.#socket.send(bytes);
    else this.#sendOversize(frame, bytes.length);
  }

  bufferedBytes(): number {
    return this.#socket.bufferedBytes();
  }

  close(error: ErrorBody): void {
    this.#socket.refuse(error);
  }

  #onBytes(bytes: Uint8Array): void {
    const decoded = decodeClientFrame(bytes, this.#options.limits);
    if (!decoded.ok) {
      this.close(decoded.error);
      return;
    }
    const frame = decoded.value;
    if (frame.type === 'requests') {
      this.#onRequests(frame);
    } else if (this.#handlers === undefined) {
      this.#socket.handshakeDone();
      this.#handlers = this.#options.client(this);
      this.#handlers.onHello(frame);
    } else {
      this.close(errorBody('MALFORMED_FRAME', 'a connection has one hello, the first frame'));
    }
  }

  #onRequests(frame: DecodedRequests): void {
    if (this.#handlers === undefined) {
      this.close(errorBody('MALFORMED_FRAME', 'the first frame must be a hello'));
      return;
    }
    if (frame.refused.length > 0) {
      const replies = frame.refused.map(({ requestId, error }) => errorReply(requestId, error));
      this.send({ type: 'replies', replies });
    }
    if (frame.requests.length > 0) this.#handlers.onRequests(frame.requests);
  }

  /** The server cuts its frames; one that still does not fit must not go out nor be forgotten. */
  #sendOversize(frame: ServerToClientFrame, actual: number): void {
    const limit = this.#options.limits.frameBytesMax;
    const [first, ...others] = frame.type === 'replies' ? frame.replies : [];
    if (first === undefined) {
      const message = `the frame has ${actual} bytes, it may have ${limit}`;
      this.close(errorBody('LIMIT_EXCEEDED', message, { field: 'frame', limit, actual }));
    } else if (others.length === 0) {
      const error = unsendable(first, limit, actual);
      const replies = [errorReply(first.requestId, error)];
      this.#socket.send(encodeServerFrame({ type: 'replies', replies }));
    } else {
      // Only those that fit no frame by themselves are lost.
      for (const reply of [first, ...others]) this.send({ type: 'replies', replies: [reply] });
    }
  }
}

/** A command that has a reply was applied: nobody may be told that it was not. */
function unsendable({ body }: Reply, limit: number, actual: number): ErrorBody {
  if (body.type === 'command') {
    const message = `applied; its reply has ${actual} bytes, a frame holds ${limit}`;
    return errorBody('REPLY_DROPPED', message, { limit, actual });
  }
  const message = `the answer has ${actual} bytes, a frame holds ${limit}: ask for less`;
  return errorBody('LIMIT_EXCEEDED', message, { field: 'frame', limit, actual });
}

function errorReply(requestId: number, error: ErrorBody): Reply {
  return { requestId, body: { type: 'error', error } };
}
