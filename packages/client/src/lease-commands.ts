import type { LeaseId, LiveGrant } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import { command, controlCommand, query } from './caller.js';
import type { ClientCore } from './core.js';
import { RaftdError } from './errors.js';

export interface GrantOptions extends CallOptions {
  readonly ttlMs: number;
  /** Default: random. */
  readonly id?: string | undefined;
}

export interface GrantedLease {
  readonly id: LeaseId;
  readonly ttlMs: number;
}

export interface RenewedLease extends GrantedLease {
  /** Somebody else revoked it: this renewal moved nothing. */
  readonly ending: boolean;
  readonly grants: readonly LiveGrant[];
}

export async function grant(core: ClientCore, options: GrantOptions): Promise<GrantedLease> {
  const id = (options.id ?? core.ports.randomId()) as LeaseId;
  const asked = controlCommand({ type: 'lease-grant', lease: id, ttlMs: options.ttlMs });
  const { lease, ttlMs } = await command(core.requests, 'lease-grant', asked, options);
  return { id: lease, ttlMs };
}

export async function renew(
  core: ClientCore,
  lease: LeaseId,
  options: CallOptions,
): Promise<RenewedLease> {
  // Attempts of one lease count up whoever makes them; one not above the last changes nothing, but
  // then another one did since it was shown: either way the lease was renewed during this call.
  const asked = { type: 'lease-show', lease } as const;
  const shown = (await query(core.requests, 'lease-show', asked, options)).lease;
  const attempt = (shown?.attempt ?? 0) + 1;
  const renewal = controlCommand({ type: 'lease-renew', renewals: [{ lease, attempt }] });
  const { renewals } = await command(core.requests, 'lease-renew', renewal, options);
  const [result] = renewals;
  if (result === undefined || result.outcome === 'not-found') {
    const details = { lease };
    throw new RaftdError('LEASE_NOT_FOUND', `lease ${lease} does not exist`, { details });
  }
  const { ttlMs, ending, grants } = result;
  return { id: lease, ttlMs, ending, grants };
}
