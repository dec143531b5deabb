import type {
  ByteString,
  CampaignId,
  FencingToken,
  LeaseId,
  SessionId,
  Settings,
} from './types.js';

/** Exactly-once identity of a client's command (dissertation §6.3). */
export interface Stamp {
  readonly session: SessionId;
  /**
   * Cluster time at which the client was told it may open this session. An unknown session is
   * opened by its first write only while this is younger than the session TTL, so that a late
   * duplicate can never re-open (and re-run under) a session that has expired.
   */
  readonly openedAtMs: number;
  /** From 1, one a command, in any order. */
  readonly sequence: number;
  /** The lowest sequence the client still waits for (given up counts as answered). */
  readonly mark: number;
}

/** The write commits only if this grant is current and not ending. */
export interface Guard {
  readonly election: string;
  readonly token: FencingToken;
}

export interface PutOperation {
  readonly type: 'put';
  readonly key: ByteString;
  readonly value: Uint8Array;
  /** The key is deleted when this lease ends. */
  readonly lease: LeaseId | undefined;
}

export interface DeleteOperation {
  readonly type: 'delete';
  readonly key: ByteString;
}

/** Deletes [start, end), `end` undefined: to the last key. */
export interface DeleteRangeOperation {
  readonly type: 'delete-range';
  readonly start: ByteString;
  readonly end: ByteString | undefined;
}

export interface GetOperation {
  readonly type: 'get';
  readonly key: ByteString;
}

export type Operation = PutOperation | DeleteOperation | DeleteRangeOperation | GetOperation;

export type CompareOperator = '=' | '!=' | '<' | '>';

/** A missing key has version and revisions 0; it equals no value and differs from every one. */
export type Compare =
  | {
      readonly target: 'value';
      readonly key: ByteString;
      readonly operator: CompareOperator;
      readonly operand: Uint8Array;
    }
  | {
      readonly target: 'version' | 'create-revision' | 'mod-revision';
      readonly key: ByteString;
      readonly operator: CompareOperator;
      readonly operand: number;
    };

/** One renewal attempt; one not above the last applied attempt of its lease changes nothing. */
export interface Renewal {
  readonly lease: LeaseId;
  readonly attempt: number;
}

/** What clients send. Each is logged with its stamp. */
export type ClientCommand =
  | (PutOperation & { readonly guards: readonly Guard[] })
  | (DeleteOperation & { readonly guards: readonly Guard[] })
  | (DeleteRangeOperation & { readonly guards: readonly Guard[] })
  | {
      readonly type: 'txn';
      readonly compares: readonly Compare[];
      readonly success: readonly Operation[];
      readonly failure: readonly Operation[];
      readonly guards: readonly Guard[];
    }
  | { readonly type: 'lease-grant'; readonly lease: LeaseId; readonly ttlMs: number }
  | { readonly type: 'lease-renew'; readonly renewals: readonly Renewal[] }
  | { readonly type: 'lease-revoke'; readonly lease: LeaseId }
  | {
      readonly type: 'campaign';
      readonly election: string;
      readonly lease: LeaseId;
      readonly candidate: string;
      readonly metadata: Uint8Array;
      readonly campaignId: CampaignId;
    }
  | {
      readonly type: 'withdraw';
      readonly election: string;
      readonly lease: LeaseId;
      readonly campaignId: CampaignId;
    }
  | {
      readonly type: 'fence-advance';
      readonly resource: string;
      readonly election: string;
      readonly token: FencingToken;
    }
  | { readonly type: 'session-touch' }
  | { readonly type: 'session-close' };

/** What the leader itself proposes; never accepted from a client. */
export type SystemCommand =
  | {
      readonly type: 'initialize';
      readonly tokenBase: FencingToken;
      readonly settings: Settings;
      readonly featureLevel: number;
    }
  | {
      /** Each applies iff its lease's renewal sequence is unchanged and the entry's time is due. */
      readonly type: 'expire-leases';
      readonly leases: readonly { readonly lease: LeaseId; readonly renewals: number }[];
    }
  | {
      readonly type: 'expire-sessions';
      readonly sessions: readonly { readonly session: SessionId; readonly touchedAtMs: number }[];
    }
  | {
      /** Ends grants marked `ending` whose wait is over: the successor is promoted. */
      readonly type: 'end-grants';
      readonly grants: readonly { readonly election: string; readonly token: FencingToken }[];
    }
  | { readonly type: 'remove-elections'; readonly elections: readonly string[] }
  | { readonly type: 'set-wall-offset'; readonly wallOffsetMs: number }
  | { readonly type: 'raise-feature-level'; readonly level: number };

/** The content of one command entry. */
export type LoggedCommand =
  | { readonly stamp: Stamp; readonly command: ClientCommand }
  | { readonly stamp: undefined; readonly command: SystemCommand };

/** Bytes of the log to commands and back; handed in, because the wire format is `protocol`'s. */
export interface CommandCodec {
  encode(command: LoggedCommand): Uint8Array;
  /** Throws on bytes it does not know: the node must stop, never skip (DESIGN §4). */
  decode(payload: Uint8Array): LoggedCommand;
}

/** Not changed by anything; answered from one node's state. */
export type Query =
  | { readonly type: 'get'; readonly key: ByteString }
  | {
      /** [start, end) in byte order, at most `limit` records a page. */
      readonly type: 'range';
      readonly start: ByteString;
      readonly end: ByteString | undefined;
      readonly limit: number;
    }
  | {
      /**
       * The next page of the same revision; what it needs lives on the node that gave it. Opaque,
       * at most two keys and 64 characters long.
       */
      readonly type: 'range-next';
      readonly cursor: string;
    }
  | { readonly type: 'lease-show'; readonly lease: LeaseId }
  | { readonly type: 'lease-list'; readonly limit: number }
  | { readonly type: 'election-show'; readonly election: string }
  | { readonly type: 'election-list'; readonly prefix: string; readonly limit: number }
  | {
      /** Where one campaign stands: asked after a reconnect. */
      readonly type: 'campaign-show';
      readonly election: string;
      readonly campaignId: CampaignId;
    };
