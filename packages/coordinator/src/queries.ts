import { assertNever } from './assert.js';
import type { Query } from './commands.js';
import { formatCursor, parseCursor, type Cursors, type Position } from './cursors.js';
import { campaignState } from './elections.js';
import { liveGrants } from './leases.js';
import { leaderBytes, recordBytes } from './reply-size.js';
import type { ElectionRecord, LeaseRecord, QueryResult } from './results.js';
import type { Election, KeyTable, Lease, State } from './state.js';
import type { KeyRecord } from './types.js';

/** Items of one answer; more are asked for by cursor or not at all. */
export const PAGE_ITEMS_MAX = 10_000;

/** A page ends with the item that reaches this, so that it fits a frame with the largest value. */
export const PAGE_BYTES_MAX: number = 1024 * 1024;

export function answerQuery(state: State, cursors: Cursors, query: Query): QueryResult {
  const { revision } = state;
  switch (query.type) {
    case 'get':
      return { type: 'get', revision, record: state.keys.get(query.key) };
    case 'range':
      return page(state, cursors, state.keys, { ...query, revision });
    case 'range-next':
      return nextPage(state, cursors, query.cursor);
    case 'lease-show': {
      const lease = state.leases.get(query.lease);
      const record = lease === undefined ? undefined : leaseRecord(state, lease);
      return { type: 'lease-show', revision, lease: record };
    }
    case 'lease-list':
      return { type: 'lease-list', revision, ...listLeases(state, query.limit) };
    case 'election-show': {
      const election = state.elections.get(query.election);
      const record = election === undefined ? undefined : electionRecord(election);
      return { type: 'election-show', revision, election: record };
    }
    case 'election-list':
      return { type: 'election-list', revision, ...listElections(state, query) };
    case 'campaign-show': {
      const election = state.elections.get(query.election);
      return { type: 'campaign-show', revision, state: campaignState(election, query.campaignId) };
    }
    /* v8 ignore next */
    default:
      return assertNever(query);
  }
}

/** [start, end) of one revision; the rest of it is pinned if there is any. */
function page(state: State, cursors: Cursors, keys: KeyTable, from: Position): QueryResult {
  const { revision, end } = from;
  const limit = itemLimit(from.limit);
  const records: KeyRecord[] = [];
  let bytes = 0;
  for (const [key, record] of keys.entries(from.start)) {
    if (end !== undefined && key >= end) break;
    if (records.length >= limit || bytes >= PAGE_BYTES_MAX) {
      cursors.pin(revision, keys, state.clusterTimeMs);
      const cursor = formatCursor({ revision, start: key, end, limit });
      return { type: 'range', revision, records, cursor };
    }
    records.push(record);
    bytes += recordBytes(record);
  }
  return { type: 'range', revision, records, cursor: undefined };
}

function nextPage(state: State, cursors: Cursors, cursor: string): QueryResult {
  const from = parseCursor(cursor);
  if (from === undefined) return { type: 'cursor-expired' };
  const pinned = cursors.keysAt(from.revision, state.clusterTimeMs);
  const keys = pinned ?? (from.revision === state.revision ? state.keys : undefined);
  return keys === undefined ? { type: 'cursor-expired' } : page(state, cursors, keys, from);
}

function leaseRecord(state: State, lease: Lease): LeaseRecord {
  return {
    lease: lease.id,
    ttlMs: lease.ttlMs,
    remainingMs: lease.expiresAtMs - state.clusterTimeMs,
    attempt: lease.attempt,
    ending: lease.ending,
    keys: lease.keys.size,
    grants: liveGrants(state, lease),
  };
}

function listLeases(
  state: State,
  limit: number,
): { readonly leases: readonly LeaseRecord[]; readonly more: boolean } {
  const max = itemLimit(limit);
  const leases: LeaseRecord[] = [];
  for (const lease of state.leases.values()) {
    if (leases.length >= max) return { leases, more: true };
    leases.push(leaseRecord(state, lease));
  }
  return { leases, more: false };
}

function electionRecord(election: Election): ElectionRecord {
  const queue = Array.from(election.queue.values(), ({ candidate, campaignId, lease }, index) => ({
    candidate,
    campaignId,
    lease,
    position: index + 1,
  }));
  return { election: election.name, leader: election.grant?.leader, queue, paused: false };
}

function listElections(
  state: State,
  query: { readonly prefix: string; readonly limit: number },
): { readonly elections: readonly ElectionRecord[]; readonly more: boolean } {
  const max = itemLimit(query.limit);
  const elections: ElectionRecord[] = [];
  let bytes = 0;
  for (const [name, election] of state.elections.entries(query.prefix)) {
    if (!name.startsWith(query.prefix)) break;
    if (elections.length >= max || bytes >= PAGE_BYTES_MAX) return { elections, more: true };
    const record = electionRecord(election);
    elections.push(record);
    bytes += electionBytes(record);
  }
  return { elections, more: false };
}

function electionBytes(record: ElectionRecord): number {
  let bytes = record.leader === undefined ? 0 : leaderBytes(record.leader);
  for (const { candidate, campaignId, lease } of record.queue) {
    bytes += candidate.length + campaignId.length + lease.length;
  }
  return bytes + record.election.length;
}

/** A limit that makes no sense asks for as much as there may be. */
function itemLimit(limit: number): number {
  const isSensible = Number.isSafeInteger(limit) && limit > 0;
  return isSensible ? Math.min(limit, PAGE_ITEMS_MAX) : PAGE_ITEMS_MAX;
}
