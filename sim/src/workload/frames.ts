import {
  type ClientToServerFrame,
  type DecodedClientFrame,
  DEFAULT_WIRE_LIMITS,
  type Decoded,
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
  type Reply,
  type ServerToClientFrame,
} from '@raftd/protocol';

/** A frame under way: bytes as in production, or the object itself. */
export type Carried<Frame> = Frame | Uint8Array;

/** How frames travel: through the codec, or by reference, which is faster. */
export interface Carriage {
  readonly encoded: boolean;
  /** Tests freeze what both sides share. */
  readonly inspect?: ((frame: object) => void) | undefined;
}

export function carryUp(
  { encoded, inspect }: Carriage,
  frame: ClientToServerFrame,
): Carried<ClientToServerFrame> {
  if (encoded) return fitting(encodeClientFrame(frame));
  inspect?.(frame);
  return frame;
}

export function carryDown(
  { encoded, inspect }: Carriage,
  frame: ServerToClientFrame,
): Carried<ServerToClientFrame> {
  if (encoded) return fitting(encodeServerFrame(frame));
  inspect?.(frame);
  return frame;
}

/** Both sides are ours: a frame that one of them cannot read is a bug, not the network's doing. */
export function readUp(bytes: Uint8Array): DecodedClientFrame {
  return expectDecoded(decodeClientFrame(bytes, DEFAULT_WIRE_LIMITS));
}

export function readDown(bytes: Uint8Array): ServerToClientFrame {
  return expectDecoded(decodeServerFrame(bytes, DEFAULT_WIRE_LIMITS));
}

/** What a request or a small frame weighs, roughly: keys and values here are short. */
const FRAME_BYTES = 64;
const ROW_BYTES = 96;

export function bytesUp(carried: Carried<ClientToServerFrame>): number {
  if (carried instanceof Uint8Array) return carried.length;
  return carried.type === 'requests' ? carried.requests.length * ROW_BYTES : FRAME_BYTES;
}

export function bytesDown(carried: Carried<ServerToClientFrame>): number {
  if (carried instanceof Uint8Array) return carried.length;
  let bytes = FRAME_BYTES;
  if (carried.type === 'replies') {
    for (const reply of carried.replies) bytes += replyBytes(reply);
  } else if (carried.type === 'events') {
    for (const { events } of carried.changes) bytes += events.length * ROW_BYTES;
  }
  return bytes;
}

function replyBytes({ body }: Reply): number {
  const isRange = body.type === 'query' && body.result.type === 'range';
  return isRange ? (1 + body.result.records.length) * ROW_BYTES : ROW_BYTES;
}

function fitting(bytes: Uint8Array): Uint8Array {
  const limit = DEFAULT_WIRE_LIMITS.frameBytesMax;
  if (bytes.length <= limit) return bytes;
  throw new Error(`assertion failed: a frame of ${bytes.length} bytes, the limit is ${limit}`);
}

function expectDecoded<Frame>(decoded: Decoded<Frame>): Frame {
  if (decoded.ok) return decoded.value;
  const { code, message } = decoded.error;
  throw new Error(`assertion failed: a frame cannot be read: ${code}: ${message}`);
}
