/**
 * What a client is told to do, as data. Keys, elections and resources are few, so that clients
 * meet. Values are the operation's own number, so that each write can be told from every other.
 */
export type ClientOperation =
  | { readonly type: 'get'; readonly key: number; readonly stale: boolean }
  /** Of a key that lives as long as a lease. */
  | { readonly type: 'get-leased'; readonly key: number; readonly stale: boolean }
  | { readonly type: 'put'; readonly key: number }
  | { readonly type: 'delete'; readonly key: number }
  /** Reads, then writes if the version is still that one. */
  | { readonly type: 'compare-and-put'; readonly key: number }
  /** Reads and writes several keys at one revision. */
  | {
      readonly type: 'transact';
      readonly reads: readonly number[];
      readonly writes: readonly number[];
    }
  | { readonly type: 'range' }
  | { readonly type: 'delete-range'; readonly from: number; readonly to: number }
  /** A key that lives as long as a lease of its own, which is revoked or left to expire. */
  | {
      readonly type: 'put-leased';
      readonly key: number;
      readonly ttlMs: number;
      readonly holdMs: number;
      readonly end: 'revoke' | 'abandon';
    }
  /** Takes such a key from its lease, by somebody to whom the lease is nothing. */
  | {
      readonly type: 'unbind';
      readonly key: number;
      readonly by: 'put' | 'delete' | 'delete-range' | 'transact';
    }
  /**
   * Campaigns, and while it leads: `assertHeld()`, a guarded write and a write to the outside
   * resource with its token, every `workEveryMs`, for `holdMs`; then as `end` says. `careless`
   * workers write to the resource without asking first: what the token alone must catch.
   */
  | {
      readonly type: 'lead';
      readonly election: number;
      readonly ttlMs: number;
      readonly holdMs: number;
      readonly workEveryMs: number;
      readonly careless: boolean;
      readonly waitMs: number | undefined;
      readonly end: 'resign' | 'abandon';
    }
  /** The same through `election.run`. */
  | {
      readonly type: 'run';
      readonly election: number;
      readonly ttlMs: number;
      readonly holdMs: number;
      readonly workEveryMs: number;
    }
  | { readonly type: 'show-election'; readonly election: number }
  | { readonly type: 'observe'; readonly election: number; readonly forMs: number }
  | { readonly type: 'watch'; readonly from: number; readonly to: number; readonly forMs: number }
  /** A stranger ends the current grant of an election: by its lease, or by its campaign. */
  | { readonly type: 'end-grant'; readonly election: number; readonly by: 'revoke' | 'withdraw' }
  | { readonly type: 'fence-advance'; readonly election: number; readonly resource: number };

export type SubscriptionType = 'observe' | 'watch';

/** It goes on until somebody ends it: nobody waits for its answer. */
export function isSubscription({ type }: ClientOperation): boolean {
  return type === 'observe' || type === 'watch';
}
