import type { ClientCommand, Stamp, SystemCommand } from '../../src/index.js';
import { NaiveSessions } from './naive-sessions.js';

type Command<T extends ClientCommand['type']> = Extract<ClientCommand, { type: T }>;

interface NaiveLease {
  readonly id: string;
  readonly owner: string;
  readonly ttlMs: number;
  expiresAtMs: number;
  renewals: number;
  attempt: number;
  ending: boolean;
  readonly usedIds: string[];
}

interface NaiveCampaign {
  readonly id: string;
  readonly election: string;
  readonly lease: string;
  /** Undefined: queued. */
  token: bigint | undefined;
  endsAtMs: number | undefined;
}

/** What the model says about one entry: the reply as a line, and what happened on the way. */
export interface NaiveOutcome {
  readonly reply: string;
  readonly happened: readonly string[];
}

export const VACANT_MS = 86_400_000;

/**
 * The coordinator's rules over plain lists, each rule as a filter over all there is: slow and
 * plainly right. One list of campaigns in order of arrival is every queue and every holder.
 */
export class NaiveModel {
  nowMs = 1000;
  leases: NaiveLease[] = [];
  campaigns: NaiveCampaign[] = [];
  readonly vacantSinceMs = new Map<string, number>();
  readonly keys = new Map<string, { version: number; lease: string | undefined }>();
  readonly fences = new Map<string, { election: string; token: bigint }>();
  readonly sessions: NaiveSessions;
  /** Every grant ever made. */
  readonly grants: { election: string; campaign: string; token: bigint }[] = [];
  lastToken: bigint;
  #happened: string[] = [];

  constructor(tokenBase: bigint, sessionTtlMs: number, sessionWindow: number) {
    this.lastToken = tokenBase;
    this.sessions = new NaiveSessions(sessionTtlMs, sessionWindow);
  }

  client(atMs: number, stamp: Stamp, command: ClientCommand): NaiveOutcome {
    this.#begin(atMs);
    if (command.type === 'lease-renew') {
      this.sessions.touch(stamp.session, this.nowMs);
      return this.#end(this.#renew(command));
    }
    if (command.type === 'session-close') {
      return this.#end(this.sessions.close(stamp, this.nowMs));
    }
    const answered = this.sessions.admit(stamp, this.nowMs);
    if (answered !== undefined) {
      this.#happened.push(answered.why);
      return this.#end(answered.reply);
    }
    const reply = this.#execute(stamp, command);
    this.sessions.keep(stamp, reply);
    return this.#end(reply);
  }

  system(atMs: number, command: SystemCommand): NaiveOutcome {
    this.#begin(atMs);
    if (command.type === 'expire-leases') this.#expireLeases(command.leases);
    if (command.type === 'end-grants') {
      for (const { election, token } of command.grants) this.#endIfOver(election, token);
    }
    if (command.type === 'expire-sessions') {
      for (const { session, touchedAtMs } of command.sessions) {
        this.#happened.push(this.sessions.expire(session, touchedAtMs, this.nowMs));
      }
    }
    if (command.type === 'remove-elections') {
      for (const name of command.elections) this.#removeIfVacant(name);
    }
    return this.#end('done');
  }

  holder(election: string): NaiveCampaign | undefined {
    return this.campaigns.find((c) => c.election === election && c.token !== undefined);
  }

  queue(election: string): NaiveCampaign[] {
    return this.campaigns.filter((c) => c.election === election && c.token === undefined);
  }

  lease(id: string): NaiveLease | undefined {
    return this.leases.find((lease) => lease.id === id);
  }

  #begin(atMs: number): void {
    this.nowMs = Math.max(this.nowMs, atMs);
    this.#happened = [];
  }

  #end(reply: string): NaiveOutcome {
    for (const [name] of this.vacantSinceMs) this.#noteVacancy(name);
    return { reply, happened: this.#happened };
  }

  #execute(stamp: Stamp, command: ClientCommand): string {
    if ('guards' in command) {
      for (const { election, token } of command.guards) {
        const fenced = this.#fenced(election, token);
        if (fenced !== undefined) {
          this.#happened.push(this.lastToken >= token ? 'stale write refused' : 'odd token');
          return fenced;
        }
        this.#happened.push('guarded write committed');
      }
    }
    switch (command.type) {
      case 'put':
        return this.#put(command);
      case 'delete':
        return `delete ${this.keys.delete(command.key) ? 1 : 0}`;
      case 'lease-grant':
        return this.#grantLease(stamp, command);
      case 'lease-revoke':
        return this.#revoke(stamp, command);
      case 'campaign':
        return this.#campaign(command);
      case 'withdraw':
        return this.#withdraw(stamp, command);
      case 'fence-advance':
        return this.#advance(command);
      default:
        return 'done';
    }
  }

  #put(command: Command<'put'>): string {
    if (command.lease !== undefined) {
      const lease = this.lease(command.lease);
      if (lease === undefined) return 'LEASE_NOT_FOUND';
      if (lease.ending) return 'LEASE_ENDING';
    }
    const version = (this.keys.get(command.key)?.version ?? 0) + 1;
    this.keys.set(command.key, { version, lease: command.lease });
    return `put ${version}`;
  }

  #grantLease(stamp: Stamp, command: Command<'lease-grant'>): string {
    if (this.lease(command.lease) !== undefined) return 'LEASE_EXISTS';
    this.leases.push({
      id: command.lease,
      owner: stamp.session,
      ttlMs: command.ttlMs,
      expiresAtMs: this.nowMs + command.ttlMs,
      renewals: 0,
      attempt: 0,
      ending: false,
      usedIds: [],
    });
    return `lease-grant ${command.ttlMs}`;
  }

  #renew(command: Command<'lease-renew'>): string {
    const renewed = command.renewals.map(({ lease: id, attempt }) => {
      const lease = this.lease(id);
      if (lease === undefined) return 'not-found';
      const wasExpired = lease.expiresAtMs <= this.nowMs;
      const applied = !lease.ending && attempt > lease.attempt;
      if (lease.ending) this.#happened.push('renewal of an ending lease');
      else if (attempt <= lease.attempt) this.#happened.push('stale renewal attempt');
      else {
        lease.attempt = attempt;
        lease.renewals += 1;
        lease.expiresAtMs = this.nowMs + lease.ttlMs;
        if (wasExpired) this.#happened.push('expired lease saved by a renewal');
        const places = this.campaigns.filter((c) => c.lease === id).map((c) => c.election);
        if (this.#promote(places) > 0) this.#happened.push('grant by a renewal');
      }
      const moved = applied ? 'moved' : `kept by ${lease.attempt}`;
      return `${lease.ending ? 'ending' : 'renewed'} ${moved} ${this.describeGrants(id)}`;
    });
    return `lease-renew ${renewed.join('; ')}`;
  }

  describeGrants(lease: string): string {
    return this.campaigns
      .filter((c) => c.lease === lease && c.token !== undefined)
      .map((c) => `${c.election}=${c.id}/${c.token}${c.endsAtMs === undefined ? '' : '!'}`)
      .join(',');
  }

  #revoke(stamp: Stamp, command: Command<'lease-revoke'>): string {
    const lease = this.lease(command.lease);
    if (lease === undefined) return 'LEASE_NOT_FOUND';
    const held = this.campaigns.filter((c) => c.lease === lease.id && c.token !== undefined);
    const waitMs = lease.expiresAtMs - this.nowMs;
    if (stamp.session === lease.owner || held.length === 0 || waitMs <= 0) {
      this.#endLeases([lease]);
      return 'lease-revoke revoked 0';
    }
    if (!lease.ending) {
      lease.ending = true;
      for (const campaign of held) campaign.endsAtMs ??= lease.expiresAtMs;
      this.campaigns = this.campaigns.filter((c) => c.lease !== lease.id || held.includes(c));
      this.#happened.push('foreign revoke of a live grant');
    }
    return `lease-revoke ending ${waitMs}`;
  }

  #campaign(command: Command<'campaign'>): string {
    const { election, campaignId: id } = command;
    const lease = this.lease(command.lease);
    if (lease === undefined) return 'LEASE_NOT_FOUND';
    const same = this.campaigns.find((c) => c.id === id && c.lease === lease.id);
    if (same?.election !== election) {
      if (same !== undefined) return 'CAMPAIGN_EXISTS';
      const isTaken = this.campaigns.some((c) => c.id === id && c.election === election);
      if (isTaken) return 'CAMPAIGN_EXISTS';
      if (lease.usedIds.includes(id)) {
        this.#happened.push('campaign after its withdrawal');
        return 'CAMPAIGN_WITHDRAWN';
      }
      if (lease.ending) return 'LEASE_ENDING';
      lease.usedIds.push(id);
      this.campaigns.push({ id, election, lease: lease.id, token: undefined, endsAtMs: undefined });
      this.vacantSinceMs.set(election, this.vacantSinceMs.get(election) ?? this.nowMs);
      this.#promote([election]);
    }
    const holder = this.holder(election);
    if (holder?.id === id) return `campaign granted ${holder.token}`;
    return `campaign queued ${this.queue(election).findIndex((c) => c.id === id) + 1}`;
  }

  #withdraw(stamp: Stamp, command: Command<'withdraw'>): string {
    const lease = this.lease(command.lease);
    const campaign = this.campaigns.find(
      (c) =>
        c.id === command.campaignId && c.lease === command.lease && c.election === command.election,
    );
    if (lease === undefined || campaign === undefined) {
      if (lease !== undefined && !lease.usedIds.includes(command.campaignId)) {
        lease.usedIds.push(command.campaignId);
        this.#happened.push('withdrawal before the campaign');
      }
      return 'withdraw not-found 0';
    }
    if (campaign.token === undefined) {
      this.#drop([campaign]);
      return 'withdraw removed 0';
    }
    const endsAtMs = campaign.endsAtMs ?? lease.expiresAtMs;
    if (stamp.session !== lease.owner && endsAtMs > this.nowMs) {
      if (campaign.endsAtMs === undefined) {
        this.#happened.push('foreign withdrawal of a live grant');
      }
      campaign.endsAtMs = endsAtMs;
      return `withdraw ending ${endsAtMs - this.nowMs}`;
    }
    if (this.#drop([campaign]) > 0) this.#happened.push('promotion on resignation');
    this.#endIfReleased(lease);
    return 'withdraw resigned 0';
  }

  #advance(command: Command<'fence-advance'>): string {
    const { resource, election, token } = command;
    if (token <= 0n || token > this.lastToken) return 'INVALID_ARGUMENT';
    const fence = this.fences.get(resource);
    if (fence !== undefined && fence.election !== election) {
      return `FENCED ${fence.election} ${this.holder(fence.election)?.token}`;
    }
    const fenced = this.#fenced(election, token);
    if (fenced !== undefined) {
      this.#happened.push('fence refused');
      return fenced;
    }
    this.#happened.push('fence advanced');
    if (fence !== undefined && fence.token > token) throw new Error('a fence went back');
    this.fences.set(resource, { election, token });
    return `fence-advance ${token}`;
  }

  #fenced(election: string, token: bigint): string | undefined {
    const holder = this.holder(election);
    const isGood = holder?.token === token && holder.endsAtMs === undefined;
    return isGood ? undefined : `FENCED ${election} ${holder?.token}`;
  }

  #expireLeases(named: readonly { lease: string; renewals: number }[]): void {
    const ended: NaiveLease[] = [];
    for (const { lease: id, renewals } of named) {
      const lease = this.lease(id);
      if (lease === undefined) continue;
      if (lease.renewals !== renewals) this.#happened.push('expiry refused: renewed since');
      else if (this.nowMs >= lease.expiresAtMs) ended.push(lease);
      else this.#happened.push('expiry refused: not yet due');
    }
    if (this.#endLeases(ended) > 0) this.#happened.push('promotion on expiry');
  }

  #endIfOver(election: string, token: bigint): void {
    const holder = this.holder(election);
    if (holder?.token !== token || holder.endsAtMs === undefined) return;
    if (this.nowMs < holder.endsAtMs) return;
    this.#happened.push('foreign ending over');
    this.#drop([holder]);
    const lease = this.lease(holder.lease);
    if (lease !== undefined) this.#endIfReleased(lease);
  }

  #endIfReleased(lease: NaiveLease): void {
    if (lease.ending && !this.campaigns.some((c) => c.lease === lease.id)) this.#endLeases([lease]);
  }

  #removeIfVacant(name: string): void {
    this.#noteVacancy(name);
    const since = this.vacantSinceMs.get(name);
    if (since === undefined || this.nowMs < since + VACANT_MS) return;
    this.vacantSinceMs.delete(name);
    this.#happened.push('election removed');
  }

  /** An election in use is known with the time of its last entry; a vacant one keeps it. */
  #noteVacancy(name: string): void {
    if (this.campaigns.some((c) => c.election === name)) this.vacantSinceMs.set(name, this.nowMs);
  }

  #endLeases(ended: readonly NaiveLease[]): number {
    const ids = ended.map(({ id }) => id);
    this.leases = this.leases.filter((lease) => !ended.includes(lease));
    for (const [key, { lease }] of this.keys) {
      if (lease === undefined || !ids.includes(lease)) continue;
      this.keys.delete(key);
      this.#happened.push('key deleted with its lease');
    }
    return this.#drop(ids.flatMap((id) => this.campaigns.filter((c) => c.lease === id)));
  }

  /** All of them go before anybody is promoted. */
  #drop(gone: readonly NaiveCampaign[]): number {
    this.campaigns = this.campaigns.filter((campaign) => !gone.includes(campaign));
    for (const { election } of gone) {
      if (!this.campaigns.some((c) => c.election === election)) {
        this.vacantSinceMs.set(election, this.nowMs);
      }
    }
    return this.#promote(gone.map(({ election }) => election));
  }

  #promote(elections: readonly string[]): number {
    let granted = 0;
    for (const election of elections) {
      if (this.holder(election) !== undefined) continue;
      const queue = this.queue(election);
      const hasTime = (c: NaiveCampaign): boolean =>
        (this.lease(c.lease)?.expiresAtMs ?? 0) > this.nowMs;
      const next = queue.find(hasTime);
      if (next !== queue[0]) this.#happened.push('candidate without time passed over');
      if (next === undefined) continue;
      this.lastToken += 1n;
      next.token = this.lastToken;
      this.grants.push({ election, campaign: next.id, token: next.token });
      this.#happened.push('grant');
      granted += 1;
    }
    return granted;
  }
}
