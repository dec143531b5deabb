import { assert } from './assert.js';
import { replyBytes } from './reply-size.js';
import { type Election, REPLY_NOT_KEPT, type State } from './state.js';

/** C1, C2, C8 and the references between chapters. After each step in tests and simulation. */
export function checkInvariants(state: State): void {
  for (const election of state.elections.values()) checkElection(state, election);
  checkTokens(state);
  checkLeases(state);
  for (const [resource, fence] of state.fences) {
    assert(fence.token <= state.token, `fence ${resource} is not above the counter`);
  }
  checkSessions(state);
}

function checkElection(state: State, election: Election): void {
  const { name, grant, queue } = election;
  if (grant !== undefined) {
    const { leader, ending } = grant;
    const lease = state.leases.get(leader.lease);
    assert(lease?.campaigns.get(leader.holder) === name, `the lease of ${name}'s holder lives`);
    assert(leader.ending === (ending !== undefined), `${name} says once whether it is ending`);
    assert(!queue.has(leader.holder), `the holder of ${name} does not queue`);
  }
  for (const { campaignId, lease: id } of queue.values()) {
    const lease = state.leases.get(id);
    assert(lease?.campaigns.get(campaignId) === name, `the candidates of ${name} have leases`);
    assert(!lease.ending, `no candidate of ${name} is bound to a revoked lease`);
  }
  const isVacant = grant === undefined && queue.size === 0;
  assert(isVacant === (election.vacantSinceMs !== undefined), `${name} knows that it is vacant`);
}

function checkTokens(state: State): void {
  const tokens = new Set<bigint>();
  for (const { grant } of state.elections.values()) {
    if (grant === undefined) continue;
    assert(grant.leader.token <= state.token, 'no token is above the counter');
    assert(!tokens.has(grant.leader.token), 'no token is granted twice');
    tokens.add(grant.leader.token);
  }
}

function checkLeases(state: State): void {
  let attached = 0;
  for (const lease of state.leases.values()) {
    for (const key of lease.keys) {
      assert(state.keys.get(key)?.lease === lease.id, 'the keys of a lease name it');
    }
    attached += lease.keys.size;
    for (const [campaignId, name] of lease.campaigns) {
      const election = state.elections.get(name);
      const isQueued = election?.queue.has(campaignId) === true;
      const isHolder = election?.grant?.leader.holder === campaignId;
      assert(isQueued !== isHolder, 'a campaign is either queued or granted');
      assert(lease.campaignIds.has(campaignId), 'a campaign cannot start twice');
    }
    assert(!lease.ending || lease.campaigns.size > 0, 'a revoked lease waits for its grants only');
  }
  for (const record of state.keys.values()) attached -= record.lease === undefined ? 0 : 1;
  assert(attached === 0, 'every key with a lease is listed there');
  assert(state.deadlines.leases.size === state.leases.size, 'every lease has a deadline');
}

function checkSessions(state: State): void {
  for (const session of state.sessions.values()) {
    let keptBytes = 0;
    for (const [sequence, kept] of session.replies) {
      assert(sequence >= session.mark, 'no reply is kept below the mark');
      if (kept !== REPLY_NOT_KEPT) keptBytes += replyBytes(kept);
    }
    assert(session.replyBytes === keptBytes, 'a session is charged for what it keeps only');
    assert(!session.closed || session.replies.size === 0, 'a closed session keeps no replies');
  }
  assert(state.deadlines.sessions.size === state.sessions.size, 'every session has a deadline');
}
