import type { Role, Term } from '@raftd/raft';
import { assertNever } from './assert.js';
import { packCommandResult, readCommandResult } from './command-results.js';
import { packError, readError } from './error-fields.js';
import {
  choice,
  expectLength,
  natural,
  optional,
  row,
  taggedRow,
  text,
  unknownTag,
} from './fields.js';
import type { NodeStatus, Reply, ReplyBody } from './frames.js';
import {
  clusterName,
  nodeId,
  packAddresses,
  packLeaderHint,
  readAddresses,
  readLeaderHint,
} from './members.js';
import { packQueryResult, readQueryResult } from './query-results.js';
import { revision } from './records.js';
import { REPLY } from './tags.js';

/** `[tag, requestId, body]`; no body where the tag says all. */
export function packReply(reply: Reply): readonly unknown[] {
  const { requestId, body } = reply;
  const tag = REPLY[body.type];
  switch (body.type) {
    case 'command':
      return [tag, requestId, packCommandResult(body.result)];
    case 'query':
      return [tag, requestId, packQueryResult(body.result)];
    case 'watching':
      return [tag, requestId, body.revision];
    case 'unwatched':
      return [tag, requestId];
    case 'status':
      return [tag, requestId, packStatus(body.status)];
    case 'error':
      return [tag, requestId, packError(body.error)];
    default:
      return assertNever(body);
  }
}

export function readReply(value: unknown): Reply {
  const fields = taggedRow(value, 'reply');
  const requestId = natural(fields[1], 'requestId');
  return { requestId, body: readBody(fields) };
}

function readBody(fields: readonly unknown[]): ReplyBody {
  expectLength(fields, 'reply', fields[0] === REPLY.unwatched ? 2 : 3);
  switch (fields[0]) {
    case REPLY.command:
      return { type: 'command', result: readCommandResult(fields[2]) };
    case REPLY.query:
      return { type: 'query', result: readQueryResult(fields[2]) };
    case REPLY.watching:
      return { type: 'watching', revision: revision(fields[2]) };
    case REPLY.unwatched:
      return { type: 'unwatched' };
    case REPLY.status:
      return { type: 'status', status: readStatus(fields[2]) };
    case REPLY.error:
      return { type: 'error', error: readError(fields[2]) };
    default:
      throw unknownTag('reply', fields[0]);
  }
}

const ROLES: readonly Role[] = ['follower', 'pre-candidate', 'candidate', 'leader'];
const VERSION_CHARS_MAX = 64;
const ADDRESS_CHARS_MAX = 512;

function packStatus(status: NodeStatus): readonly unknown[] {
  return [
    status.clusterId,
    status.id,
    status.address,
    ROLES.indexOf(status.role),
    status.term,
    packLeaderHint(status.leader),
    status.commitIndex,
    status.appliedIndex,
    status.revision,
    status.version,
    packAddresses(status.members),
  ];
}

function readStatus(value: unknown): NodeStatus {
  const fields = row(value, 'status', 11);
  return {
    clusterId: clusterName(fields[0], 'clusterId'),
    id: nodeId(fields[1], 'id'),
    address: text(fields[2], 'address', ADDRESS_CHARS_MAX),
    role: choice(fields[3], 'role', ROLES),
    term: natural(fields[4], 'term') as Term,
    leader: optional(fields[5], readLeaderHint),
    commitIndex: natural(fields[6], 'commitIndex'),
    appliedIndex: natural(fields[7], 'appliedIndex'),
    revision: revision(fields[8]),
    version: text(fields[9], 'version', VERSION_CHARS_MAX),
    members: readAddresses(fields[10]),
  };
}
