import { assertNever } from './assert.js';
import { type Decoded, decodingFrame } from './decoded.js';
import { expectLength, optional, text, unknownTag } from './fields.js';
import { readVersion, unpackFrame } from './frame-bytes.js';
import type { ClientHello, ClientToServerFrame } from './frames.js';
import type { WireLimits } from './limits.js';
import { pack } from './pack.js';
import { packRequest, type ReadRequests, readRequests } from './requests.js';
import { CLIENT_FRAME } from './tags.js';

/** A requests frame as the server takes it: what is valid, and what is to be answered at once. */
export interface DecodedRequests extends ReadRequests {
  readonly type: 'requests';
}

export type DecodedClientFrame = ClientHello | DecodedRequests;

export function encodeClientFrame(frame: ClientToServerFrame): Uint8Array {
  switch (frame.type) {
    case 'client-hello':
      return pack([CLIENT_FRAME['client-hello'], frame.protocolVersion, frame.clusterId]);
    case 'requests':
      return pack([CLIENT_FRAME.requests, frame.requests.map(packRequest)]);
    default:
      return assertNever(frame);
  }
}

/** Values of a request outside its payload, which is bytes here: the widest is a watch's row. */
const VALUES_PER_REQUEST = 12;

/** What a client sent. Never throws; an error here closes the connection. */
export function decodeClientFrame(
  bytes: Uint8Array,
  limits: WireLimits,
): Decoded<DecodedClientFrame> {
  return decodingFrame(() => {
    const valuesMax = 16 + VALUES_PER_REQUEST * limits.requestsPerFrameMax;
    const fields = unpackFrame(bytes, limits.frameBytesMax, valuesMax);
    switch (fields[0]) {
      case CLIENT_FRAME['client-hello']: {
        const protocolVersion = readVersion(fields[1]);
        expectLength(fields, 'client-hello', 3);
        const clusterId = optional(fields[2], (id) => text(id, 'clusterId', limits.nameCharsMax));
        return { type: 'client-hello', protocolVersion, clusterId };
      }
      case CLIENT_FRAME.requests:
        expectLength(fields, 'requests', 2);
        return { type: 'requests', ...readRequests(fields[1], limits) };
      default:
        throw unknownTag('frame', fields[0]);
    }
  });
}
