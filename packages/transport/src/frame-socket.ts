import { type ErrorBody, errorBody } from '@raftd/protocol';
import { WebSocket } from 'ws';
import { closeCode, closeReason } from './close-reason.js';
import type { Timers } from './ports.js';
import { messageBytes, type NamedCloseSocket } from './web-socket.js';

export interface FrameSocketOptions {
  readonly socket: NamedCloseSocket;
  readonly timers: Timers;
  readonly closeTimeoutMs: number;
  /** The last frame before a refusal, in the terms of this path; undefined: only a close code. */
  readonly goodbye: ((error: ErrorBody) => Uint8Array) | undefined;
  /** The connection stands (at once on the listening side). */
  readonly onOpen: () => void;
  readonly onBytes: (bytes: Uint8Array) => void;
  /** A sign of life that is no frame. */
  readonly onBeat: () => void;
  /** Once, last. */
  readonly onClosed: (end: SocketEnd) => void;
}

/** How a connection ended: by our refusal, by a failure below, or by the other side's close. */
export interface SocketEnd {
  readonly refusal: ErrorBody | undefined;
  readonly failure: Error | undefined;
  readonly code: number;
  readonly reason: string;
}

/** One WebSocket that carries frames: whole messages in, whole messages out, one end. */
export class FrameSocket {
  readonly #options: FrameSocketOptions;
  readonly #socket: NamedCloseSocket;
  #refusal: ErrorBody | undefined;
  #failure: Error | undefined;
  #closing = false;
  #cancelClose: (() => void) | undefined;

  constructor(options: FrameSocketOptions) {
    this.#options = options;
    this.#socket = options.socket;
    const socket = options.socket;
    socket.refuse = (error) => this.refuse(error);
    socket.on('open', options.onOpen);
    socket.on('ping', options.onBeat);
    socket.on('pong', options.onBeat);
    socket.on('error', (error) => {
      this.#failure ??= error;
    });
    socket.on('message', (data, isBinary) => {
      if (this.#closing) return;
      const bytes = messageBytes(data, isBinary);
      if (bytes === undefined) this.refuse(errorBody('MALFORMED_FRAME', 'frames are binary'));
      else options.onBytes(bytes);
    });
    socket.on('close', (code, reason) => {
      this.#closing = true;
      this.#cancelClose?.();
      const [refusal, failure] = [this.#refusal, this.#failure];
      options.onClosed({ refusal, failure, code, reason: reason.toString('utf8') });
    });
  }

  get isOpen(): boolean {
    return !this.#closing && this.#socket.readyState === WebSocket.OPEN;
  }

  send(bytes: Uint8Array): void {
    // The callback takes a failed write, which the close event reports; without it `ws` throws.
    if (this.isOpen) this.#socket.send(bytes, ignoreFailure);
  }

  bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping(undefined, undefined, ignoreFailure);
  }

  /** Says why, closes, and does not wait for ever for the other side to agree. */
  refuse(error: ErrorBody): void {
    if (this.#closing) return;
    if (this.isOpen && this.#options.goodbye !== undefined) this.send(this.#options.goodbye(error));
    this.#closing = true;
    this.#refusal = error;
    this.#socket.close(closeCode(error.code), closeReason(error));
    const { timers, closeTimeoutMs } = this.#options;
    this.#cancelClose = timers.after(closeTimeoutMs, () => this.#socket.terminate());
  }

  /** For a connection that is dead already: nobody would read a goodbye. */
  terminate(error: ErrorBody): void {
    this.#refusal ??= error;
    this.#closing = true;
    this.#socket.terminate();
  }
}

function ignoreFailure(): void {
  return;
}

/** The end of a connection that was not ours to end, as an error for its user. */
export function endError(end: SocketEnd, address: string): ErrorBody {
  if (end.refusal !== undefined) return end.refusal;
  if (end.failure !== undefined) {
    const code = 'code' in end.failure ? String(end.failure.code) : end.failure.name;
    const message = `${address} cannot be reached: ${end.failure.message || code}`;
    return errorBody('UNAVAILABLE', message, { address, reason: code });
  }
  const details = { address, closeCode: end.code, reason: end.reason };
  return errorBody('UNAVAILABLE', `${address} closed the connection (${end.code})`, details);
}
