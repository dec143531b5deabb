import type { CampaignId, ChangeEvent, Changes, EndReason, LeaseId } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { bytesOf } from './byte-string.js';
import {
  choice,
  expectLength,
  flag,
  key,
  list,
  name,
  packToken,
  row,
  taggedRow,
  token,
  unknownTag,
} from './fields.js';
import { packKeyRecord, packLeader, readKeyRecord, readLeader, revision } from './records.js';
import { CHANGE_EVENT } from './tags.js';

const ANY = Number.MAX_SAFE_INTEGER;
const REASONS: readonly EndReason[] = ['user', 'lease-expired', 'lease-revoked'];

/** `[revision, more, events]`. */
export function packChanges(changes: Changes & { readonly more: boolean }): readonly unknown[] {
  return [changes.revision, changes.more, changes.events.map(packChangeEvent)];
}

export function readChanges(value: unknown): Changes & { readonly more: boolean } {
  const fields = row(value, 'changes', 3);
  return {
    revision: revision(fields[0]),
    more: flag(fields[1], 'more'),
    events: list(fields[2], 'events', ANY, readChangeEvent),
  };
}

function packChangeEvent(event: ChangeEvent): readonly unknown[] {
  const tag = CHANGE_EVENT[event.type];
  switch (event.type) {
    case 'put':
      return [tag, packKeyRecord(event.record)];
    case 'delete':
      return [tag, bytesOf(event.key), REASONS.indexOf(event.reason)];
    case 'queued':
      return [tag, event.election, event.campaignId, event.candidate];
    case 'left':
      return [tag, event.election, event.campaignId, REASONS.indexOf(event.reason)];
    case 'granted':
    case 'ending':
      return [tag, packLeader(event.leader)];
    case 'ended': {
      const { election, campaignId, lease, reason } = event;
      const ended = packToken(event.token);
      return [tag, election, campaignId, lease, ended, REASONS.indexOf(reason)];
    }
    default:
      return assertNever(event);
  }
}

function readChangeEvent(value: unknown): ChangeEvent {
  const fields = taggedRow(value, 'event');
  switch (fields[0]) {
    case CHANGE_EVENT.put:
      expectLength(fields, 'put', 2);
      return { type: 'put', record: readKeyRecord(fields[1]) };
    case CHANGE_EVENT.delete:
      expectLength(fields, 'delete', 3);
      return {
        type: 'delete',
        key: key(fields[1], 'key', ANY),
        reason: choice(fields[2], 'reason', REASONS),
      };
    case CHANGE_EVENT.granted:
      expectLength(fields, 'granted', 2);
      return { type: 'granted', leader: readLeader(fields[1]) };
    case CHANGE_EVENT.ending:
      expectLength(fields, 'ending', 2);
      return { type: 'ending', leader: readLeader(fields[1]) };
    default:
      return readCampaignEvent(fields);
  }
}

function readCampaignEvent(fields: readonly unknown[]): ChangeEvent {
  const election = (): string => name(fields[1], 'election', ANY);
  const campaignId = (): CampaignId => name<CampaignId>(fields[2], 'campaignId', ANY);
  switch (fields[0]) {
    case CHANGE_EVENT.queued:
      expectLength(fields, 'queued', 4);
      return {
        type: 'queued',
        election: election(),
        campaignId: campaignId(),
        candidate: name(fields[3], 'candidate', ANY),
      };
    case CHANGE_EVENT.left:
      expectLength(fields, 'left', 4);
      return {
        type: 'left',
        election: election(),
        campaignId: campaignId(),
        reason: choice(fields[3], 'reason', REASONS),
      };
    case CHANGE_EVENT.ended:
      expectLength(fields, 'ended', 6);
      return {
        type: 'ended',
        election: election(),
        campaignId: campaignId(),
        lease: name<LeaseId>(fields[3], 'lease', ANY),
        token: token(fields[4], 'token'),
        reason: choice(fields[5], 'reason', REASONS),
      };
    default:
      throw unknownTag('event', fields[0]);
  }
}
