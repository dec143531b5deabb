import { assert } from './assert.js';
import type { Entry } from './entry.js';
import type { EndReason } from './events.js';
import { ELECTION_VACANT_MS } from './settings.js';
import type { Candidate, Election, Grant, State } from './state.js';
import type { CampaignId, FencingToken, LeaderRecord } from './types.js';

/** Tokens stay exact as JSON numbers, SQL BIGINT and Lua doubles. */
export const TOKEN_LIMIT: bigint = 1n << 53n;

export function leaderRecordOf(election: Election | undefined): LeaderRecord | undefined {
  return election?.grant?.leader;
}

/** Is this exact grant current and not ending? What guards and fences ask. */
export function isInForce(election: Election | undefined, token: FencingToken): boolean {
  const leader = leaderRecordOf(election);
  return leader !== undefined && leader.token === token && !leader.ending;
}

/** The entry changed who may lead here: it ends with `settleElections`. */
export function touchElection(entry: Entry, election: Election): void {
  entry.touched ??= new Set();
  entry.touched.add(election);
}

/**
 * Promotion, in the entry that made room: no herd, no gap, no other place that grants (C5). An
 * entry that ends several leases has removed all their candidates before anybody is promoted.
 */
export function settleElections(state: State, entry: Entry): void {
  if (entry.touched === undefined) return;
  for (const election of entry.touched) {
    if (election.grant === undefined) grantNext(state, entry, election);
    noteVacancy(state, entry, election);
  }
  entry.touched = undefined;
}

/** The grant ends now; its successor, if any, is granted when the entry settles. */
export function endGrant(
  state: State,
  entry: Entry,
  election: Election,
  grant: Grant,
  reason: EndReason,
): void {
  const { holder: campaignId, lease, token } = grant.leader;
  election.grant = undefined;
  state.deadlines.endingGrants.clear(grant);
  state.leases.get(lease)?.campaigns.delete(campaignId);
  entry.events.push({ type: 'ended', election: election.name, campaignId, lease, token, reason });
  touchElection(entry, election);
}

/**
 * Guards refuse the grant from now on. The successor waits for the holder's own word or until the
 * lease would have run out as it stands now, whatever is renewed since: a holder that hears
 * nothing has stopped by then.
 */
export function markEnding(
  state: State,
  entry: Entry,
  grant: Grant,
  endsAtMs: number,
  reason: EndReason,
): void {
  if (grant.ending !== undefined) return;
  grant.ending = { endsAtMs, reason };
  grant.leader = { ...grant.leader, ending: true };
  state.deadlines.endingGrants.set(grant, endsAtMs);
  entry.events.push({ type: 'ending', leader: grant.leader });
}

/** A candidate goes without a grant; the others move up one place each (K-017, K-020). */
export function leaveQueue(
  state: State,
  entry: Entry,
  election: Election,
  campaignId: CampaignId,
  reason: EndReason,
): void {
  const candidate = election.queue.get(campaignId);
  assert(candidate !== undefined, 'a campaign without the grant is queued');
  election.queue.delete(campaignId);
  state.leases.get(candidate.lease)?.campaigns.delete(campaignId);
  entry.events.push({ type: 'left', election: election.name, campaignId, reason });
  touchElection(entry, election);
}

/** First come, first served, except for candidates whose lease has no time left (C1, C5). */
function grantNext(state: State, entry: Entry, election: Election): void {
  for (const candidate of election.queue.values()) {
    const lease = state.leases.get(candidate.lease);
    assert(lease !== undefined, 'every candidate has a live lease');
    if (lease.expiresAtMs <= entry.timeMs) continue;
    election.queue.delete(candidate.campaignId);
    const leader = mintLeader(state, entry, election, candidate);
    election.grant = { leader, ending: undefined, dueAtMs: 0, heapPosition: -1 };
    entry.events.push({ type: 'granted', leader });
    return;
  }
}

/** The one place where tokens come from: +1 a grant, whatever election (C2). */
function mintLeader(
  state: State,
  entry: Entry,
  election: Election,
  candidate: Candidate,
): LeaderRecord {
  state.token = (state.token + 1n) as FencingToken;
  assert(state.token < TOKEN_LIMIT, 'tokens stay below 2^53');
  return {
    election: election.name,
    candidate: candidate.candidate,
    holder: candidate.campaignId,
    lease: candidate.lease,
    token: state.token,
    metadata: candidate.metadata,
    grantedAtMs: entry.timeMs,
    grantedAtWallMs: entry.timeMs + state.wallOffsetMs,
    ending: false,
  };
}

function noteVacancy(state: State, entry: Entry, election: Election): void {
  if (election.grant !== undefined || election.queue.size > 0) {
    election.vacantSinceMs = undefined;
    state.deadlines.vacantElections.clear(election);
  } else {
    assert(election.vacantSinceMs === undefined, 'nobody leaves a vacant election');
    election.vacantSinceMs = entry.timeMs;
    state.deadlines.vacantElections.set(election, entry.timeMs + ELECTION_VACANT_MS);
  }
}
