import { Deadlines, type Timed } from './deadlines.js';
import type { EndReason } from './events.js';
import { createOrderedMap, type OrderedMap } from './ordered-map.js';
import type { CommandResult } from './results.js';
import type {
  ByteString,
  CampaignId,
  FencingToken,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  Revision,
  SessionId,
  Settings,
} from './types.js';

/** What holds grants and keys; lives until an entry ends it. Chapter: leases.ts. */
export interface Lease extends Timed {
  readonly id: LeaseId;
  readonly ttlMs: number;
  /** The session that asked for it: only its word ends a live grant at once. */
  readonly owner: SessionId;
  /** Cluster time of the grant's or last renewal's entry + TTL. Never goes back. */
  expiresAtMs: number;
  /** Renewals applied: what an expiry is conditional on (K-001, K-012). */
  renewals: number;
  /** The highest renewal attempt applied. */
  attempt: number;
  /** Revoked by another session: nothing new binds to it, renewals move nothing. */
  ending: boolean;
  /** The keys whose record names this lease. */
  readonly keys: Set<ByteString>;
  /** Live candidacies, granted or queued, with their elections. */
  readonly campaigns: Map<CampaignId, string>;
  /** Every id that campaigned or was withdrawn: none of them starts again. Only grows. */
  readonly campaignIds: Set<CampaignId>;
}

export type KeyTable = OrderedMap<ByteString, KeyRecord>;

export interface Candidate {
  readonly campaignId: CampaignId;
  readonly candidate: string;
  readonly lease: LeaseId;
  readonly metadata: Uint8Array;
}

export interface Grant extends Timed {
  leader: LeaderRecord;
  /** Set once somebody else ended it; `leader.ending` says the same. */
  ending: { readonly endsAtMs: number; readonly reason: EndReason } | undefined;
}

/** Chapter: elections.ts, grants.ts. Every candidate and the holder have a live lease. */
export interface Election extends Timed {
  readonly name: string;
  grant: Grant | undefined;
  /** In order of arrival; the holder is not among them. */
  readonly queue: Map<CampaignId, Candidate>;
  /** Cluster time since when there is neither holder nor queue. */
  vacantSinceMs: number | undefined;
}

/** What an outside resource may rely on; outlives elections and leases. Chapter: fences.ts. */
export interface Fence {
  readonly election: string;
  token: FencingToken;
}

/** Applied successfully, reply not kept: the session's replies grew too big. */
export const REPLY_NOT_KEPT = 'reply-not-kept';

/** Chapter: sessions.ts. Every kept sequence is in [mark, mark + window). */
export interface Session extends Timed {
  readonly id: SessionId;
  readonly openedAtMs: number;
  touchedAtMs: number;
  /** The highest mark seen: everything below is answered. */
  mark: number;
  readonly replies: Map<number, CommandResult | typeof REPLY_NOT_KEPT>;
  replyBytes: number;
  /** A tombstone, kept until no late duplicate could open the session again. */
  closed: boolean;
}

/** Everything replicated. Plain data; each part is changed by its chapter only. */
export interface State {
  appliedIndex: number;
  clusterTimeMs: number;
  /** Wall time = cluster time + this, for people only. */
  wallOffsetMs: number;
  revision: Revision;
  /** The last token granted: every later one is above it (C2). */
  token: FencingToken;
  /** 0 and undefined until `initialize`. */
  featureLevel: number;
  settings: Settings | undefined;
  readonly keys: KeyTable;
  readonly leases: Map<LeaseId, Lease>;
  readonly elections: OrderedMap<string, Election>;
  readonly fences: Map<string, Fence>;
  readonly sessions: Map<SessionId, Session>;
  readonly deadlines: DeadlineIndex;
}

/** Derived from the rest of the state; feeds `due` only. */
export interface DeadlineIndex {
  readonly leases: Deadlines<Lease>;
  readonly sessions: Deadlines<Session>;
  readonly endingGrants: Deadlines<Grant>;
  readonly vacantElections: Deadlines<Election>;
}

export function createState(): State {
  return {
    appliedIndex: 0,
    clusterTimeMs: 0,
    wallOffsetMs: 0,
    revision: 0 as Revision,
    token: 0n as FencingToken,
    featureLevel: 0,
    settings: undefined,
    keys: createOrderedMap(),
    leases: new Map(),
    elections: createOrderedMap(),
    fences: new Map(),
    sessions: new Map(),
    deadlines: {
      leases: new Deadlines(),
      sessions: new Deadlines(),
      endingGrants: new Deadlines(),
      vacantElections: new Deadlines(),
    },
  };
}
