import { assert } from './assert.js';
import type { ClientCommand, Renewal, SystemCommand } from './commands.js';
import type { Entry } from './entry.js';
import type { EndReason } from './events.js';
import { endGrant, leaveQueue, markEnding, settleElections, touchElection } from './grants.js';
import { deleteKey } from './kv.js';
import { capacityReached, emptyName, invalidArgument, refused } from './refusals.js';
import type { CommandResult, LiveGrant, RenewalResult } from './results.js';
import type { Election, Grant, Lease, State } from './state.js';
import type { CampaignId, LeaseId, SessionId, Settings } from './types.js';

type CommandOf<T extends ClientCommand['type']> = Extract<ClientCommand, { type: T }>;

/** The TTL asked for is granted or refused, never silently changed. */
export function onLeaseGrant(
  state: State,
  entry: Entry,
  settings: Settings,
  session: SessionId,
  command: CommandOf<'lease-grant'>,
): CommandResult {
  const { lease: id, ttlMs } = command;
  const unnamed = emptyName({ lease: id });
  if (unnamed !== undefined) return refused(unnamed);
  const { leaseTtlMinMs, leaseTtlMaxMs } = settings;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < leaseTtlMinMs || ttlMs > leaseTtlMaxMs) {
    const reason = `must be an integer from ${leaseTtlMinMs} to ${leaseTtlMaxMs} ms, not ${ttlMs}`;
    return refused(invalidArgument('ttlMs', reason));
  }
  if (state.leases.has(id)) return refused({ code: 'LEASE_EXISTS', lease: id });
  if (state.leases.size >= settings.leasesMax) {
    return refused(capacityReached('leasesMax', settings));
  }
  const lease: Lease = {
    id,
    ttlMs,
    owner: session,
    expiresAtMs: entry.timeMs + ttlMs,
    renewals: 0,
    attempt: 0,
    ending: false,
    keys: new Set(),
    campaigns: new Map(),
    campaignIds: new Set(),
    dueAtMs: 0,
    heapPosition: -1,
  };
  state.leases.set(id, lease);
  state.deadlines.leases.set(lease, lease.expiresAtMs);
  return { type: 'lease-grant', lease: id, ttlMs };
}

export function onLeaseRenew(
  state: State,
  entry: Entry,
  command: CommandOf<'lease-renew'>,
): CommandResult {
  for (const { attempt } of command.renewals) {
    if (!Number.isSafeInteger(attempt) || attempt < 1) {
      return refused(invalidArgument('attempt', 'must be an integer from 1'));
    }
  }
  const applied = command.renewals.map((renewal) => renew(state, entry, renewal));
  // After promotion, so that a renewal which brings its candidate a grant names it.
  settleElections(state, entry);
  return {
    type: 'lease-renew',
    renewals: command.renewals.map((renewal, at) =>
      renewalResult(state, renewal, applied[at] === true),
    ),
  };
}

/**
 * True if the attempt moved the expiry. An expired lease that no entry has ended yet lives on,
 * and this renewal saves it.
 */
function renew(state: State, entry: Entry, renewal: Renewal): boolean {
  const lease = state.leases.get(renewal.lease);
  if (lease === undefined || lease.ending || renewal.attempt <= lease.attempt) return false;
  const hadTimeLeft = lease.expiresAtMs > entry.timeMs;
  lease.attempt = renewal.attempt;
  lease.renewals += 1;
  lease.expiresAtMs = entry.timeMs + lease.ttlMs;
  state.deadlines.leases.set(lease, lease.expiresAtMs);
  if (hadTimeLeft) return true;
  // It was passed over while it had no time left: its turn may have come.
  for (const { election } of campaignsOf(state, lease)) touchElection(entry, election);
  return true;
}

function renewalResult(
  state: State,
  { lease: id, attempt }: Renewal,
  applied: boolean,
): RenewalResult {
  const lease = state.leases.get(id);
  if (lease === undefined) return { outcome: 'not-found', lease: id, attempt };
  return {
    outcome: 'renewed',
    lease: id,
    attempt,
    applied,
    lastAttempt: lease.attempt,
    ttlMs: lease.ttlMs,
    ending: lease.ending,
    grants: liveGrants(state, lease),
  };
}

/**
 * The owner's word ends the lease at once, for it has stopped its work. Anybody else's only marks
 * the grants: the holder may be at work until its lease runs out, so the successor waits till then.
 */
export function onLeaseRevoke(
  state: State,
  entry: Entry,
  session: SessionId,
  command: CommandOf<'lease-revoke'>,
): CommandResult {
  const lease = state.leases.get(command.lease);
  if (lease === undefined) return refused({ code: 'LEASE_NOT_FOUND', lease: command.lease });
  const waitMs = lease.expiresAtMs - entry.timeMs;
  const hasGrants = campaignsOf(state, lease).some(({ grant }) => grant !== undefined);
  if (session === lease.owner || !hasGrants || waitMs <= 0) {
    endLease(state, entry, lease, 'lease-revoked');
    return { type: 'lease-revoke', outcome: 'revoked', waitMs: 0 };
  }
  if (!lease.ending) becomeEnding(state, entry, lease);
  return { type: 'lease-revoke', outcome: 'ending', waitMs };
}

function becomeEnding(state: State, entry: Entry, lease: Lease): void {
  lease.ending = true;
  for (const { campaignId, election, grant } of campaignsOf(state, lease)) {
    if (grant === undefined) leaveQueue(state, entry, election, campaignId, 'lease-revoked');
    else markEnding(state, entry, grant, lease.expiresAtMs, 'lease-revoked');
  }
}

/** Ends the lease with everything it holds; whoever is next is granted in the same entry. */
export function endLease(state: State, entry: Entry, lease: Lease, reason: EndReason): void {
  for (const { campaignId, election, grant } of campaignsOf(state, lease)) {
    if (grant === undefined) leaveQueue(state, entry, election, campaignId, reason);
    else endGrant(state, entry, election, grant, reason);
  }
  for (const key of lease.keys) deleteKey(state, entry, key, reason);
  state.leases.delete(lease.id);
  state.deadlines.leases.clear(lease);
}

/** A lease revoked by somebody else was only waiting for its grants. */
export function endLeaseIfReleased(state: State, entry: Entry, id: LeaseId): void {
  const lease = state.leases.get(id);
  if (lease === undefined || !lease.ending || lease.campaigns.size > 0) return;
  endLease(state, entry, lease, 'lease-revoked');
}

/**
 * Each expiry applies iff its lease was not renewed since the leader decided (K-001, K-012) and
 * the entry's time is due. What would touch more keys than an entry may waits for the next one.
 */
export function onExpireLeases(
  state: State,
  entry: Entry,
  settings: Settings,
  command: Extract<SystemCommand, { type: 'expire-leases' }>,
): void {
  let touched = 0;
  for (const { lease: id, renewals } of command.leases) {
    const lease = state.leases.get(id);
    if (lease === undefined || lease.renewals !== renewals) continue;
    if (entry.timeMs < lease.expiresAtMs) continue;
    const weight = lease.keys.size + lease.campaigns.size;
    if (touched > 0 && touched + weight > settings.keysPerEntryMax) return;
    touched += weight;
    endLease(state, entry, lease, lease.ending ? 'lease-revoked' : 'lease-expired');
  }
}

export function liveGrants(state: State, lease: Lease): LiveGrant[] {
  const grants: LiveGrant[] = [];
  for (const { campaignId, election, grant } of campaignsOf(state, lease)) {
    if (grant === undefined) continue;
    const { token, ending } = grant.leader;
    grants.push({ election: election.name, campaignId, token, ending });
  }
  return grants;
}

interface Campaign {
  readonly campaignId: CampaignId;
  readonly election: Election;
  /** Undefined: queued. */
  readonly grant: Grant | undefined;
}

/** A copy, because what is done with a campaign often ends it. */
function campaignsOf(state: State, lease: Lease): Campaign[] {
  const campaigns: Campaign[] = [];
  for (const [campaignId, name] of lease.campaigns) {
    const election = state.elections.get(name);
    assert(election !== undefined, 'the election of a live campaign exists');
    const isHolder = election.grant?.leader.holder === campaignId;
    campaigns.push({ campaignId, election, grant: isHolder ? election.grant : undefined });
  }
  return campaigns;
}
