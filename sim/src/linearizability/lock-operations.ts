import type { Operation } from './operation.js';

/** Tokens are whole numbers above 0 and below 2^53. */
export interface Acquire {
  readonly type: 'acquire';
  readonly lock: string;
  /** Who is to hold it. One owner may acquire again after it let go. */
  readonly owner: string;
  /**
   * The earliest true time at which the cluster may pass this grant on without the owner's word,
   * as of the last renewal that is known to be applied. Undefined: at any time.
   */
  readonly heldUntilMs?: number | undefined;
}

export type LockInput =
  | Acquire
  /** By the owner, or by somebody else. Without a token: whatever `owner` holds. */
  | {
      readonly type: 'release';
      readonly lock: string;
      readonly owner: string;
      readonly token?: number | undefined;
    }
  /** A write that commits only while the grant of this token is current. */
  | {
      readonly type: 'write';
      readonly lock: string;
      readonly owner: string;
      readonly token: number;
    }
  | { readonly type: 'holder'; readonly lock: string };

/** The lease of this grant has ended: unasked. */
export interface Expire {
  readonly type: 'expire';
  readonly acquire: Acquire;
}

export type LockOutput =
  | { readonly type: 'acquire'; readonly token: number }
  /** Not acquired: somebody held it. */
  | { readonly type: 'busy' }
  /**
   * `released`: free from now on. `ending`: somebody else's word; writes are refused from now on
   * and the lock is free once the lease has ended. `not-held`: the grant was not current.
   */
  | { readonly type: 'release'; readonly outcome: 'released' | 'ending' | 'not-held' }
  /** `current`: the token that is; undefined: none, or not recorded. */
  | {
      readonly type: 'write';
      readonly accepted: boolean;
      readonly current?: number | undefined;
    }
  | {
      readonly type: 'holder';
      readonly holder: { readonly owner: string; readonly token: number } | undefined;
    };

export type LockOperation = Operation<LockInput, LockOutput>;
