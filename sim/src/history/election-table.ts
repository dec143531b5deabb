import type {
  ByteString,
  CampaignId,
  ChangeEvent,
  EndReason,
  LeaseId,
  LoggedCommand,
} from '@raftd/protocol';
import { byteString } from '@raftd/protocol';
import type { CanonicalEntry } from './canonical-log.js';

/** What a campaign said of itself. */
interface Candidacy {
  readonly candidate: string;
  readonly metadata: ByteString;
}

/** For changes without a campaign before them, which only tests make. */
const UNKNOWN: Candidacy = { candidate: '', metadata: '' as ByteString };

export interface GrantState extends Candidacy {
  readonly election: string;
  readonly token: bigint;
  readonly campaignId: CampaignId;
  readonly lease: LeaseId;
  /** Place in the order of arrival; a grant that never waited came last. */
  readonly ordinal: number;
  /** Index and true time (first apply) of the entry that granted it. */
  readonly index: number;
  readonly grantedAtMs: number;
  /** The cluster time of that entry. */
  readonly grantedAtClusterMs: number;
  /** Guards refuse it, its successor still waits. */
  isEnding: boolean;
  ended: GrantEnd | undefined;
}

export interface GrantEnd {
  readonly index: number;
  readonly endedAtMs: number;
  readonly reason: EndReason;
}

export interface WaitingState {
  readonly campaignId: CampaignId;
  /** Undefined only if the log does not tell. */
  readonly lease: LeaseId | undefined;
  readonly ordinal: number;
}

export interface ElectionState {
  readonly name: string;
  grant: GrantState | undefined;
  /** In order of arrival. */
  readonly queue: Map<CampaignId, WaitingState>;
  /** The last grant ever. */
  newest: GrantState | undefined;
}

/** Elections as the changes of the log tell them. */
export class ElectionTable {
  readonly #elections = new Map<string, ElectionState>();
  readonly #grants = new Map<bigint, GrantState>();
  readonly #candidacies = new Map<CampaignId, Candidacy>();
  #arrivals = 0;

  get(name: string): ElectionState | undefined {
    return this.#elections.get(name);
  }

  all(): IterableIterator<ElectionState> {
    return this.#elections.values();
  }

  /** Every grant ever, by its token. */
  grantOf(token: bigint): GrantState | undefined {
    return this.#grants.get(token);
  }

  /** Every grant ever, oldest first. */
  grants(): IterableIterator<GrantState> {
    return this.#grants.values();
  }

  follow(entry: CanonicalEntry): void {
    if (entry.changes === undefined) return;
    this.#noteCandidacy(entry.logged);
    for (const event of entry.changes.events) this.#followEvent(entry, event);
  }

  #noteCandidacy(logged: LoggedCommand | undefined): void {
    if (logged?.command.type !== 'campaign') return;
    const { campaignId, candidate, metadata } = logged.command;
    if (this.#candidacies.has(campaignId)) return;
    this.#candidacies.set(campaignId, { candidate, metadata: byteString(metadata) });
  }

  #followEvent(entry: CanonicalEntry, event: ChangeEvent): void {
    switch (event.type) {
      case 'put':
      case 'delete':
        return;
      case 'queued':
        return this.#queue(entry, event.election, event.campaignId);
      case 'left':
        this.#election(event.election).queue.delete(event.campaignId);
        return;
      case 'granted':
        return this.#grant(entry, event.leader);
      case 'ending': {
        const grant = this.#grants.get(event.leader.token);
        if (grant !== undefined) grant.isEnding = true;
        return;
      }
      case 'ended': {
        const election = this.#election(event.election);
        const grant = this.#grants.get(event.token);
        const { index, appliedAtMs: endedAtMs } = entry;
        if (grant !== undefined) grant.ended = { index, endedAtMs, reason: event.reason };
        if (election.grant?.token === event.token) election.grant = undefined;
        return;
      }
      default:
        return event satisfies never;
    }
  }

  #queue({ logged }: CanonicalEntry, name: string, campaignId: CampaignId): void {
    const command = logged?.command;
    const isOwn = command?.type === 'campaign' && command.campaignId === campaignId;
    const lease = isOwn ? command.lease : undefined;
    this.#arrivals += 1;
    const waiting = { campaignId, lease, ordinal: this.#arrivals };
    this.#election(name).queue.set(campaignId, waiting);
  }

  #grant(entry: CanonicalEntry, leader: GrantedLeader): void {
    const { election: name, token, holder: campaignId, lease } = leader;
    const election = this.#election(name);
    const waited = election.queue.get(campaignId);
    election.queue.delete(campaignId);
    if (waited === undefined) this.#arrivals += 1;
    const grant: GrantState = {
      ...(this.#candidacies.get(campaignId) ?? UNKNOWN),
      election: name,
      token,
      campaignId,
      lease,
      ordinal: waited?.ordinal ?? this.#arrivals,
      index: entry.index,
      grantedAtMs: entry.appliedAtMs,
      grantedAtClusterMs: entry.clusterTimeMs,
      isEnding: false,
      ended: undefined,
    };
    election.grant = grant;
    election.newest = grant;
    this.#grants.set(token, grant);
  }

  #election(name: string): ElectionState {
    let election = this.#elections.get(name);
    if (election === undefined) {
      election = { name, grant: undefined, queue: new Map(), newest: undefined };
      this.#elections.set(name, election);
    }
    return election;
  }
}

type GrantedLeader = Extract<ChangeEvent, { readonly type: 'granted' }>['leader'];
