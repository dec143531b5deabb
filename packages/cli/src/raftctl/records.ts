import type { ElectionRecord, KeyRecord, LeaderRecord, LeaseRecord } from '@raftd/protocol';

import { type JsonBytes, jsonBytes } from './bytes.js';

// The JSON shapes of DESIGN section 10: keys here are a contract with scripts.

export interface JsonRecord {
  readonly key: JsonBytes;
  readonly value: JsonBytes;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly lease: string | null;
}

export function jsonRecord(
  record: Omit<KeyRecord, 'key' | 'lease'> & { key: Uint8Array; lease: string | undefined },
): JsonRecord {
  return {
    key: jsonBytes(record.key),
    value: jsonBytes(record.value),
    createRevision: record.createRevision,
    modRevision: record.modRevision,
    version: record.version,
    lease: record.lease ?? null,
  };
}

export interface JsonLeader {
  readonly candidate: string;
  readonly holder: string;
  readonly lease: string;
  /** Decimal: a token is never a JSON number. */
  readonly token: string;
  readonly metadata: JsonBytes;
  readonly grantedAt: string;
}

export function jsonLeader(leader: LeaderRecord): JsonLeader {
  return {
    candidate: leader.candidate,
    holder: leader.holder,
    lease: leader.lease,
    token: leader.token.toString(),
    metadata: jsonBytes(leader.metadata),
    grantedAt: new Date(leader.grantedAtWallMs).toISOString(),
  };
}

export function jsonElection(record: ElectionRecord): object {
  return {
    election: record.election,
    leader: record.leader === undefined ? null : jsonLeader(record.leader),
    queue: record.queue.map(({ candidate, campaignId, lease, position }) => {
      return { candidate, holder: campaignId, lease, position };
    }),
    paused: record.paused,
  };
}

export function jsonLease(lease: LeaseRecord): object {
  return {
    lease: lease.lease,
    ttlMs: lease.ttlMs,
    remainingMs: lease.remainingMs,
    ending: lease.ending,
    keys: lease.keys,
    grants: lease.grants.map(({ election, campaignId, token, ending }) => {
      return { election, holder: campaignId, token: token.toString(), ending };
    }),
  };
}
