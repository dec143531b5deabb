import { type ErrorBody, errorBody, SUBPROTOCOL } from '@raftd/protocol';
import { type ClientOptions, type RawData, WebSocket } from 'ws';
import { closeReason } from './close-reason.js';

/** Limits that both ends set. `ws` knows more of them than its published types do. */
export interface SocketLimits {
  readonly perMessageDeflate: false;
  readonly maxPayload: number;
  readonly maxFragments: number;
  readonly maxBufferedChunks: number;
  readonly maxPendingAutoPongs: number;
  readonly skipUTF8Validation: boolean;
  readonly closeTimeout: number;
}

/** Frames are never fragmented by our side; a proxy may, within reason. */
const FRAGMENTS_MAX = 64;
const BUFFERED_CHUNKS_MAX = 64 * 1024;
const PENDING_PONGS_MAX = 16;

export function socketLimits(frameBytesMax: number, closeTimeoutMs: number): SocketLimits {
  return {
    perMessageDeflate: false,
    maxPayload: frameBytesMax,
    maxFragments: FRAGMENTS_MAX,
    maxBufferedChunks: BUFFERED_CHUNKS_MAX,
    maxPendingAutoPongs: PENDING_PONGS_MAX,
    skipUTF8Validation: false,
    closeTimeout: closeTimeoutMs,
  };
}

/**
 * `ws` closes by itself on bytes that are no WebSocket frames and on messages over the limit, with
 * a bare code. Here such a close goes through `refuse`, which names what was wrong.
 */
export class NamedCloseSocket extends WebSocket {
  refuse: ((error: ErrorBody) => void) | undefined;

  override close(code?: number, data?: string | Buffer): void {
    const error =
      data === undefined && this.readyState === WebSocket.OPEN ? named(code) : undefined;
    if (error === undefined) super.close(code, data);
    else if (this.refuse === undefined) super.close(code, closeReason(error));
    else this.refuse(error);
  }
}

function named(code: number | undefined): ErrorBody | undefined {
  switch (code) {
    case 1009:
      return errorBody('FRAME_TOO_LARGE', 'a message is above the limit of this connection');
    case 1002:
    case 1007:
    case 1008:
      return errorBody('MALFORMED_FRAME', 'the bytes are not WebSocket frames as agreed');
    default:
      return undefined;
  }
}

/** The zero mask: no pass over the bytes on either side. For connections between nodes only. */
export function zeroMask(mask: Buffer): void {
  mask.fill(0);
}

/** Starts to connect. Undefined: the address is none. */
export function dial(
  address: string,
  path: string,
  options: ClientOptions,
): NamedCloseSocket | undefined {
  const url = `ws://${address}${path}`;
  if (!URL.canParse(url)) return undefined;
  return new NamedCloseSocket(url, [SUBPROTOCOL], options);
}

/** One message as bytes; text is not ours. */
export function messageBytes(data: RawData, isBinary: boolean): Uint8Array | undefined {
  if (!isBinary) return undefined;
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
