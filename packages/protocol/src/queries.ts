import type { CampaignId, Query } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { bytesOf } from './byte-string.js';
import { atMost, bound, expectLength, key, name, optional, taggedRow, text } from './fields.js';
import type { WireLimits } from './limits.js';
import { leaseId } from './operations.js';
import { unknownKind } from './decoded.js';
import { QUERY } from './tags.js';

export function packQuery(query: Query): readonly unknown[] {
  const tag = QUERY[query.type];
  switch (query.type) {
    case 'get':
      return [tag, bytesOf(query.key)];
    case 'range': {
      const end = query.end === undefined ? undefined : bytesOf(query.end);
      return [tag, bytesOf(query.start), end, query.limit];
    }
    case 'range-next':
      return [tag, query.cursor];
    case 'lease-show':
      return [tag, query.lease];
    case 'lease-list':
      return [tag, query.limit];
    case 'election-show':
      return [tag, query.election];
    case 'election-list':
      return [tag, query.prefix, query.limit];
    case 'campaign-show':
      return [tag, query.election, query.campaignId];
    default:
      return assertNever(query);
  }
}

export function readQuery(value: unknown, limits: WireLimits): Query {
  const fields = taggedRow(value, 'query');
  switch (fields[0]) {
    case QUERY.get:
    case QUERY.range:
    case QUERY['range-next']:
      return readKeyQuery(fields, limits);
    case QUERY['lease-show']:
      expectLength(fields, 'lease-show', 2);
      return { type: 'lease-show', lease: leaseId(fields[1], limits) };
    case QUERY['lease-list']:
      expectLength(fields, 'lease-list', 2);
      return { type: 'lease-list', limit: atMost(fields[1], 'limit', limits.rangeLimitMax) };
    default:
      return readElectionQuery(fields, limits);
  }
}

function readKeyQuery(fields: readonly unknown[], limits: WireLimits): Query {
  const { keyBytesMax } = limits;
  switch (fields[0]) {
    case QUERY.get:
      expectLength(fields, 'get', 2);
      return { type: 'get', key: key(fields[1], 'key', keyBytesMax) };
    case QUERY.range:
      expectLength(fields, 'range', 4);
      return {
        type: 'range',
        start: bound(fields[1], 'start', keyBytesMax),
        end: optional(fields[2], (end) => bound(end, 'end', keyBytesMax)),
        limit: atMost(fields[3], 'limit', limits.rangeLimitMax),
      };
    default:
      expectLength(fields, 'range-next', 2);
      return { type: 'range-next', cursor: name(fields[1], 'cursor', cursorCharsMax(limits)) };
  }
}

/** A cursor of the coordinator spells out its next key and its end, behind three numbers. */
function cursorCharsMax({ keyBytesMax }: WireLimits): number {
  return 2 * keyBytesMax + 64;
}

function readElectionQuery(fields: readonly unknown[], limits: WireLimits): Query {
  const { nameCharsMax } = limits;
  switch (fields[0]) {
    case QUERY['election-show']:
      expectLength(fields, 'election-show', 2);
      return { type: 'election-show', election: name(fields[1], 'election', nameCharsMax) };
    case QUERY['election-list']:
      expectLength(fields, 'election-list', 3);
      return {
        type: 'election-list',
        prefix: text(fields[1], 'prefix', nameCharsMax),
        limit: atMost(fields[2], 'limit', limits.rangeLimitMax),
      };
    case QUERY['campaign-show']:
      expectLength(fields, 'campaign-show', 3);
      return {
        type: 'campaign-show',
        election: name(fields[1], 'election', nameCharsMax),
        campaignId: name<CampaignId>(fields[2], 'campaignId', nameCharsMax),
      };
    default:
      throw unknownKind('query', fields[0]);
  }
}
