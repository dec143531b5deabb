import type { DecodedClientFrame, ErrorBody, ServerToClientFrame } from '@raftd/protocol';
import type { ClientConnection, ClientHandlers } from '@raftd/server';
import type { NodeListener } from '../storm/listeners.js';
import { type Down, END, type Up } from './client-end.js';
import { bytesDown, type Carriage, carryDown, readUp } from './frames.js';
import type { OneWay, Parcel } from './one-way.js';
import { SocketBuffer } from './socket-buffer.js';

/** What a kernel takes without asking its process to wait: the rest counts as buffered. */
const KERNEL_BYTES = 64 * 1024;

/** How long the other side may take to answer a close, as the transport has it. */
const CLOSE_TIMEOUT_MS = 1_000;

export interface ServerEndOptions {
  readonly listener: NodeListener;
  readonly carriage: Carriage;
  readonly up: OneWay<Up>;
  readonly down: OneWay<Down>;
  /** The node's life is over; its kernel may still say so. */
  readonly onDown: () => void;
  readonly onClosed: () => void;
}

/** A connection as the node's process has it: what the transport's client door gives. */
export class ServerEnd implements ClientConnection {
  readonly #options: ServerEndOptions;
  readonly #buffer: SocketBuffer<Up>;
  readonly #cancelDown: () => void;
  #handlers: ClientHandlers | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(options: ServerEndOptions) {
    this.#options = options;
    const { listener } = options;
    this.#buffer = new SocketBuffer(listener.process, (parcel) => this.#read(parcel));
    this.#cancelDown = listener.onDown(() => {
      this.#state = 'closed';
      this.#buffer.clear();
      options.onDown();
    });
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  send(frame: ServerToClientFrame): void {
    if (this.#state === 'open') this.#send(frame);
  }

  bufferedBytes(): number {
    return Math.max(0, this.#options.down.unreadBytes - KERNEL_BYTES);
  }

  /** Says why; the handlers hear of the end once the client has agreed, or took too long. */
  close(error: ErrorBody): void {
    if (this.#state !== 'open') return;
    this.#send({ type: 'goodbye', error });
    this.#options.down.send(END, 0);
    this.#state = 'closing';
    this.#options.listener.process.after(CLOSE_TIMEOUT_MS, () => this.#finish());
  }

  arrive(parcel: Parcel<Up>): void {
    if (this.#state !== 'closed') this.#buffer.arrive(parcel);
  }

  /** The connection broke, or its client was silent for too long. */
  fail(): void {
    if (this.#state === 'closed') return;
    this.#buffer.clear();
    this.#options.listener.process.deliver(() => this.#finish());
  }

  #send(frame: ServerToClientFrame): void {
    const { carriage, down } = this.#options;
    const carried = carryDown(carriage, frame);
    down.send(carried, bytesDown(carried));
  }

  #read(parcel: Parcel<Up>): void {
    this.#options.up.read(parcel);
    const { item } = parcel;
    if (this.#state === 'closed') return;
    if (item === END) {
      this.#finish();
      return;
    }
    if (this.#state === 'closing') return;
    if (item instanceof Uint8Array) this.#onDecoded(readUp(item));
    else if (item.type === 'requests') this.#handlers?.onRequests(item.requests);
    else this.#accept().onHello(item);
  }

  #onDecoded(frame: DecodedClientFrame): void {
    if (frame.type === 'client-hello') {
      this.#accept().onHello(frame);
      return;
    }
    if (frame.refused.length > 0) {
      const { requestId, error } = frame.refused[0] ?? {};
      throw new Error(`assertion failed: request ${requestId} is invalid: ${error?.message}`);
    }
    this.#handlers?.onRequests(frame.requests);
  }

  #accept(): ClientHandlers {
    this.#handlers ??= this.#options.listener.accept(this);
    return this.#handlers;
  }

  /** Once, last, inside the process. */
  #finish(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#cancelDown();
    this.#handlers?.onClose();
    this.#options.onClosed();
  }
}
