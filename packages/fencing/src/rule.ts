import { FenceError } from './fence-error.js';
import type { Grant } from './grant.js';

/** The highest token seen under one lock, and the holder that came with it. */
export interface Maximum {
  readonly token: bigint;
  readonly holder: string;
}

/** What admitting a grant asks of the store: nothing, or a new maximum with the write. */
export type Admission = { readonly type: 'hold' } | { readonly type: 'raise' };

/**
 * The rule that every guard applies, whatever it protects. Greater: raise, in the same atomic step
 * as the write. Equal: the same holder writes on. Smaller, or equal from another holder: throws.
 */
export function admit(grant: Grant, maximum: Maximum | undefined): Admission {
  if (maximum === undefined || grant.token > maximum.token) return { type: 'raise' };
  const details = { ...grant, current: maximum.token, currentHolder: maximum.holder };
  const presented = `${grant.token} of ${grant.holder}`;
  if (grant.token < maximum.token) {
    const current = `${maximum.token} of ${maximum.holder}`;
    const message = `token ${presented} is below ${current} for lock ${grant.lock}`;
    throw new FenceError('FENCED', message, details);
  }
  if (grant.holder !== maximum.holder) {
    const message = `token ${presented} is held by ${maximum.holder} for lock ${grant.lock}`;
    throw new FenceError('TOKEN_CONFLICT', message, details);
  }
  return { type: 'hold' };
}
