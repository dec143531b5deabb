import type { CommandResult, LeaseId, OperationResult, RenewalResult } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import {
  choice,
  expectLength,
  flag,
  list,
  name,
  natural,
  optional,
  packToken,
  taggedRow,
  token,
  unknownTag,
} from './fields.js';
import {
  packCampaignState,
  packKeyRecord,
  packLiveGrant,
  readCampaignState,
  readKeyRecord,
  readLiveGrants,
  revision,
} from './records.js';
import { packRefusal, readRefusal } from './refusals.js';
import { COMMAND_RESULT, OPERATION } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;
const REVOKED = ['revoked', 'ending'] as const;
const WITHDRAWN = ['not-found', 'removed', 'resigned', 'ending'] as const;

export function packCommandResult(result: CommandResult): readonly unknown[] {
  const tag = COMMAND_RESULT[result.type];
  switch (result.type) {
    case 'put':
      return [tag, result.revision, result.version];
    case 'delete':
      return [tag, result.revision, result.deleted];
    case 'delete-range':
      return [tag, result.revision, result.deleted, result.more];
    case 'txn':
      return [tag, result.revision, result.succeeded, result.results.map(packOperationResult)];
    case 'lease-grant':
      return [tag, result.lease, result.ttlMs];
    case 'lease-renew':
      return [tag, result.renewals.map(packRenewalResult)];
    case 'lease-revoke':
      return [tag, REVOKED.indexOf(result.outcome), result.waitMs];
    case 'campaign':
      return [tag, result.revision, packCampaignState(result.state)];
    case 'withdraw':
      return [tag, result.revision, WITHDRAWN.indexOf(result.outcome), result.waitMs];
    case 'fence-advance':
      return [tag, packToken(result.token)];
    case 'done':
      return [tag];
    case 'refused':
      return [tag, packRefusal(result.refusal)];
    default:
      return assertNever(result);
  }
}

export function readCommandResult(value: unknown): CommandResult {
  const fields = taggedRow(value, 'result');
  switch (fields[0]) {
    case COMMAND_RESULT.put:
    case COMMAND_RESULT.delete:
    case COMMAND_RESULT['delete-range']:
    case COMMAND_RESULT.txn:
      return readWriteResult(fields);
    case COMMAND_RESULT['lease-grant']:
    case COMMAND_RESULT['lease-renew']:
    case COMMAND_RESULT['lease-revoke']:
      return readLeaseResult(fields);
    case COMMAND_RESULT.campaign:
      expectLength(fields, 'campaign', 3);
      return {
        type: 'campaign',
        revision: revision(fields[1]),
        state: readCampaignState(fields[2]),
      };
    case COMMAND_RESULT.withdraw:
      expectLength(fields, 'withdraw', 4);
      return {
        type: 'withdraw',
        revision: revision(fields[1]),
        outcome: choice(fields[2], 'outcome', WITHDRAWN),
        waitMs: natural(fields[3], 'waitMs'),
      };
    case COMMAND_RESULT['fence-advance']:
      expectLength(fields, 'fence-advance', 2);
      return { type: 'fence-advance', token: token(fields[1], 'token') };
    case COMMAND_RESULT.done:
      expectLength(fields, 'done', 1);
      return { type: 'done' };
    case COMMAND_RESULT.refused:
      expectLength(fields, 'refused', 2);
      return { type: 'refused', refusal: readRefusal(fields[1]) };
    default:
      throw unknownTag('result', fields[0]);
  }
}

function readWriteResult(fields: readonly unknown[]): CommandResult {
  switch (fields[0]) {
    case COMMAND_RESULT.put:
      expectLength(fields, 'put', 3);
      return {
        type: 'put',
        revision: revision(fields[1]),
        version: natural(fields[2], 'version'),
      };
    case COMMAND_RESULT.delete:
      expectLength(fields, 'delete', 3);
      return {
        type: 'delete',
        revision: revision(fields[1]),
        deleted: natural(fields[2], 'deleted'),
      };
    case COMMAND_RESULT['delete-range']:
      expectLength(fields, 'delete-range', 4);
      return {
        type: 'delete-range',
        revision: revision(fields[1]),
        deleted: natural(fields[2], 'deleted'),
        more: flag(fields[3], 'more'),
      };
    default:
      expectLength(fields, 'txn', 4);
      return {
        type: 'txn',
        revision: revision(fields[1]),
        succeeded: flag(fields[2], 'succeeded'),
        results: list(fields[3], 'results', ANY, readOperationResult),
      };
  }
}

function readLeaseResult(fields: readonly unknown[]): CommandResult {
  switch (fields[0]) {
    case COMMAND_RESULT['lease-grant']:
      expectLength(fields, 'lease-grant', 3);
      return {
        type: 'lease-grant',
        lease: name<LeaseId>(fields[1], 'lease', ANY),
        ttlMs: natural(fields[2], 'ttlMs'),
      };
    case COMMAND_RESULT['lease-renew']:
      expectLength(fields, 'lease-renew', 2);
      return {
        type: 'lease-renew',
        renewals: list(fields[1], 'renewals', ANY, readRenewalResult),
      };
    default:
      expectLength(fields, 'lease-revoke', 3);
      return {
        type: 'lease-revoke',
        outcome: choice(fields[1], 'outcome', REVOKED),
        waitMs: natural(fields[2], 'waitMs'),
      };
  }
}

function packOperationResult(result: OperationResult): readonly unknown[] {
  const tag = OPERATION[result.type];
  switch (result.type) {
    case 'put':
      return [tag, result.version];
    case 'delete':
      return [tag, result.deleted];
    case 'delete-range':
      return [tag, result.deleted, result.more];
    case 'get':
      return [tag, result.record === undefined ? undefined : packKeyRecord(result.record)];
    default:
      return assertNever(result);
  }
}

function readOperationResult(value: unknown): OperationResult {
  const fields = taggedRow(value, 'result');
  expectLength(fields, 'result', fields[0] === OPERATION['delete-range'] ? 3 : 2);
  switch (fields[0]) {
    case OPERATION.put:
      return { type: 'put', version: natural(fields[1], 'version') };
    case OPERATION.delete:
      return { type: 'delete', deleted: natural(fields[1], 'deleted') };
    case OPERATION['delete-range']:
      return {
        type: 'delete-range',
        deleted: natural(fields[1], 'deleted'),
        more: flag(fields[2], 'more'),
      };
    case OPERATION.get:
      return { type: 'get', record: optional(fields[1], readKeyRecord) };
    default:
      throw unknownTag('result', fields[0]);
  }
}

/** `[lease, attempt]` where the lease is not there, the whole row where it is. */
function packRenewalResult(result: RenewalResult): readonly unknown[] {
  const { lease, attempt } = result;
  if (result.outcome === 'not-found') return [lease, attempt];
  const { applied, lastAttempt, ttlMs, ending } = result;
  return [lease, attempt, applied, lastAttempt, ttlMs, ending, result.grants.map(packLiveGrant)];
}

function readRenewalResult(value: unknown): RenewalResult {
  const fields = taggedRow(value, 'renewal');
  const lease = name<LeaseId>(fields[0], 'lease', ANY);
  const attempt = natural(fields[1], 'attempt');
  if (fields.length === 2) return { outcome: 'not-found', lease, attempt };
  expectLength(fields, 'renewal', 7);
  return {
    outcome: 'renewed',
    lease,
    attempt,
    applied: flag(fields[2], 'applied'),
    lastAttempt: natural(fields[3], 'lastAttempt'),
    ttlMs: natural(fields[4], 'ttlMs'),
    ending: flag(fields[5], 'ending'),
    grants: readLiveGrants(fields[6]),
  };
}
