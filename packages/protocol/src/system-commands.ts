import type { LeaseId, SessionId, Settings, SystemCommand } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { expectLength, integer, list, name, natural, packToken, row, token } from './fields.js';
import { unknownKind } from './decoded.js';
import { UNLIMITED } from './limits.js';
import { SYSTEM_COMMAND } from './tags.js';

/** `[tag, …fields]`. Written by a leader, read back from the log: no limits but the types. */
export function packSystemCommand(command: SystemCommand): readonly unknown[] {
  const tag = SYSTEM_COMMAND[command.type];
  switch (command.type) {
    case 'initialize': {
      const { tokenBase, settings, featureLevel } = command;
      return [tag, packToken(tokenBase), packSettings(settings), featureLevel];
    }
    case 'expire-leases':
      return [tag, command.leases.map(({ lease, renewals }) => [lease, renewals])];
    case 'expire-sessions':
      return [tag, command.sessions.map(({ session, touchedAtMs }) => [session, touchedAtMs])];
    case 'end-grants':
      return [tag, command.grants.map((grant) => [grant.election, packToken(grant.token)])];
    case 'remove-elections':
      return [tag, command.elections];
    case 'set-wall-offset':
      return [tag, command.wallOffsetMs];
    case 'raise-feature-level':
      return [tag, command.level];
    default:
      return assertNever(command);
  }
}

export function readSystemCommand(fields: readonly unknown[]): SystemCommand {
  const only = fields[1];
  if (fields[0] === SYSTEM_COMMAND.initialize) return readInitialize(fields);
  expectLength(fields, 'command', 2);
  switch (fields[0]) {
    case SYSTEM_COMMAND['expire-leases']:
      return { type: 'expire-leases', leases: listOf(only, 'leases', readLeaseExpiry) };
    case SYSTEM_COMMAND['expire-sessions']:
      return { type: 'expire-sessions', sessions: listOf(only, 'sessions', readSessionExpiry) };
    case SYSTEM_COMMAND['end-grants']:
      return { type: 'end-grants', grants: listOf(only, 'grants', readGrantEnd) };
    case SYSTEM_COMMAND['remove-elections']:
      return {
        type: 'remove-elections',
        elections: listOf(only, 'elections', (item) =>
          name(item, 'election', UNLIMITED.nameCharsMax),
        ),
      };
    case SYSTEM_COMMAND['set-wall-offset']:
      return { type: 'set-wall-offset', wallOffsetMs: integer(only, 'wallOffsetMs') };
    case SYSTEM_COMMAND['raise-feature-level']:
      return { type: 'raise-feature-level', level: natural(only, 'level') };
    default:
      throw unknownKind('command', fields[0]);
  }
}

function listOf<T>(value: unknown, field: string, read: (item: unknown) => T): readonly T[] {
  return list(value, field, Number.MAX_SAFE_INTEGER, read);
}

function readLeaseExpiry(item: unknown): { lease: LeaseId; renewals: number } {
  const fields = row(item, 'expiry', 2);
  return {
    lease: name<LeaseId>(fields[0], 'lease', UNLIMITED.nameCharsMax),
    renewals: natural(fields[1], 'renewals'),
  };
}

function readSessionExpiry(item: unknown): { session: SessionId; touchedAtMs: number } {
  const fields = row(item, 'expiry', 2);
  return {
    session: name<SessionId>(fields[0], 'session', UNLIMITED.nameCharsMax),
    touchedAtMs: natural(fields[1], 'touchedAtMs'),
  };
}

function readGrantEnd(item: unknown): { election: string; token: ReturnType<typeof token> } {
  const fields = row(item, 'grant', 2);
  return {
    election: name(fields[0], 'election', UNLIMITED.nameCharsMax),
    token: token(fields[1], 'token'),
  };
}

function readInitialize(fields: readonly unknown[]): SystemCommand {
  expectLength(fields, 'initialize', 4);
  return {
    type: 'initialize',
    tokenBase: token(fields[1], 'tokenBase'),
    settings: readSettings(fields[2]),
    featureLevel: natural(fields[3], 'featureLevel'),
  };
}

/** The order of settings in their row. A setting that is not listed does not compile. */
const SETTINGS_ORDER = {
  keysPerEntryMax: 0,
  keysPerLeaseMax: 1,
  leasesMax: 2,
  leaseTtlMinMs: 3,
  leaseTtlMaxMs: 4,
  electionsMax: 5,
  candidatesPerElectionMax: 6,
  fencesMax: 7,
  sessionsMax: 8,
  sessionTtlMs: 9,
  sessionWindow: 10,
  sessionReplyBytesMax: 11,
  withdrawalsPerLeaseMax: 12,
  txnReplyBytesMax: 13,
} as const satisfies Readonly<Record<keyof Settings, number>>;

const SETTING_NAMES = Object.keys(SETTINGS_ORDER) as readonly (keyof Settings)[];

function packSettings(settings: Settings): readonly unknown[] {
  return SETTING_NAMES.map((setting) => settings[setting]);
}

function readSettings(value: unknown): Settings {
  const fields = row(value, 'settings', SETTING_NAMES.length);
  const read = (setting: keyof Settings): number =>
    natural(fields[SETTINGS_ORDER[setting]], setting);
  return {
    keysPerEntryMax: read('keysPerEntryMax'),
    keysPerLeaseMax: read('keysPerLeaseMax'),
    leasesMax: read('leasesMax'),
    leaseTtlMinMs: read('leaseTtlMinMs'),
    leaseTtlMaxMs: read('leaseTtlMaxMs'),
    electionsMax: read('electionsMax'),
    candidatesPerElectionMax: read('candidatesPerElectionMax'),
    fencesMax: read('fencesMax'),
    sessionsMax: read('sessionsMax'),
    sessionTtlMs: read('sessionTtlMs'),
    sessionWindow: read('sessionWindow'),
    sessionReplyBytesMax: read('sessionReplyBytesMax'),
    withdrawalsPerLeaseMax: read('withdrawalsPerLeaseMax'),
    txnReplyBytesMax: read('txnReplyBytesMax'),
  };
}
