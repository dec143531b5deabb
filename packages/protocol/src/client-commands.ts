import type {
  CampaignId,
  ClientCommand,
  LoggedCommand,
  Renewal,
  SessionId,
  Stamp,
} from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { bytesOf } from './byte-string.js';
import { unknownKind } from './decoded.js';
import {
  bound,
  bytes,
  expectLength,
  key,
  list,
  name,
  natural,
  optional,
  packToken,
  positive,
  row,
  token,
} from './fields.js';
import type { WireLimits } from './limits.js';
import {
  leaseId,
  optionalLease,
  packCompare,
  packGuard,
  packOperation,
  readBranches,
  readCompare,
  readGuards,
} from './operations.js';
import { CLIENT_COMMAND } from './tags.js';

/** `[tag, session, openedAtMs, sequence, mark, …fields]`: one flat row a command. */
export function packClientCommand(stamp: Stamp, command: ClientCommand): readonly unknown[] {
  const { session, openedAtMs, sequence, mark } = stamp;
  const tag = CLIENT_COMMAND[command.type];
  return [tag, session, openedAtMs, sequence, mark, ...packFields(command)];
}

function packFields(command: ClientCommand): readonly unknown[] {
  switch (command.type) {
    case 'put': {
      const { key, value, lease, guards } = command;
      return [bytesOf(key), value, lease, guards.map(packGuard)];
    }
    case 'delete':
      return [bytesOf(command.key), command.guards.map(packGuard)];
    case 'delete-range': {
      const end = command.end === undefined ? undefined : bytesOf(command.end);
      return [bytesOf(command.start), end, command.guards.map(packGuard)];
    }
    case 'txn':
      return [
        command.compares.map(packCompare),
        command.success.map(packOperation),
        command.failure.map(packOperation),
        command.guards.map(packGuard),
      ];
    case 'lease-grant':
      return [command.lease, command.ttlMs];
    case 'lease-renew':
      return [command.renewals.map(({ lease, attempt }) => [lease, attempt])];
    case 'lease-revoke':
      return [command.lease];
    case 'campaign': {
      const { election, lease, candidate, metadata, campaignId } = command;
      return [election, lease, candidate, metadata, campaignId];
    }
    case 'withdraw':
      return [command.election, command.lease, command.campaignId];
    case 'fence-advance':
      return [command.resource, command.election, packToken(command.token)];
    case 'session-touch':
    case 'session-close':
      return [];
    default:
      return assertNever(command);
  }
}

const STAMP_END = 5;

export function readClientCommand(fields: readonly unknown[], limits: WireLimits): LoggedCommand {
  const command = readFields(fields, limits);
  return { stamp: readStamp(fields, limits), command };
}

function readStamp(fields: readonly unknown[], limits: WireLimits): Stamp {
  return {
    session: name<SessionId>(fields[1], 'session', limits.nameCharsMax),
    openedAtMs: natural(fields[2], 'openedAtMs'),
    sequence: positive(fields[3], 'sequence'),
    mark: natural(fields[4], 'mark'),
  };
}

function readFields(fields: readonly unknown[], limits: WireLimits): ClientCommand {
  switch (fields[0]) {
    case CLIENT_COMMAND.put:
    case CLIENT_COMMAND.delete:
    case CLIENT_COMMAND['delete-range']:
    case CLIENT_COMMAND.txn:
      return readWrite(fields, limits);
    case CLIENT_COMMAND['lease-grant']:
    case CLIENT_COMMAND['lease-renew']:
    case CLIENT_COMMAND['lease-revoke']:
      return readLease(fields, limits);
    case CLIENT_COMMAND.campaign:
    case CLIENT_COMMAND.withdraw:
    case CLIENT_COMMAND['fence-advance']:
      return readElection(fields, limits);
    case CLIENT_COMMAND['session-touch']:
      expectFields(fields, 'session-touch', 0);
      return { type: 'session-touch' };
    case CLIENT_COMMAND['session-close']:
      expectFields(fields, 'session-close', 0);
      return { type: 'session-close' };
    default:
      throw unknownKind('command', fields[0]);
  }
}

function readWrite(fields: readonly unknown[], limits: WireLimits): ClientCommand {
  switch (fields[0]) {
    case CLIENT_COMMAND.put:
      expectFields(fields, 'put', 4);
      return {
        type: 'put',
        key: key(fields[5], 'key', limits.keyBytesMax),
        value: bytes(fields[6], 'value', limits.valueBytesMax),
        lease: optionalLease(fields[7], limits),
        guards: readGuards(fields[8], limits),
      };
    case CLIENT_COMMAND.delete:
      expectFields(fields, 'delete', 2);
      return {
        type: 'delete',
        key: key(fields[5], 'key', limits.keyBytesMax),
        guards: readGuards(fields[6], limits),
      };
    case CLIENT_COMMAND['delete-range']:
      expectFields(fields, 'delete-range', 3);
      return {
        type: 'delete-range',
        start: bound(fields[5], 'start', limits.keyBytesMax),
        end: optional(fields[6], (end) => bound(end, 'end', limits.keyBytesMax)),
        guards: readGuards(fields[7], limits),
      };
    default: {
      expectFields(fields, 'txn', 4);
      const operationsMax = limits.txnOperationsMax;
      const compares = list(fields[5], 'compares', operationsMax, (item) =>
        readCompare(item, limits),
      );
      const branches = readBranches(fields[6], fields[7], limits);
      return { type: 'txn', compares, ...branches, guards: readGuards(fields[8], limits) };
    }
  }
}

function readLease(fields: readonly unknown[], limits: WireLimits): ClientCommand {
  switch (fields[0]) {
    case CLIENT_COMMAND['lease-grant']:
      expectFields(fields, 'lease-grant', 2);
      return {
        type: 'lease-grant',
        lease: leaseId(fields[5], limits),
        ttlMs: positive(fields[6], 'ttlMs'),
      };
    case CLIENT_COMMAND['lease-revoke']:
      expectFields(fields, 'lease-revoke', 1);
      return { type: 'lease-revoke', lease: leaseId(fields[5], limits) };
    default:
      expectFields(fields, 'lease-renew', 1);
      return {
        type: 'lease-renew',
        renewals: list(fields[5], 'renewals', limits.renewalsMax, (item): Renewal => {
          const renewal = row(item, 'renewal', 2);
          return {
            lease: leaseId(renewal[0], limits),
            attempt: positive(renewal[1], 'attempt'),
          };
        }),
      };
  }
}

function readElection(fields: readonly unknown[], limits: WireLimits): ClientCommand {
  const namesMax = limits.nameCharsMax;
  switch (fields[0]) {
    case CLIENT_COMMAND.campaign:
      expectFields(fields, 'campaign', 5);
      return {
        type: 'campaign',
        election: name(fields[5], 'election', namesMax),
        lease: leaseId(fields[6], limits),
        candidate: name(fields[7], 'candidate', namesMax),
        metadata: bytes(fields[8], 'metadata', limits.metadataBytesMax),
        campaignId: name<CampaignId>(fields[9], 'campaignId', namesMax),
      };
    case CLIENT_COMMAND.withdraw:
      expectFields(fields, 'withdraw', 3);
      return {
        type: 'withdraw',
        election: name(fields[5], 'election', namesMax),
        lease: leaseId(fields[6], limits),
        campaignId: name<CampaignId>(fields[7], 'campaignId', namesMax),
      };
    default:
      expectFields(fields, 'fence-advance', 3);
      return {
        type: 'fence-advance',
        resource: name(fields[5], 'resource', namesMax),
        election: name(fields[6], 'election', namesMax),
        token: token(fields[7], 'token'),
      };
  }
}

function expectFields(fields: readonly unknown[], field: string, count: number): void {
  expectLength(fields, field, STAMP_END + count);
}
