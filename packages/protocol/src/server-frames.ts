import { assertNever } from './assert.js';
import { packChanges, readChanges } from './changes.js';
import { type Decoded, decodingFrame } from './decoded.js';
import { packError, readError } from './error-fields.js';
import { expectLength, list, natural, optional, unknownTag } from './fields.js';
import { readVersion, unpackFrame } from './frame-bytes.js';
import type { ServerToClientFrame, Welcome } from './frames.js';
import type { WireLimits } from './limits.js';
import {
  clusterName,
  nodeId,
  packAddresses,
  packLeaderHint,
  readAddresses,
  readLeaderHint,
} from './members.js';
import { pack } from './pack.js';
import { packReply, readReply } from './replies.js';
import { SERVER_FRAME } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;

/** One frame as it is, whatever its size. */
export function encodeServerFrame(frame: ServerToClientFrame): Uint8Array {
  const tag = SERVER_FRAME[frame.type];
  switch (frame.type) {
    case 'welcome':
      return pack(packWelcome(frame));
    case 'goodbye':
      return pack([tag, packError(frame.error)]);
    case 'replies':
      return pack([tag, frame.replies.map(packReply)]);
    case 'events':
      return pack([tag, frame.watchId, frame.changes.map(packChanges)]);
    case 'watch-ended':
      return pack([tag, frame.watchId, packError(frame.error)]);
    default:
      return assertNever(frame);
  }
}

/** What a server sent. Never throws; an error here closes the connection. */
export function decodeServerFrame(
  bytes: Uint8Array,
  limits: WireLimits,
): Decoded<ServerToClientFrame> {
  return decodingFrame(() => {
    const fields = unpackFrame(bytes, limits.frameBytesMax, bytes.length);
    switch (fields[0]) {
      case SERVER_FRAME.welcome:
        return readWelcome(fields);
      case SERVER_FRAME.goodbye:
        expectLength(fields, 'goodbye', 2);
        return { type: 'goodbye', error: readError(fields[1]) };
      case SERVER_FRAME.replies:
        expectLength(fields, 'replies', 2);
        return { type: 'replies', replies: list(fields[1], 'replies', ANY, readReply) };
      case SERVER_FRAME.events:
        expectLength(fields, 'events', 3);
        return {
          type: 'events',
          watchId: natural(fields[1], 'watchId'),
          changes: list(fields[2], 'changes', ANY, readChanges),
        };
      case SERVER_FRAME['watch-ended']:
        expectLength(fields, 'watch-ended', 3);
        return {
          type: 'watch-ended',
          watchId: natural(fields[1], 'watchId'),
          error: readError(fields[2]),
        };
      default:
        throw unknownTag('frame', fields[0]);
    }
  });
}

function packWelcome(welcome: Welcome): readonly unknown[] {
  return [
    SERVER_FRAME.welcome,
    welcome.protocolVersion,
    welcome.clusterId,
    welcome.nodeId,
    packLeaderHint(welcome.leader),
    packAddresses(welcome.members),
    welcome.clusterTimeMs,
    welcome.featureLevel,
  ];
}

function readWelcome(fields: readonly unknown[]): Welcome {
  const protocolVersion = readVersion(fields[1]);
  expectLength(fields, 'welcome', 8);
  return {
    type: 'welcome',
    protocolVersion,
    clusterId: clusterName(fields[2], 'clusterId'),
    nodeId: nodeId(fields[3], 'nodeId'),
    leader: optional(fields[4], readLeaderHint),
    members: readAddresses(fields[5]),
    clusterTimeMs: optional(fields[6], (timeMs) => natural(timeMs, 'clusterTimeMs')),
    featureLevel: natural(fields[7], 'featureLevel'),
  };
}
