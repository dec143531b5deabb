import { assertNever } from '../assert-never.js';
import type { DialHandlers, Wire } from '@raftd/client';
import {
  type ClientHello,
  type ClientRequest,
  type ClientToServerFrame,
  type ErrorBody,
  errorBody,
  type ServerToClientFrame,
} from '@raftd/protocol';
import { bytesUp, type Carriage, type Carried, carryUp, readDown } from './frames.js';
import type { OneWay, Parcel } from './one-way.js';
import { type Reader, SocketBuffer } from './socket-buffer.js';

/** The other side sends nothing more. */
export const END = 'end';

export type Up = Carried<ClientToServerFrame> | typeof END;
export type Down = Carried<ServerToClientFrame> | typeof END;

export interface ClientEndOptions {
  readonly address: string;
  readonly handlers: DialHandlers;
  readonly reader: Reader;
  readonly carriage: Carriage;
  readonly up: OneWay<Up>;
  readonly down: OneWay<Down>;
  /** This side was closed by its user, who must hear of the end once the other side agreed. */
  readonly onClosing: () => void;
  readonly onClosed: () => void;
}

/** A connection as the client's process has it: what `dialClient` of the transport gives. */
export class ClientEnd implements Wire {
  readonly #options: ClientEndOptions;
  readonly #buffer: SocketBuffer<Down>;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #goodbye: ErrorBody | undefined;

  constructor(options: ClientEndOptions) {
    this.#options = options;
    this.#buffer = new SocketBuffer(options.reader, (parcel) => this.#read(parcel));
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** The way up and the upgrade take some round trips before the hello gets through. */
  open(hello: ClientHello, extraMs: number): void {
    this.#send(hello, extraMs);
  }

  send(requests: readonly ClientRequest[]): void {
    if (this.#state === 'open') this.#send({ type: 'requests', requests }, 0);
  }

  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#options.up.send(END, 0);
    this.#options.onClosing();
  }

  /** The other side agreed to a close, or took too long. */
  closed(): void {
    this.#finish(errorBody('CLIENT_CLOSED', 'the connection was closed by this side'));
  }

  arrive(parcel: Parcel<Down>): void {
    if (this.#state !== 'closed') this.#buffer.arrive(parcel);
  }

  /** What the kernel tells of a connection that broke: unread replies are lost with it. */
  fail(reason: string): void {
    if (this.#state === 'closed') return;
    this.#buffer.clear();
    const { address, reader } = this.#options;
    const message = `${address} cannot be reached: ${reason}`;
    const error = errorBody('UNAVAILABLE', message, { address, reason });
    reader.deliver(() => this.#finish(error));
  }

  /** The process is gone: nobody hears of anything any more. */
  vanish(): void {
    this.#state = 'closed';
    this.#buffer.clear();
  }

  #send(frame: ClientToServerFrame, extraMs: number): void {
    const { carriage, up } = this.#options;
    const carried = carryUp(carriage, frame);
    up.send(carried, bytesUp(carried), extraMs);
  }

  #read(parcel: Parcel<Down>): void {
    this.#options.down.read(parcel);
    const { item } = parcel;
    if (this.#state === 'closed') return;
    if (item === END) this.#onEnd();
    else if (this.#state === 'open')
      this.#onFrame(item instanceof Uint8Array ? readDown(item) : item);
  }

  #onFrame(frame: ServerToClientFrame): void {
    const { handlers } = this.#options;
    switch (frame.type) {
      case 'welcome':
        handlers.onWelcome(frame);
        return;
      case 'replies':
        handlers.onReplies(frame.replies);
        return;
      case 'events':
        handlers.onEvents(frame);
        return;
      case 'watch-ended':
        handlers.onWatchEnded(frame);
        return;
      case 'goodbye':
        this.#goodbye = frame.error;
        return;
      default:
        assertNever(frame);
    }
  }

  #onEnd(): void {
    const { address } = this.#options;
    const end = errorBody('UNAVAILABLE', `${address} closed the connection`, { address });
    if (this.#state === 'closing') {
      this.closed();
      return;
    }
    this.#options.up.send(END, 0);
    this.#finish(this.#goodbye ?? end);
  }

  #finish(error: ErrorBody): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#options.handlers.onClose(error);
    this.#options.onClosed();
  }
}
