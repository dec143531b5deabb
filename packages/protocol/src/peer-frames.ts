import { assertNever } from './assert.js';
import { type Decoded, decodingFrame } from './decoded.js';
import { packError, readError } from './error-fields.js';
import { choice, expectLength, list, natural, optional, unknownTag } from './fields.js';
import { readVersion, unpackFrame } from './frame-bytes.js';
import type { PeerFrame, PeerHello, PeerLane } from './frames.js';
import type { WireLimits } from './limits.js';
import {
  clusterName,
  nodeId,
  packIdentity,
  packMember,
  readIdentity,
  readMember,
} from './members.js';
import { pack } from './pack.js';
import { packMessage, readMessage } from './peer-messages.js';
import { PEER_FRAME } from './tags.js';

const LANES: readonly PeerLane[] = ['control', 'bulk'];
const ANY = Number.MAX_SAFE_INTEGER;

export function encodePeerFrame(frame: PeerFrame): Uint8Array {
  switch (frame.type) {
    case 'peer-hello':
      return pack(packHello(frame));
    case 'peer-messages':
      return pack([PEER_FRAME['peer-messages'], frame.messages.map(packMessage)]);
    case 'goodbye':
      return pack([PEER_FRAME.goodbye, packError(frame.error)]);
    default:
      return assertNever(frame);
  }
}

/** What a peer sent. Never throws; an error here closes the connection. */
export function decodePeerFrame(bytes: Uint8Array, limits: WireLimits): Decoded<PeerFrame> {
  return decodingFrame(() => {
    const fields = unpackFrame(bytes, limits.frameBytesMax, bytes.length);
    switch (fields[0]) {
      case PEER_FRAME['peer-hello']:
        return readHello(fields);
      case PEER_FRAME['peer-messages']:
        expectLength(fields, 'peer-messages', 2);
        return { type: 'peer-messages', messages: list(fields[1], 'messages', ANY, readMessage) };
      case PEER_FRAME.goodbye:
        expectLength(fields, 'goodbye', 2);
        return { type: 'goodbye', error: readError(fields[1]) };
      default:
        throw unknownTag('frame', fields[0]);
    }
  });
}

function packHello(hello: PeerHello): readonly unknown[] {
  return [
    PEER_FRAME['peer-hello'],
    hello.protocolVersion,
    hello.clusterName,
    packMember(hello.from),
    hello.to,
    packIdentity(hello.cluster),
    LANES.indexOf(hello.lane),
    hello.featureLevel,
  ];
}

function readHello(fields: readonly unknown[]): PeerHello {
  const protocolVersion = readVersion(fields[1]);
  expectLength(fields, 'peer-hello', 8);
  return {
    type: 'peer-hello',
    protocolVersion,
    clusterName: clusterName(fields[2], 'clusterName'),
    from: readMember(fields[3]),
    to: nodeId(fields[4], 'to'),
    cluster: optional(fields[5], readIdentity),
    lane: choice(fields[6], 'lane', LANES),
    featureLevel: natural(fields[7], 'featureLevel'),
  };
}
