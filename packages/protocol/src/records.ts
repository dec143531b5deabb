import type {
  CampaignId,
  CampaignState,
  ElectionRecord,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  LeaseRecord,
  LiveGrant,
  QueuedCandidate,
  Revision,
} from '@raftd/coordinator';
import { bytesOf } from './byte-string.js';
import { invalid } from './decoded.js';
import {
  bytes,
  flag,
  integer,
  key,
  list,
  name,
  natural,
  optional,
  packToken,
  row,
  taggedRow,
  token,
} from './fields.js';
import { retain } from './pack.js';

/**
 * What the state machine shows. These are read by clients only: their size is bounded by the
 * frame they came in, not field by field, since a server's limits may differ from a client's.
 */
const ANY = Number.MAX_SAFE_INTEGER;

export function revision(value: unknown): Revision {
  return natural(value, 'revision') as Revision;
}

function lease(value: unknown): LeaseId {
  return name<LeaseId>(value, 'lease', ANY);
}

export function packKeyRecord(record: KeyRecord): readonly unknown[] {
  const { value, createRevision, modRevision, version } = record;
  return [bytesOf(record.key), value, createRevision, modRevision, version, record.lease];
}

export function readKeyRecord(value: unknown): KeyRecord {
  const fields = row(value, 'record', 6);
  return {
    key: key(fields[0], 'key', ANY),
    value: retain(bytes(fields[1], 'value', ANY)),
    createRevision: revision(fields[2]),
    modRevision: revision(fields[3]),
    version: natural(fields[4], 'version'),
    lease: optional(fields[5], lease),
  };
}

export function packLeader(leader: LeaderRecord): readonly unknown[] {
  return [
    leader.election,
    leader.candidate,
    leader.holder,
    leader.lease,
    packToken(leader.token),
    leader.metadata,
    leader.grantedAtMs,
    leader.grantedAtWallMs,
    leader.ending,
  ];
}

export function readLeader(value: unknown): LeaderRecord {
  const fields = row(value, 'leader', 9);
  return {
    election: name(fields[0], 'election', ANY),
    candidate: name(fields[1], 'candidate', ANY),
    holder: name<CampaignId>(fields[2], 'holder', ANY),
    lease: lease(fields[3]),
    token: token(fields[4], 'token'),
    metadata: retain(bytes(fields[5], 'metadata', ANY)),
    grantedAtMs: natural(fields[6], 'grantedAtMs'),
    grantedAtWallMs: natural(fields[7], 'grantedAtWallMs'),
    ending: flag(fields[8], 'ending'),
  };
}

export function packLiveGrant(grant: LiveGrant): readonly unknown[] {
  return [grant.election, grant.campaignId, packToken(grant.token), grant.ending];
}

export function readLiveGrant(value: unknown): LiveGrant {
  const fields = row(value, 'grant', 4);
  return {
    election: name(fields[0], 'election', ANY),
    campaignId: name<CampaignId>(fields[1], 'campaignId', ANY),
    token: token(fields[2], 'token'),
    ending: flag(fields[3], 'ending'),
  };
}

export function readLiveGrants(value: unknown): readonly LiveGrant[] {
  return list(value, 'grants', ANY, readLiveGrant);
}

export function packLeaseRecord(record: LeaseRecord): readonly unknown[] {
  const { ttlMs, remainingMs, attempt, ending, keys, grants } = record;
  return [record.lease, ttlMs, remainingMs, attempt, ending, keys, grants.map(packLiveGrant)];
}

export function readLeaseRecord(value: unknown): LeaseRecord {
  const fields = row(value, 'lease', 7);
  return {
    lease: lease(fields[0]),
    ttlMs: natural(fields[1], 'ttlMs'),
    remainingMs: integer(fields[2], 'remainingMs'),
    attempt: natural(fields[3], 'attempt'),
    ending: flag(fields[4], 'ending'),
    keys: natural(fields[5], 'keys'),
    grants: readLiveGrants(fields[6]),
  };
}

function packCandidate(waiting: QueuedCandidate): readonly unknown[] {
  return [waiting.candidate, waiting.campaignId, waiting.lease, waiting.position];
}

function readCandidate(value: unknown): QueuedCandidate {
  const fields = row(value, 'candidate', 4);
  return {
    candidate: name(fields[0], 'candidate', ANY),
    campaignId: name<CampaignId>(fields[1], 'campaignId', ANY),
    lease: lease(fields[2]),
    position: natural(fields[3], 'position'),
  };
}

export function packElection(record: ElectionRecord): readonly unknown[] {
  const leader = record.leader === undefined ? undefined : packLeader(record.leader);
  return [record.election, leader, record.queue.map(packCandidate), record.paused];
}

export function readElection(value: unknown): ElectionRecord {
  const fields = row(value, 'election', 4);
  return {
    election: name(fields[0], 'election', ANY),
    leader: optional(fields[1], readLeader),
    queue: list(fields[2], 'queue', ANY, readCandidate),
    paused: flag(fields[3], 'paused'),
  };
}

const CAMPAIGN = { absent: 0, queued: 1, granted: 2 } as const satisfies Readonly<
  Record<CampaignState['state'], number>
>;

export function packCampaignState(campaign: CampaignState): readonly unknown[] {
  switch (campaign.state) {
    case 'absent':
      return [CAMPAIGN.absent];
    case 'queued':
      return [CAMPAIGN.queued, campaign.position];
    case 'granted':
      return [CAMPAIGN.granted, packLeader(campaign.leader)];
  }
}

export function readCampaignState(value: unknown): CampaignState {
  const fields = taggedRow(value, 'campaign');
  switch (fields[0]) {
    case CAMPAIGN.absent:
      return { state: 'absent' };
    case CAMPAIGN.queued:
      return { state: 'queued', position: natural(fields[1], 'position') };
    case CAMPAIGN.granted:
      return { state: 'granted', leader: readLeader(fields[1]) };
    default:
      throw invalid('campaign', 'has an unknown state');
  }
}
