import type {
  CampaignId,
  FencingToken,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  QueuedCandidate,
  Revision,
} from './types.js';

/** Why a command changed nothing. `code` keys the error table of `protocol`. */
export type Refusal =
  | {
      readonly code: 'FENCED';
      readonly election: string;
      /** The token of the grant that is current; undefined: nobody leads. */
      readonly current: FencingToken | undefined;
    }
  | { readonly code: 'LEASE_NOT_FOUND'; readonly lease: LeaseId }
  /** The id was used before, by another request: lease ids are never reused. */
  | { readonly code: 'LEASE_EXISTS'; readonly lease: LeaseId }
  /** Somebody else ended this lease: nothing more can be bound to it. */
  | { readonly code: 'LEASE_ENDING'; readonly lease: LeaseId }
  | { readonly code: 'CAMPAIGN_WITHDRAWN'; readonly campaignId: CampaignId }
  /** The id stands for another campaign already. */
  | { readonly code: 'CAMPAIGN_EXISTS'; readonly campaignId: CampaignId }
  | { readonly code: 'SESSION_EXPIRED' }
  /** Below the lowest sequence the client said it waits for. */
  | { readonly code: 'STALE_REQUEST'; readonly sequence: number; readonly mark: number }
  | { readonly code: 'SESSION_WINDOW_FULL'; readonly sequence: number; readonly limit: number }
  /** It was applied once, successfully; only its reply is no longer kept. */
  | { readonly code: 'REPLY_DROPPED'; readonly sequence: number }
  /** The request itself is too large, and always will be. */
  | { readonly code: 'LIMIT_EXCEEDED'; readonly field: string; readonly limit: number }
  /** There is no room for one more, for now: `what` names the setting that bounds them. */
  | { readonly code: 'CAPACITY_REACHED'; readonly what: string; readonly limit: number }
  | { readonly code: 'INVALID_ARGUMENT'; readonly field: string; readonly reason: string }
  | { readonly code: 'FEATURE_UNAVAILABLE'; readonly required: number; readonly level: number };

export type RefusalCode = Refusal['code'];

export type OperationResult =
  | { readonly type: 'put'; readonly version: number }
  | { readonly type: 'delete'; readonly deleted: number }
  | { readonly type: 'delete-range'; readonly deleted: number; readonly more: boolean }
  | { readonly type: 'get'; readonly record: KeyRecord | undefined };

/** A live grant of a lease, named by every renewal; one not named, or ending, is lost. */
export interface LiveGrant {
  readonly election: string;
  readonly campaignId: CampaignId;
  readonly token: FencingToken;
  readonly ending: boolean;
}

export type RenewalResult =
  | {
      readonly outcome: 'renewed';
      readonly lease: LeaseId;
      readonly attempt: number;
      /**
       * This very attempt moved the lease's expiry; only then may its sender move his deadline.
       * False: an attempt as high was applied before, or the lease is ending.
       */
      readonly applied: boolean;
      /** The highest attempt applied to the lease, whoever sent it: the next one goes above. */
      readonly lastAttempt: number;
      readonly ttlMs: number;
      /** True: somebody else revoked the lease. */
      readonly ending: boolean;
      readonly grants: readonly LiveGrant[];
    }
  | { readonly outcome: 'not-found'; readonly lease: LeaseId; readonly attempt: number };

export type CommandResult =
  | { readonly type: 'put'; readonly revision: Revision; readonly version: number }
  | { readonly type: 'delete'; readonly revision: Revision; readonly deleted: number }
  | {
      readonly type: 'delete-range';
      readonly revision: Revision;
      readonly deleted: number;
      /** The entry's limit of keys was reached; repeat for the rest. */
      readonly more: boolean;
    }
  | {
      readonly type: 'txn';
      readonly revision: Revision;
      readonly succeeded: boolean;
      readonly results: readonly OperationResult[];
    }
  | { readonly type: 'lease-grant'; readonly lease: LeaseId; readonly ttlMs: number }
  | { readonly type: 'lease-renew'; readonly renewals: readonly RenewalResult[] }
  | {
      readonly type: 'lease-revoke';
      /** `ending`: its grants are refused from now on; successors wait at most `waitMs`. */
      readonly outcome: 'revoked' | 'ending';
      readonly waitMs: number;
    }
  | {
      readonly type: 'campaign';
      readonly revision: Revision;
      readonly state: CampaignState;
    }
  | {
      readonly type: 'withdraw';
      readonly revision: Revision;
      /** `not-found`: remembered, so that a campaign still in flight is refused. */
      readonly outcome: 'not-found' | 'removed' | 'resigned' | 'ending';
      readonly waitMs: number;
    }
  | { readonly type: 'fence-advance'; readonly token: FencingToken }
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Where one campaign stands. `absent`: never heard of, withdrawn, or its lease has ended. */
export type CampaignState =
  | { readonly state: 'granted'; readonly leader: LeaderRecord }
  | { readonly state: 'queued'; readonly position: number }
  | { readonly state: 'absent' };

export interface LeaseRecord {
  readonly lease: LeaseId;
  readonly ttlMs: number;
  /** Cluster time left as of the state asked; ≤ 0: expiry is under way, a renewal still wins. */
  readonly remainingMs: number;
  /** Number of the last renewal attempt applied (0: none). */
  readonly attempt: number;
  readonly ending: boolean;
  readonly keys: number;
  readonly grants: readonly LiveGrant[];
}

export interface ElectionRecord {
  readonly election: string;
  readonly leader: LeaderRecord | undefined;
  readonly queue: readonly QueuedCandidate[];
  readonly paused: boolean;
}

/** `revision`: the state that answered. */
export type QueryResult =
  | { readonly type: 'get'; readonly revision: Revision; readonly record: KeyRecord | undefined }
  | {
      readonly type: 'range';
      /** Of the page's pinned state: equal over all pages of one cursor. */
      readonly revision: Revision;
      readonly records: readonly KeyRecord[];
      /** Present when there is more. */
      readonly cursor: string | undefined;
    }
  | {
      readonly type: 'lease-show';
      readonly revision: Revision;
      readonly lease: LeaseRecord | undefined;
    }
  | {
      readonly type: 'lease-list';
      readonly revision: Revision;
      readonly leases: readonly LeaseRecord[];
      readonly more: boolean;
    }
  | {
      readonly type: 'election-show';
      readonly revision: Revision;
      readonly election: ElectionRecord | undefined;
    }
  | {
      readonly type: 'election-list';
      readonly revision: Revision;
      readonly elections: readonly ElectionRecord[];
      readonly more: boolean;
    }
  | { readonly type: 'campaign-show'; readonly revision: Revision; readonly state: CampaignState }
  /** The pages' pinned state is gone (node restarted, too many cursors, too old): start again. */
  | { readonly type: 'cursor-expired' };
