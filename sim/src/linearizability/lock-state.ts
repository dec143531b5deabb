import { hashNumber, mix } from './hash.js';
import type { Acquire } from './lock-operations.js';

/** The current grant. */
export interface LockGrant {
  readonly acquire: Acquire;
  /** Undefined: of an acquire of unknown outcome; `lastToken` or higher. */
  readonly token: number | undefined;
  /** Somebody else asked for its end. */
  readonly ending: boolean;
}

export interface LockState {
  readonly grant: LockGrant | undefined;
  /** The highest token granted is this one or, where it is not known, not below; 0: none. */
  readonly lastToken: number;
  /**
   * Nobody holds it, as a lease ran out, and a release of that grant may still say that it ended
   * it: of the `last` token, or of one that is `unknown` as it is not below it.
   */
  readonly ranOut: 'no' | 'last' | 'unknown';
}

export const FREE: LockState = { grant: undefined, lastToken: 0, ranOut: 'no' };

/** Below a lower token nothing more is refused; apart from that, the same state. */
export function coversLock(state: LockState, other: LockState): boolean {
  const { grant, ranOut, lastToken } = state;
  if (ranOut !== other.ranOut || lastToken > other.lastToken) return false;
  if (ranOut === 'last' && lastToken !== other.lastToken) return false;
  const { grant: otherGrant } = other;
  if (grant === undefined || otherGrant === undefined) return grant === otherGrant;
  return (
    grant.acquire.owner === otherGrant.acquire.owner &&
    (grant.acquire.heldUntilMs ?? -Infinity) <= (otherGrant.acquire.heldUntilMs ?? -Infinity) &&
    grant.token === otherGrant.token &&
    grant.ending === otherGrant.ending
  );
}

export function hashLock({ grant, ranOut }: LockState): number {
  if (grant === undefined) return ranOut.length;
  return mix(grant.ending ? 1 : 0, hashNumber(grant.token ?? 0));
}

export function describeLockState({ grant, lastToken }: LockState): string {
  if (grant === undefined) return `nobody holds the lock; last token ${lastToken}`;
  const { acquire, token, ending } = grant;
  const named = token === undefined ? `a token of ${lastToken} or above` : `token ${token}`;
  const until =
    acquire.heldUntilMs === undefined ? '' : `, at least until ${acquire.heldUntilMs} ms`;
  return `${acquire.owner} holds the lock with ${named}${until}${ending ? ', and is to go' : ''}`;
}
