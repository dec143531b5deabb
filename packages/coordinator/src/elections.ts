import type { ClientCommand, SystemCommand } from './commands.js';
import { revisionAfter, type Entry } from './entry.js';
import { endGrant, leaveQueue, markEnding, settleElections, touchElection } from './grants.js';
import { endLeaseIfReleased } from './leases.js';
import { capacityReached, emptyName, refused } from './refusals.js';
import type { CampaignState, CommandResult, Refusal } from './results.js';
import { ELECTION_VACANT_MS } from './settings.js';
import type { Election, Grant, Lease, State } from './state.js';
import type { CampaignId, SessionId, Settings } from './types.js';

type Campaign = Extract<ClientCommand, { type: 'campaign' }>;
type Withdraw = Extract<ClientCommand, { type: 'withdraw' }>;

/**
 * Enters the queue and answers at once. Idempotent by campaign id; a second campaign of the same
 * lease under another id is a candidate of its own and queues behind the first.
 */
export function onCampaign(
  state: State,
  entry: Entry,
  settings: Settings,
  command: Campaign,
): CommandResult {
  const { election: name, campaignId } = command;
  const unnamed = emptyName({ election: name, campaignId });
  if (unnamed !== undefined) return refused(unnamed);
  const lease = state.leases.get(command.lease);
  if (lease === undefined) return refused({ code: 'LEASE_NOT_FOUND', lease: command.lease });
  if (lease.campaigns.get(campaignId) !== name) {
    const refusal = campaignRefusal(state, settings, lease, command);
    if (refusal !== undefined) return refused(refusal);
    enqueue(state, entry, lease, command);
  }
  const campaign = campaignState(state.elections.get(name), campaignId);
  return { type: 'campaign', revision: revisionAfter(state, entry), state: campaign };
}

function campaignRefusal(
  state: State,
  settings: Settings,
  lease: Lease,
  command: Campaign,
): Refusal | undefined {
  const { campaignId } = command;
  const election = state.elections.get(command.election);
  const isTaken = election !== undefined && hasCampaign(election, campaignId);
  if (isTaken || lease.campaigns.has(campaignId)) return { code: 'CAMPAIGN_EXISTS', campaignId };
  if (lease.campaignIds.has(campaignId)) return { code: 'CAMPAIGN_WITHDRAWN', campaignId };
  if (lease.ending) return { code: 'LEASE_ENDING', lease: lease.id };
  if (lease.campaignIds.size >= settings.withdrawalsPerLeaseMax) {
    return capacityReached('withdrawalsPerLeaseMax', settings);
  }
  if (election === undefined) {
    const isFull = state.elections.size >= settings.electionsMax;
    return isFull ? capacityReached('electionsMax', settings) : undefined;
  }
  const isFull = election.queue.size >= settings.candidatesPerElectionMax;
  return isFull ? capacityReached('candidatesPerElectionMax', settings) : undefined;
}

function enqueue(state: State, entry: Entry, lease: Lease, command: Campaign): void {
  const { campaignId, candidate, metadata } = command;
  const election = state.elections.get(command.election) ?? createElection(state, command.election);
  election.queue.set(campaignId, { campaignId, candidate, metadata, lease: lease.id });
  lease.campaigns.set(campaignId, election.name);
  lease.campaignIds.add(campaignId);
  touchElection(entry, election);
  settleElections(state, entry);
  if (election.queue.has(campaignId)) {
    entry.events.push({ type: 'queued', election: election.name, campaignId, candidate });
  }
}

function createElection(state: State, name: string): Election {
  const election: Election = {
    name,
    grant: undefined,
    queue: new Map(),
    vacantSinceMs: undefined,
    dueAtMs: 0,
    heapPosition: -1,
  };
  state.elections.set(name, election);
  return election;
}

/**
 * Takes exactly this campaign out, wherever it stands (C7), and remembers its id in the lease, so
 * that it beats a campaign that is still on its way (C6, K-050).
 */
export function onWithdraw(
  state: State,
  entry: Entry,
  settings: Settings,
  session: SessionId,
  command: Withdraw,
): CommandResult {
  const { election: name, campaignId } = command;
  const lease = state.leases.get(command.lease);
  const election = state.elections.get(name);
  if (lease?.campaigns.get(campaignId) !== name || election === undefined) {
    if (lease !== undefined) rememberWithdrawal(settings, lease, campaignId);
    return withdrawn(state, entry, 'not-found', 0);
  }
  if (election.grant?.leader.holder === campaignId) {
    return withdrawGrant(state, entry, session, { lease, election, grant: election.grant });
  }
  leaveQueue(state, entry, election, campaignId, 'user');
  return withdrawn(state, entry, 'removed', 0);
}

/** The owner resigns at once; anybody else's word leaves the holder its time to stop. */
function withdrawGrant(
  state: State,
  entry: Entry,
  session: SessionId,
  held: { readonly lease: Lease; readonly election: Election; readonly grant: Grant },
): CommandResult {
  const { lease, election, grant } = held;
  const endsAtMs = grant.ending?.endsAtMs ?? lease.expiresAtMs;
  if (session !== lease.owner && endsAtMs > entry.timeMs) {
    markEnding(state, entry, grant, endsAtMs, 'user');
    return withdrawn(state, entry, 'ending', endsAtMs - entry.timeMs);
  }
  endGrant(state, entry, election, grant, 'user');
  endLeaseIfReleased(state, entry, lease.id);
  return withdrawn(state, entry, 'resigned', 0);
}

/** A full lease need not remember: it refuses every new campaign, for as long as it lives. */
function rememberWithdrawal(settings: Settings, lease: Lease, campaignId: CampaignId): void {
  if (lease.campaignIds.size >= settings.withdrawalsPerLeaseMax) return;
  lease.campaignIds.add(campaignId);
}

function withdrawn(
  state: State,
  entry: Entry,
  outcome: 'not-found' | 'removed' | 'resigned' | 'ending',
  waitMs: number,
): CommandResult {
  return { type: 'withdraw', revision: revisionAfter(state, entry), outcome, waitMs };
}

/** The wait of grants marked `ending` is over; conditional, so that repeating it is harmless. */
export function onEndGrants(
  state: State,
  entry: Entry,
  command: Extract<SystemCommand, { type: 'end-grants' }>,
): void {
  for (const { election: name, token } of command.grants) {
    const election = state.elections.get(name);
    const grant = election?.grant;
    if (election === undefined || grant?.ending === undefined) continue;
    if (grant.leader.token !== token || entry.timeMs < grant.ending.endsAtMs) continue;
    endGrant(state, entry, election, grant, grant.ending.reason);
    endLeaseIfReleased(state, entry, grant.leader.lease);
  }
}

/** Only those still vacant, and for long enough by the entry's own time. */
export function onRemoveElections(
  state: State,
  entry: Entry,
  command: Extract<SystemCommand, { type: 'remove-elections' }>,
): void {
  for (const name of command.elections) {
    const election = state.elections.get(name);
    if (election?.vacantSinceMs === undefined) continue;
    if (entry.timeMs < election.vacantSinceMs + ELECTION_VACANT_MS) continue;
    state.elections.delete(name);
    state.deadlines.vacantElections.clear(election);
  }
}

export function campaignState(
  election: Election | undefined,
  campaignId: CampaignId,
): CampaignState {
  if (election === undefined) return { state: 'absent' };
  const leader = election.grant?.leader;
  if (leader?.holder === campaignId) return { state: 'granted', leader };
  if (!election.queue.has(campaignId)) return { state: 'absent' };
  let position = 1;
  for (const id of election.queue.keys()) {
    if (id === campaignId) break;
    position += 1;
  }
  return { state: 'queued', position };
}

function hasCampaign(election: Election, campaignId: CampaignId): boolean {
  return election.queue.has(campaignId) || election.grant?.leader.holder === campaignId;
}
