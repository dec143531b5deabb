import type { Election, Lease, Session, State } from './state.js';
import type { LeaderRecord, Settings } from './types.js';

/**
 * Digest of everything replicated: equal on all replicas at equal index, or one of them is wrong.
 * For checkers, not for security. O(state): not on the path of a request.
 */
export function stateHash(state: State): string {
  const digest = new Digest();
  digest.add(state.appliedIndex, state.clusterTimeMs, state.wallOffsetMs, state.revision);
  digest.add(state.token, state.featureLevel);
  if (state.settings !== undefined) addSettings(digest, state.settings);
  digest.add(state.keys.size);
  for (const record of state.keys.values()) {
    digest.add(record.key, record.createRevision, record.modRevision, record.version);
    digest.add(record.lease, record.value);
  }
  digest.add(state.leases.size);
  for (const lease of state.leases.values()) addLease(digest, lease);
  digest.add(state.elections.size);
  for (const election of state.elections.values()) addElection(digest, election);
  digest.add(state.fences.size);
  for (const [resource, fence] of state.fences) digest.add(resource, fence.election, fence.token);
  digest.add(state.sessions.size);
  for (const session of state.sessions.values()) addSession(digest, session);
  return digest.hex();
}

function addSettings(digest: Digest, settings: Settings): void {
  for (const [name, value] of Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))) {
    digest.add(name, value);
  }
}

function addLease(digest: Digest, lease: Lease): void {
  digest.add(lease.id, lease.ttlMs, lease.owner, lease.expiresAtMs, lease.renewals);
  digest.add(lease.attempt, lease.ending, lease.keys.size, ...lease.keys);
  digest.add(lease.campaigns.size);
  for (const [campaignId, election] of lease.campaigns) digest.add(campaignId, election);
  digest.add(lease.campaignIds.size, ...lease.campaignIds);
}

function addElection(digest: Digest, election: Election): void {
  const { grant } = election;
  digest.add(election.name, election.vacantSinceMs, grant === undefined);
  if (grant !== undefined) {
    addLeader(digest, grant.leader);
    digest.add(grant.ending?.endsAtMs, grant.ending?.reason);
  }
  digest.add(election.queue.size);
  for (const candidate of election.queue.values()) {
    digest.add(candidate.campaignId, candidate.candidate, candidate.lease, candidate.metadata);
  }
}

function addLeader(digest: Digest, leader: LeaderRecord): void {
  digest.add(leader.election, leader.candidate, leader.holder, leader.lease, leader.token);
  digest.add(leader.metadata, leader.grantedAtMs, leader.grantedAtWallMs, leader.ending);
}

function addSession(digest: Digest, session: Session): void {
  digest.add(session.id, session.openedAtMs, session.touchedAtMs, session.mark);
  digest.add(session.closed, session.replyBytes, session.replies.size);
  for (const [sequence, reply] of session.replies)
    digest.add(sequence, JSON.stringify(reply, plain));
}

/** Tokens and bytes as text that JSON can hold. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Array.from(value) : value;
}

type Digestible = number | bigint | string | boolean | Uint8Array | undefined;

/** Two FNV-1a lanes over 16-bit units, each value behind its kind and length. */
class Digest {
  #low = 0x811c9dc5;
  #high = 0x1000193;

  add(...values: readonly Digestible[]): void {
    for (const value of values) {
      this.#unit((typeof value).charCodeAt(0));
      if (value instanceof Uint8Array) {
        this.#unit(value.length);
        for (const byte of value) this.#unit(byte);
      } else {
        const text = String(value);
        this.#unit(text.length);
        for (let at = 0; at < text.length; at += 1) this.#unit(text.charCodeAt(at));
      }
    }
  }

  hex(): string {
    return [this.#high, this.#low]
      .map((lane) => (lane >>> 0).toString(16).padStart(8, '0'))
      .join('');
  }

  #unit(unit: number): void {
    this.#low = Math.imul(this.#low ^ unit, 0x01000193);
    this.#high = Math.imul(this.#high ^ (unit + 0x9e37), 0x85ebca6b) ^ (this.#low >>> 15);
  }
}
