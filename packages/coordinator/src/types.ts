/** Bytes as a string of one character (0–255) a byte: compares in byte order, usable as a key. */
export type ByteString = string & { readonly brand: 'ByteString' };

/** Raised by every change of keys or elections; renewals and time entries leave it. From 1. */
export type Revision = number & { readonly brand: 'Revision' };

/** Chosen at random by the client, never reused. */
export type LeaseId = string & { readonly brand: 'LeaseId' };

/** Chosen at random by the client for one campaign; `holder` in a leader record. */
export type CampaignId = string & { readonly brand: 'CampaignId' };

/** Chosen at random by the client for its exactly-once window (not what holds grants). */
export type SessionId = string & { readonly brand: 'SessionId' };

/** Grows with every grant in the whole cluster; exact below 2^53, a decimal string outside. */
export type FencingToken = bigint & { readonly brand: 'FencingToken' };

export interface KeyRecord {
  readonly key: ByteString;
  readonly value: Uint8Array;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** 1 at creation, +1 at each put. */
  readonly version: number;
  readonly lease: LeaseId | undefined;
}

/** Who may act: the one current grant of an election. */
export interface LeaderRecord {
  readonly election: string;
  readonly candidate: string;
  readonly holder: CampaignId;
  readonly lease: LeaseId;
  readonly token: FencingToken;
  readonly metadata: Uint8Array;
  readonly grantedAtMs: number;
  /** Wall-clock time of the grant, ms since 1970: for people, never for decisions. */
  readonly grantedAtWallMs: number;
  /** True once somebody else ended the grant: guards refuse it, the successor still waits. */
  readonly ending: boolean;
}

/** A candidate that waits; `position` counts from 1 (next in line). */
export interface QueuedCandidate {
  readonly candidate: string;
  readonly campaignId: CampaignId;
  readonly lease: LeaseId;
  readonly position: number;
}

/**
 * Limits that apply reads. Replicated: they come with the `initialize` command, so that every
 * replica refuses the same things. DESIGN §6, §12.
 */
export interface Settings {
  readonly keysPerEntryMax: number;
  readonly keysPerLeaseMax: number;
  readonly leasesMax: number;
  readonly leaseTtlMinMs: number;
  readonly leaseTtlMaxMs: number;
  readonly electionsMax: number;
  readonly candidatesPerElectionMax: number;
  readonly fencesMax: number;
  readonly sessionsMax: number;
  readonly sessionTtlMs: number;
  /** A sequence may be ahead of the lowest unanswered one by less than this. */
  readonly sessionWindow: number;
  /** Beyond this many bytes of kept replies a session keeps outcomes only. */
  readonly sessionReplyBytesMax: number;
  readonly withdrawalsPerLeaseMax: number;
  /**
   * What the gets of one transaction may return, in bytes. Within a reply's bound with room to
   * spare: what was applied must be able to say so.
   */
  readonly txnReplyBytesMax: number;
}
