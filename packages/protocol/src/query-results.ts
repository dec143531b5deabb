import type { QueryResult } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { expectLength, flag, list, name, optional, taggedRow, unknownTag } from './fields.js';
import {
  packCampaignState,
  packElection,
  packKeyRecord,
  packLeaseRecord,
  readCampaignState,
  readElection,
  readKeyRecord,
  readLeaseRecord,
  revision,
} from './records.js';
import { QUERY_RESULT } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;

export function packQueryResult(result: QueryResult): readonly unknown[] {
  const tag = QUERY_RESULT[result.type];
  switch (result.type) {
    case 'get':
      return [tag, result.revision, maybe(result.record, packKeyRecord)];
    case 'range':
      return [tag, result.revision, result.records.map(packKeyRecord), result.cursor];
    case 'lease-show':
      return [tag, result.revision, maybe(result.lease, packLeaseRecord)];
    case 'lease-list':
      return [tag, result.revision, result.leases.map(packLeaseRecord), result.more];
    case 'election-show':
      return [tag, result.revision, maybe(result.election, packElection)];
    case 'election-list':
      return [tag, result.revision, result.elections.map(packElection), result.more];
    case 'campaign-show':
      return [tag, result.revision, packCampaignState(result.state)];
    case 'cursor-expired':
      return [tag];
    default:
      return assertNever(result);
  }
}

function maybe<T>(value: T | undefined, pack: (present: T) => unknown): unknown {
  return value === undefined ? undefined : pack(value);
}

export function readQueryResult(value: unknown): QueryResult {
  const fields = taggedRow(value, 'result');
  switch (fields[0]) {
    case QUERY_RESULT.get:
      expectLength(fields, 'get', 3);
      return {
        type: 'get',
        revision: revision(fields[1]),
        record: optional(fields[2], readKeyRecord),
      };
    case QUERY_RESULT.range:
      expectLength(fields, 'range', 4);
      return {
        type: 'range',
        revision: revision(fields[1]),
        records: list(fields[2], 'records', ANY, readKeyRecord),
        cursor: optional(fields[3], (cursor) => name(cursor, 'cursor', ANY)),
      };
    case QUERY_RESULT['cursor-expired']:
      expectLength(fields, 'cursor-expired', 1);
      return { type: 'cursor-expired' };
    default:
      return readElectionResult(fields);
  }
}

function readElectionResult(fields: readonly unknown[]): QueryResult {
  const at = (): ReturnType<typeof revision> => revision(fields[1]);
  switch (fields[0]) {
    case QUERY_RESULT['lease-show']:
      expectLength(fields, 'lease-show', 3);
      return { type: 'lease-show', revision: at(), lease: optional(fields[2], readLeaseRecord) };
    case QUERY_RESULT['lease-list']:
      expectLength(fields, 'lease-list', 4);
      return {
        type: 'lease-list',
        revision: at(),
        leases: list(fields[2], 'leases', ANY, readLeaseRecord),
        more: flag(fields[3], 'more'),
      };
    case QUERY_RESULT['election-show']:
      expectLength(fields, 'election-show', 3);
      return { type: 'election-show', revision: at(), election: optional(fields[2], readElection) };
    case QUERY_RESULT['election-list']:
      expectLength(fields, 'election-list', 4);
      return {
        type: 'election-list',
        revision: at(),
        elections: list(fields[2], 'elections', ANY, readElection),
        more: flag(fields[3], 'more'),
      };
    case QUERY_RESULT['campaign-show']:
      expectLength(fields, 'campaign-show', 3);
      return { type: 'campaign-show', revision: at(), state: readCampaignState(fields[2]) };
    default:
      throw unknownTag('result', fields[0]);
  }
}
