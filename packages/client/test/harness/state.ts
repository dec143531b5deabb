import type {
  CampaignId,
  CampaignState,
  ChangeEvent,
  Changes,
  ClientCommand,
  CommandResult,
  EndReason,
  FencingToken,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  LiveGrant,
  LoggedCommand,
  Query,
  QueryResult,
  Refusal,
  Renewal,
  RenewalResult,
  Revision,
} from '@raftd/protocol';

interface Lease {
  readonly ttlMs: number;
  attempt: number;
  ending: boolean;
  expiresAtMs: number;
}

interface Candidate {
  readonly candidate: string;
  readonly campaignId: CampaignId;
  readonly lease: LeaseId;
  readonly metadata: Uint8Array;
}

interface FakeElection {
  leader: LeaderRecord | undefined;
  queue: Candidate[];
}

type Campaign = Extract<ClientCommand, { readonly type: 'campaign' }>;

/**
 * The smallest state that answers a client as the real one does; leases end when a test says so,
 * or lets them expire. Whatever the real coordinator refuses beyond this is scripted by the test.
 */
export class FakeState {
  revision = 0;
  readonly keys = new Map<string, KeyRecord>();
  readonly leases = new Map<string, Lease>();
  readonly elections = new Map<string, FakeElection>();
  readonly withdrawn = new Set<string>();
  /** Answers kept by session and sequence, or sessions that were forgotten. */
  readonly replies = new Map<string, CommandResult>();
  readonly expiredSessions = new Set<string>();
  /** Every command that took effect, in order. */
  readonly applied: ClientCommand[] = [];
  readonly history: Changes[] = [];
  compactedBelow = 1;
  /** Renewals that moved nothing. */
  overtaken = 0;
  /** How fast the cluster's clock runs. */
  clockRate = 1;
  readonly #now: () => number;
  #token = 100;
  #events: ChangeEvent[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  apply(logged: LoggedCommand): CommandResult {
    if (logged.stamp === undefined) throw new Error('clients send stamped commands');
    const { session, sequence } = logged.stamp;
    if (this.expiredSessions.has(session)) return refused({ code: 'SESSION_EXPIRED' });
    const id = `${session}/${sequence}`;
    const kept = this.replies.get(id);
    if (kept !== undefined && logged.command.type !== 'lease-renew') return kept;
    this.applied.push(logged.command);
    const result = this.#run(logged.command);
    this.replies.set(id, result);
    return result;
  }

  /** Ends a lease as its expiry or an administrator's revocation would. */
  endLease(lease: string, reason: EndReason): void {
    this.leases.delete(lease);
    for (const [name, election] of this.elections) {
      for (const candidate of election.queue.filter((one) => one.lease === lease)) {
        election.queue = election.queue.filter((one) => one !== candidate);
        const { campaignId } = candidate;
        this.#events.push({ type: 'left', election: name, campaignId, reason });
      }
      if (election.leader?.lease === lease) this.#endLeader(name, election, reason);
    }
    this.#commit();
  }

  /** Ends every lease whose time is over. */
  expire(): void {
    for (const [id, { expiresAtMs }] of [...this.leases]) {
      if (this.#now() >= expiresAtMs) this.endLease(id, 'lease-expired');
    }
  }

  /** Somebody else renews every lease, with numbers `ahead` of the last one. */
  renewAll(ahead: number): void {
    for (const [lease, { attempt }] of [...this.leases]) {
      this.#renew({ lease: lease as LeaseId, attempt: attempt + ahead });
    }
  }

  /** An administrator evicts: refused from now on, the successor waits. */
  markEnding(name: string): void {
    const election = this.#election(name);
    if (election.leader === undefined) return;
    election.leader = { ...election.leader, ending: true };
    this.#events.push({ type: 'ending', leader: election.leader });
    this.#commit();
  }

  query(query: Query): QueryResult {
    const revision = this.revision as Revision;
    switch (query.type) {
      case 'get':
        return { type: 'get', revision, record: this.keys.get(query.key) };
      case 'range': {
        const all = [...this.keys.values()].filter(({ key }) => {
          return key >= query.start && (query.end === undefined || key < query.end);
        });
        return { type: 'range', revision, records: all.slice(0, query.limit), cursor: undefined };
      }
      case 'range-next':
        return { type: 'cursor-expired' };
      case 'election-show': {
        const election = this.elections.get(query.election);
        const record = election && {
          election: query.election,
          leader: election.leader,
          queue: election.queue.map((one, index) => ({ ...one, position: index + 1 })),
          paused: false,
        };
        return { type: 'election-show', revision, election: record };
      }
      case 'campaign-show':
        return { type: 'campaign-show', revision, state: this.#stateOf(query) };
      case 'lease-show':
        return { type: 'lease-show', revision, lease: undefined };
      case 'lease-list':
        return { type: 'lease-list', revision, leases: [], more: false };
      case 'election-list':
        return { type: 'election-list', revision, elections: [], more: false };
    }
  }

  #run(command: ClientCommand): CommandResult {
    switch (command.type) {
      case 'put': {
        const fence = this.#fence(command.guards);
        if (fence !== undefined) return refused(fence);
        const before = this.keys.get(command.key);
        const version = (before?.version ?? 0) + 1;
        const modRevision = (this.revision + 1) as Revision;
        const record: KeyRecord = {
          key: command.key,
          value: command.value,
          createRevision: before?.createRevision ?? modRevision,
          modRevision,
          version,
          lease: command.lease,
        };
        this.keys.set(command.key, record);
        this.#events.push({ type: 'put', record });
        this.#commit();
        return { type: 'put', revision: this.revision as Revision, version };
      }
      case 'delete': {
        const deleted = this.keys.delete(command.key) ? 1 : 0;
        if (deleted > 0) this.#events.push({ type: 'delete', key: command.key, reason: 'user' });
        this.#commit();
        return { type: 'delete', revision: this.revision as Revision, deleted };
      }
      case 'lease-grant':
        this.leases.set(command.lease, {
          ttlMs: command.ttlMs,
          attempt: 0,
          ending: false,
          expiresAtMs: this.#now() + command.ttlMs / this.clockRate,
        });
        return { type: 'lease-grant', lease: command.lease, ttlMs: command.ttlMs };
      case 'lease-renew':
        return { type: 'lease-renew', renewals: command.renewals.map((one) => this.#renew(one)) };
      case 'lease-revoke': {
        const { lease } = command;
        if (!this.leases.has(lease)) return refused({ code: 'LEASE_NOT_FOUND', lease });
        this.endLease(lease, 'lease-revoked');
        return { type: 'lease-revoke', outcome: 'revoked', waitMs: 0 };
      }
      case 'campaign':
        return this.#campaign(command);
      case 'withdraw':
        return this.#withdraw(command.election, command.campaignId);
      case 'fence-advance':
        return { type: 'fence-advance', token: command.token };
      case 'session-touch':
      case 'session-close':
        return { type: 'done' };
      case 'txn':
      case 'delete-range':
        throw new Error(`script the answer to ${command.type}`);
    }
  }

  #fence(guards: readonly { election: string; token: FencingToken }[]): Refusal | undefined {
    for (const { election, token } of guards) {
      const leader = this.elections.get(election)?.leader;
      const current = leader?.ending ? undefined : leader?.token;
      if (current !== token) return { code: 'FENCED', election, current };
    }
    return undefined;
  }

  #renew({ lease: id, attempt }: Renewal): RenewalResult {
    const lease = this.leases.get(id);
    if (lease === undefined) return { outcome: 'not-found', lease: id, attempt };
    const applied = !lease.ending && attempt > lease.attempt;
    if (!applied) this.overtaken += 1;
    if (applied) {
      lease.attempt = attempt;
      lease.expiresAtMs = this.#now() + lease.ttlMs / this.clockRate;
    }
    const { ttlMs, ending, attempt: lastAttempt } = lease;
    const grants = this.#grants(id);
    return { outcome: 'renewed', lease: id, attempt, applied, lastAttempt, ttlMs, ending, grants };
  }

  #grants(lease: LeaseId): readonly LiveGrant[] {
    const grants: LiveGrant[] = [];
    for (const [election, { leader }] of this.elections) {
      if (leader?.lease !== lease) continue;
      const { holder: campaignId, token, ending } = leader;
      grants.push({ election, campaignId, token, ending });
    }
    return grants;
  }

  #campaign(command: Campaign): CommandResult {
    const { election: name, campaignId, lease, candidate, metadata } = command;
    if (!this.leases.has(lease)) return refused({ code: 'LEASE_NOT_FOUND', lease });
    if (this.withdrawn.has(campaignId)) {
      return refused({ code: 'CAMPAIGN_WITHDRAWN', campaignId });
    }
    const election = this.#election(name);
    election.queue.push({ campaignId, lease, candidate, metadata });
    this.#events.push({ type: 'queued', election: name, campaignId, candidate });
    this.#promote(name, election);
    this.#commit();
    const state = this.#stateOf({ election: name, campaignId });
    return { type: 'campaign', revision: this.revision as Revision, state };
  }

  #withdraw(name: string, campaignId: CampaignId): CommandResult {
    this.withdrawn.add(campaignId);
    const election = this.#election(name);
    const queued = election.queue.some((one) => one.campaignId === campaignId);
    election.queue = election.queue.filter((one) => one.campaignId !== campaignId);
    const led = election.leader?.holder === campaignId;
    if (queued) this.#events.push({ type: 'left', election: name, campaignId, reason: 'user' });
    if (led) this.#endLeader(name, election, 'user');
    this.#commit();
    const outcome = led ? 'resigned' : queued ? 'removed' : 'not-found';
    return { type: 'withdraw', revision: this.revision as Revision, outcome, waitMs: 0 };
  }

  #endLeader(name: string, election: FakeElection, reason: EndReason): void {
    const { leader } = election;
    if (leader === undefined) return;
    const { holder: campaignId, lease, token } = leader;
    this.#events.push({ type: 'ended', election: name, campaignId, lease, token, reason });
    election.leader = undefined;
    this.#promote(name, election);
  }

  #promote(name: string, election: FakeElection): void {
    if (election.leader !== undefined) return;
    const next = election.queue.shift();
    if (next === undefined) return;
    this.#token += 1;
    election.leader = {
      election: name,
      candidate: next.candidate,
      holder: next.campaignId,
      lease: next.lease,
      token: BigInt(this.#token) as FencingToken,
      metadata: next.metadata,
      grantedAtMs: 0,
      grantedAtWallMs: 0,
      ending: false,
    };
    this.#events.push({ type: 'granted', leader: election.leader });
  }

  #stateOf(name: { election: string; campaignId: CampaignId }): CampaignState {
    const election = this.elections.get(name.election);
    if (election?.leader?.holder === name.campaignId) {
      return { state: 'granted', leader: election.leader };
    }
    const index = election?.queue.findIndex((one) => one.campaignId === name.campaignId) ?? -1;
    return index < 0 ? { state: 'absent' } : { state: 'queued', position: index + 1 };
  }

  #election(name: string): FakeElection {
    const known = this.elections.get(name);
    if (known !== undefined) return known;
    const election: FakeElection = { leader: undefined, queue: [] };
    this.elections.set(name, election);
    return election;
  }

  #commit(): void {
    if (this.#events.length === 0) return;
    this.revision += 1;
    this.history.push({ revision: this.revision as Revision, events: this.#events });
    this.#events = [];
  }
}

function refused(refusal: Refusal): CommandResult {
  return { type: 'refused', refusal };
}
