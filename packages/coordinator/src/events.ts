import type {
  ByteString,
  CampaignId,
  FencingToken,
  KeyRecord,
  LeaderRecord,
  LeaseId,
  Revision,
} from './types.js';

/** Why a key or a grant ended. */
export type EndReason = 'user' | 'lease-expired' | 'lease-revoked';

export type ChangeEvent =
  | { readonly type: 'put'; readonly record: KeyRecord }
  | { readonly type: 'delete'; readonly key: ByteString; readonly reason: EndReason }
  | {
      readonly type: 'queued';
      readonly election: string;
      readonly campaignId: CampaignId;
      readonly candidate: string;
    }
  /** A candidate left the queue without a grant. */
  | {
      readonly type: 'left';
      readonly election: string;
      readonly campaignId: CampaignId;
      readonly reason: EndReason;
    }
  | { readonly type: 'granted'; readonly leader: LeaderRecord }
  /** Guards refuse this grant from now on; its successor still waits. */
  | { readonly type: 'ending'; readonly leader: LeaderRecord }
  /** A grant ended. Without a `granted` of the same election at the same revision: vacant. */
  | {
      readonly type: 'ended';
      readonly election: string;
      readonly campaignId: CampaignId;
      readonly lease: LeaseId;
      readonly token: FencingToken;
      readonly reason: EndReason;
    };

/** All changes of one revision, in order; delivered whole or not at all. */
export interface Changes {
  readonly revision: Revision;
  readonly events: readonly ChangeEvent[];
}
