import type { CampaignId, Revision } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { bytesOf } from './byte-string.js';
import { readClientPayload, rememberValidated } from './command-codec.js';
import { DecodeFault, unknownKind } from './decoded.js';
import type { ErrorBody } from './errors.js';
import {
  bound,
  bytes,
  choice,
  expectLength,
  list,
  name,
  natural,
  optional,
  positive,
  taggedRow,
  unknownTag,
} from './fields.js';
import type { ClientRequest, Consistency, WatchTarget } from './frames.js';
import type { WireLimits } from './limits.js';
import { retain } from './pack.js';
import { packQuery, readQuery } from './queries.js';
import { REQUEST, WATCH_TARGET } from './tags.js';

/** A request that cannot be taken; its answer is this error, its connection lives on. */
export interface RefusedRequest {
  readonly requestId: number;
  readonly error: ErrorBody;
}

const CONSISTENCIES: readonly Consistency[] = ['linearizable', 'stale'];

/** `[tag, requestId, …fields]`. */
export function packRequest(request: ClientRequest): readonly unknown[] {
  const tag = REQUEST[request.type];
  const { requestId } = request;
  switch (request.type) {
    case 'command':
      return [tag, requestId, request.payload];
    case 'query': {
      const consistency = CONSISTENCIES.indexOf(request.consistency);
      return [tag, requestId, consistency, packQuery(request.query)];
    }
    case 'watch': {
      const target = packTarget(request.target);
      return [tag, requestId, request.watchId, target, request.fromRevision];
    }
    case 'unwatch':
      return [tag, requestId, request.watchId];
    case 'status':
      return [tag, requestId];
    default:
      return assertNever(request);
  }
}

export interface ReadRequests {
  readonly requests: readonly ClientRequest[];
  readonly refused: readonly RefusedRequest[];
}

/**
 * All requests of a frame. One that is not valid is refused alone, as long as it says which
 * request it is; one that does not even say that makes the frame unreadable.
 */
export function readRequests(value: unknown, limits: WireLimits): ReadRequests {
  const requests: ClientRequest[] = [];
  const refused: RefusedRequest[] = [];
  list(value, 'requests', limits.requestsPerFrameMax, (item) => {
    const fields = taggedRow(item, 'request');
    const requestId = natural(fields[1], 'requestId');
    try {
      requests.push(readRequest(fields, requestId, limits));
    } catch (fault) {
      if (!(fault instanceof DecodeFault)) throw fault;
      refused.push({ requestId, error: fault.body() });
    }
  });
  return { requests, refused };
}

function readRequest(
  fields: readonly unknown[],
  requestId: number,
  limits: WireLimits,
): ClientRequest {
  switch (fields[0]) {
    case REQUEST.command:
      expectLength(fields, 'request', 3);
      return readCommand(fields[2], requestId, limits);
    case REQUEST.query:
      expectLength(fields, 'request', 4);
      return {
        type: 'query',
        requestId,
        consistency: choice(fields[2], 'consistency', CONSISTENCIES),
        query: readQuery(fields[3], limits),
      };
    case REQUEST.watch:
      expectLength(fields, 'request', 5);
      return {
        type: 'watch',
        requestId,
        watchId: natural(fields[2], 'watchId'),
        target: readTarget(fields[3], limits),
        fromRevision: optional(fields[4], (from) => positive(from, 'fromRevision') as Revision),
      };
    case REQUEST.unwatch:
      expectLength(fields, 'request', 3);
      return { type: 'unwatch', requestId, watchId: natural(fields[2], 'watchId') };
    case REQUEST.status:
      expectLength(fields, 'request', 2);
      return { type: 'status', requestId };
    default:
      throw unknownKind('request', fields[0]);
  }
}

function readCommand(value: unknown, requestId: number, limits: WireLimits): ClientRequest {
  // The copy first: what `logged` shows of the payload are views, and must be of what is logged.
  const payload = retain(bytes(value, 'command', limits.txnBytesMax));
  const logged = readClientPayload(payload, limits);
  rememberValidated(payload, logged);
  return { type: 'command', requestId, payload, logged };
}

function packTarget(target: WatchTarget): readonly unknown[] {
  const tag = WATCH_TARGET[target.type];
  switch (target.type) {
    case 'range': {
      const end = target.end === undefined ? undefined : bytesOf(target.end);
      return [tag, bytesOf(target.start), end];
    }
    case 'election':
      return [tag, target.election];
    case 'campaign':
      return [tag, target.election, target.campaignId];
    default:
      return assertNever(target);
  }
}

function readTarget(value: unknown, limits: WireLimits): WatchTarget {
  const fields = taggedRow(value, 'target');
  const { keyBytesMax, nameCharsMax } = limits;
  switch (fields[0]) {
    case WATCH_TARGET.range:
      expectLength(fields, 'target', 3);
      return {
        type: 'range',
        start: bound(fields[1], 'start', keyBytesMax),
        end: optional(fields[2], (end) => bound(end, 'end', keyBytesMax)),
      };
    case WATCH_TARGET.election:
      expectLength(fields, 'target', 2);
      return { type: 'election', election: name(fields[1], 'election', nameCharsMax) };
    case WATCH_TARGET.campaign:
      expectLength(fields, 'target', 3);
      return {
        type: 'campaign',
        election: name(fields[1], 'election', nameCharsMax),
        campaignId: name<CampaignId>(fields[2], 'campaignId', nameCharsMax),
      };
    default:
      throw unknownTag('target', fields[0]);
  }
}
