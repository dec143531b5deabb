import type { CampaignId, LeaseId, LoggedCommand, SessionId } from '@raftd/protocol';
import type { CanonicalEntry } from './canonical-log.js';

export interface LeaseState {
  readonly id: LeaseId;
  readonly ttlMs: number;
  /** Only its word ends the lease at once. */
  readonly owner: SessionId;
  /** Cluster time of the grant or the last renewal, plus the TTL. */
  expiresAtMs: number;
  renewals: number;
  attempt: number;
  /** Somebody else ended it: nothing moves it any more. */
  isEnding: boolean;
  /** Of the candidates that stand on it, those that lead. */
  readonly grants: Set<CampaignId>;
  /** Index and true time (first apply) of the entry that moved the expiry last. */
  movedBy: number;
  movedAtMs: number;
}

export interface EndedLease {
  readonly lease: LeaseState;
  readonly reason: 'expired' | 'revoked' | 'released';
  /** Index and true time of the entry that ended it. */
  readonly index: number;
  readonly endedAtMs: number;
}

export interface ExpectedRenewal {
  readonly id: LeaseId;
  readonly attempt: number;
  /** The lease is there. */
  readonly isAlive: boolean;
  /** It moves the expiry. */
  readonly isApplied: boolean;
}

interface NamedLease {
  readonly lease: LeaseId;
  readonly renewals: number;
}

/**
 * Leases as DESIGN section 6 says they live, told from the log alone: what the machine answers is
 * held against it.
 */
export class LeaseTable {
  readonly #live = new Map<LeaseId, LeaseState>();
  readonly #ended = new Map<LeaseId, EndedLease>();
  /** By the last entry. */
  endedNow: readonly EndedLease[] = [];
  renewedNow: readonly ExpectedRenewal[] = [];
  #endedBy: EndedLease[] = [];
  /** How much ends with a lease: its keys and campaigns, before the entry. */
  readonly #weightOf: (lease: LeaseId) => number;
  /** How much an entry may end, unless one lease alone is more. */
  #entryMax = Number.POSITIVE_INFINITY;

  constructor(weightOf: (lease: LeaseId) => number) {
    this.#weightOf = weightOf;
  }

  get(id: LeaseId): LeaseState | undefined {
    return this.#live.get(id);
  }

  ended(id: LeaseId): EndedLease | undefined {
    return this.#ended.get(id);
  }

  live(): IterableIterator<LeaseState> {
    return this.#live.values();
  }

  /** Of a lease, ended or not; undefined: it was never granted. */
  ever(id: LeaseId): LeaseState | undefined {
    return this.#live.get(id) ?? this.#ended.get(id)?.lease;
  }

  follow(entry: CanonicalEntry): void {
    this.#endedBy = NONE;
    this.renewedNow = NONE_RENEWED;
    const { logged } = entry;
    if (logged !== undefined) this.#followCommand(entry, logged);
    if (entry.changes !== undefined) this.#followGrants(entry);
    this.endedNow = this.#endedBy;
  }

  #followCommand(entry: CanonicalEntry, { stamp, command }: LoggedCommand): void {
    switch (command.type) {
      case 'lease-grant':
        if (entry.result.type !== 'lease-grant' || entry.isRepeat || stamp === undefined) return;
        return this.#grant(entry, command.lease, command.ttlMs, stamp.session);
      case 'lease-renew':
        if (entry.result.type !== 'lease-renew') return;
        this.renewedNow = command.renewals.map(({ lease, attempt }) =>
          this.#renew(entry, lease, attempt),
        );
        return;
      case 'lease-revoke':
        if (entry.result.type !== 'lease-revoke' || entry.isRepeat) return;
        return this.#revoke(entry, command.lease, entry.result.outcome);
      case 'expire-leases':
        return this.#expire(entry, command.leases);
      case 'initialize':
        if (this.#entryMax === Number.POSITIVE_INFINITY) {
          this.#entryMax = command.settings.keysPerEntryMax;
        }
        return;
      default:
    }
  }

  #grant(entry: CanonicalEntry, id: LeaseId, ttlMs: number, owner: SessionId): void {
    this.#live.set(id, {
      id,
      ttlMs,
      owner,
      expiresAtMs: entry.clusterTimeMs + ttlMs,
      renewals: 0,
      attempt: 0,
      isEnding: false,
      grants: new Set(),
      movedBy: entry.index,
      movedAtMs: entry.appliedAtMs,
    });
  }

  /** Also past its expiry, as long as no entry has ended it. */
  #renew(entry: CanonicalEntry, id: LeaseId, attempt: number): ExpectedRenewal {
    const lease = this.#live.get(id);
    if (lease === undefined) return { id, attempt, isAlive: false, isApplied: false };
    const isApplied = !lease.isEnding && attempt > lease.attempt;
    if (isApplied) {
      lease.attempt = attempt;
      lease.renewals += 1;
      lease.expiresAtMs = entry.clusterTimeMs + lease.ttlMs;
      lease.movedBy = entry.index;
      lease.movedAtMs = entry.appliedAtMs;
    }
    return { id, attempt, isAlive: true, isApplied };
  }

  #revoke(entry: CanonicalEntry, id: LeaseId, outcome: 'revoked' | 'ending'): void {
    const lease = this.#live.get(id);
    if (lease === undefined) return;
    if (outcome === 'ending') lease.isEnding = true;
    else this.#end(entry, lease, 'revoked');
  }

  /**
   * Only what was not renewed since the leader looked, and whose time has come (K-001). What would
   * be too much for one entry waits for the next.
   */
  #expire(entry: CanonicalEntry, named: readonly NamedLease[]): void {
    const due: LeaseState[] = [];
    let total = 0;
    for (const { lease: id, renewals } of named) {
      const lease = this.#live.get(id);
      if (lease === undefined || lease.renewals !== renewals) continue;
      if (entry.clusterTimeMs < lease.expiresAtMs) continue;
      const weight = this.#weightOf(id);
      if (total > 0 && total + weight > this.#entryMax) break;
      total += weight;
      due.push(lease);
    }
    for (const lease of due) this.#end(entry, lease, 'expired');
  }

  /** A lease that somebody else ended waits for its grants only. */
  #followGrants(entry: CanonicalEntry): void {
    for (const event of entry.changes?.events ?? []) {
      if (event.type === 'granted') {
        this.#live.get(event.leader.lease)?.grants.add(event.leader.holder);
      } else if (event.type === 'ended') {
        const lease = this.#live.get(event.lease);
        if (lease === undefined) continue;
        lease.grants.delete(event.campaignId);
        if (lease.isEnding && lease.grants.size === 0) this.#end(entry, lease, 'released');
      }
    }
  }

  #end(entry: CanonicalEntry, lease: LeaseState, reason: EndedLease['reason']): void {
    const { index, appliedAtMs: endedAtMs } = entry;
    const ended: EndedLease = { lease, reason, index, endedAtMs };
    this.#live.delete(lease.id);
    this.#ended.set(lease.id, ended);
    this.#endedBy = [...this.#endedBy, ended];
  }
}

const NONE: EndedLease[] = [];
const NONE_RENEWED: readonly ExpectedRenewal[] = [];
