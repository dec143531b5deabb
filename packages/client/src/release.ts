import type { CampaignId, LeaseId } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import { command, controlCommand, type SubmitOptions } from './caller.js';
import type { ClientCore } from './core.js';
import { RaftdError } from './errors.js';

export interface CandidacyName {
  readonly election: string;
  readonly lease: LeaseId;
  readonly campaignId: CampaignId;
}

export interface WithdrawResult {
  /** `ending`: refused from now on; the successor waits at most `waitMs` for the holder. */
  readonly outcome: 'not-found' | 'removed' | 'resigned' | 'ending';
  readonly waitMs: number;
}

export interface RevokedLease {
  /** `ending`: its grants are refused from now on; successors wait at most `waitMs`. */
  readonly outcome: 'revoked' | 'ending';
  readonly waitMs: number;
}

/**
 * Answers to a repeated or late release that mean: there is nothing left to release. Also
 * REPLY_DROPPED: it was applied, only its answer is gone.
 */
function isGone(error: unknown): boolean {
  if (!(error instanceof RaftdError)) return false;
  const { code } = error;
  return code === 'LEASE_NOT_FOUND' || code === 'REPLY_DROPPED' || code === 'CAMPAIGN_WITHDRAWN';
}

function own(core: ClientCore): SubmitOptions {
  return { timeoutMs: core.options.releaseTimeoutMs, vital: true };
}

/**
 * Takes a candidacy back, whatever it has come to: queued, granted, ending or still in flight.
 * Has a deadline of its own: the caller's signal may be the reason why we are here (rule 17).
 */
export async function withdraw(
  core: ClientCore,
  name: CandidacyName,
  options: SubmitOptions = own(core),
): Promise<WithdrawResult> {
  const asked = controlCommand({ type: 'withdraw', ...name });
  try {
    const { outcome, waitMs } = await command(core.requests, 'withdraw', asked, options);
    return { outcome, waitMs };
  } catch (error) {
    if (!isGone(error)) throw error;
    return { outcome: 'not-found', waitMs: 0 };
  }
}

/** Rejects with LEASE_NOT_FOUND where there is none. */
export async function revokeLease(
  core: ClientCore,
  lease: LeaseId,
  options: CallOptions,
): Promise<RevokedLease> {
  const asked = controlCommand({ type: 'lease-revoke', lease });
  const { outcome, waitMs } = await command(core.requests, 'lease-revoke', asked, options);
  return { outcome, waitMs };
}

/** As above, where there may be nothing to revoke. */
export async function revoke(core: ClientCore, lease: LeaseId): Promise<void> {
  try {
    await revokeLease(core, lease, own(core));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Withdraws first: that beats a campaign in flight; then ends the lease it stood on. */
export async function withdrawAndRevoke(core: ClientCore, name: CandidacyName): Promise<void> {
  try {
    await withdraw(core, name);
  } finally {
    await revoke(core, name.lease);
  }
}
