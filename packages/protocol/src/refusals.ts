import type { CampaignId, LeaseId, Refusal } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import {
  expectLength,
  name,
  natural,
  optional,
  packToken,
  taggedRow,
  text,
  token,
  unknownTag,
} from './fields.js';
import { REFUSAL } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;

export function packRefusal(refusal: Refusal): readonly unknown[] {
  const tag = REFUSAL[refusal.code];
  switch (refusal.code) {
    case 'FENCED': {
      const current = refusal.current === undefined ? undefined : packToken(refusal.current);
      return [tag, refusal.election, current];
    }
    case 'LEASE_NOT_FOUND':
    case 'LEASE_EXISTS':
    case 'LEASE_ENDING':
      return [tag, refusal.lease];
    case 'CAMPAIGN_WITHDRAWN':
    case 'CAMPAIGN_EXISTS':
      return [tag, refusal.campaignId];
    case 'SESSION_EXPIRED':
      return [tag];
    case 'STALE_REQUEST':
      return [tag, refusal.sequence, refusal.mark];
    case 'SESSION_WINDOW_FULL':
      return [tag, refusal.sequence, refusal.limit];
    case 'REPLY_DROPPED':
      return [tag, refusal.sequence];
    case 'LIMIT_EXCEEDED':
      return [tag, refusal.field, refusal.limit];
    case 'CAPACITY_REACHED':
      return [tag, refusal.what, refusal.limit];
    case 'INVALID_ARGUMENT':
      return [tag, refusal.field, refusal.reason];
    case 'FEATURE_UNAVAILABLE':
      return [tag, refusal.required, refusal.level];
    default:
      return assertNever(refusal);
  }
}

export function readRefusal(value: unknown): Refusal {
  const fields = taggedRow(value, 'refusal');
  switch (fields[0]) {
    case REFUSAL.FENCED:
      expectLength(fields, 'refusal', 3);
      return {
        code: 'FENCED',
        election: name(fields[1], 'election', ANY),
        current: optional(fields[2], (current) => token(current, 'current')),
      };
    case REFUSAL.LEASE_NOT_FOUND:
      return { code: 'LEASE_NOT_FOUND', lease: onlyName<LeaseId>(fields, 'lease') };
    case REFUSAL.LEASE_EXISTS:
      return { code: 'LEASE_EXISTS', lease: onlyName<LeaseId>(fields, 'lease') };
    case REFUSAL.LEASE_ENDING:
      return { code: 'LEASE_ENDING', lease: onlyName<LeaseId>(fields, 'lease') };
    case REFUSAL.CAMPAIGN_WITHDRAWN:
      return { code: 'CAMPAIGN_WITHDRAWN', campaignId: onlyName<CampaignId>(fields, 'campaignId') };
    case REFUSAL.CAMPAIGN_EXISTS:
      return { code: 'CAMPAIGN_EXISTS', campaignId: onlyName<CampaignId>(fields, 'campaignId') };
    default:
      return readBound(fields);
  }
}

function onlyName<T extends string>(fields: readonly unknown[], field: string): T {
  expectLength(fields, 'refusal', 2);
  return name<T>(fields[1], field, ANY);
}

function readBound(fields: readonly unknown[]): Refusal {
  switch (fields[0]) {
    case REFUSAL.SESSION_EXPIRED:
      expectLength(fields, 'refusal', 1);
      return { code: 'SESSION_EXPIRED' };
    case REFUSAL.STALE_REQUEST: {
      const [sequence, mark] = numbers(fields, 'sequence', 'mark');
      return { code: 'STALE_REQUEST', sequence, mark };
    }
    case REFUSAL.SESSION_WINDOW_FULL: {
      const [sequence, limit] = numbers(fields, 'sequence', 'limit');
      return { code: 'SESSION_WINDOW_FULL', sequence, limit };
    }
    case REFUSAL.REPLY_DROPPED:
      expectLength(fields, 'refusal', 2);
      return { code: 'REPLY_DROPPED', sequence: natural(fields[1], 'sequence') };
    case REFUSAL.LIMIT_EXCEEDED:
      expectLength(fields, 'refusal', 3);
      return {
        code: 'LIMIT_EXCEEDED',
        field: text(fields[1], 'field', ANY),
        limit: natural(fields[2], 'limit'),
      };
    case REFUSAL.CAPACITY_REACHED:
      expectLength(fields, 'refusal', 3);
      return {
        code: 'CAPACITY_REACHED',
        what: text(fields[1], 'what', ANY),
        limit: natural(fields[2], 'limit'),
      };
    case REFUSAL.INVALID_ARGUMENT:
      expectLength(fields, 'refusal', 3);
      return {
        code: 'INVALID_ARGUMENT',
        field: text(fields[1], 'field', ANY),
        reason: text(fields[2], 'reason', ANY),
      };
    case REFUSAL.FEATURE_UNAVAILABLE: {
      const [required, level] = numbers(fields, 'required', 'level');
      return { code: 'FEATURE_UNAVAILABLE', required, level };
    }
    default:
      throw unknownTag('refusal', fields[0]);
  }
}

function numbers(
  fields: readonly unknown[],
  first: string,
  second: string,
): readonly [number, number] {
  expectLength(fields, 'refusal', 3);
  return [natural(fields[1], first), natural(fields[2], second)];
}
