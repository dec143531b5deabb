import type { LeaseId } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import type { ClientCore } from './core.js';
import { LeaseLostError, type LossReason } from './errors.js';
import { grantLease } from './grant-lease.js';
import type { HeldLease } from './held-lease.js';
import { revoke } from './release.js';

export interface LeaseOptions extends CallOptions {
  /** Whole milliseconds; default 10,000. */
  readonly ttlMs?: number | undefined;
  /** Default: random. Never one that was used before. */
  readonly id?: string | undefined;
}

export const TTL_DEFAULT_MS = 10_000;

/** A lease that this client renews until it is revoked, lost, or the client closes. */
export class Lease {
  readonly id: LeaseId;
  readonly ttlMs: number;
  readonly #core: ClientCore;
  readonly #held: HeldLease;
  readonly #controller = new AbortController();
  readonly #untrack: () => void;
  #revoking: Promise<void> | undefined;
  #revoked = false;

  constructor(core: ClientCore, held: HeldLease) {
    this.id = held.id;
    this.ttlMs = held.ttlMs;
    this.#core = core;
    this.#held = held;
    held.listen({ onLost: (reason) => this.#onLost(reason) });
    this.#untrack = core.track({ close: () => held.lose('closed') });
  }

  /** Aborts with a LEASE_LOST error before the lease can have ended for others. */
  get signal(): AbortSignal {
    this.#held.check();
    return this.#controller.signal;
  }

  /** Reads both clocks at every access. */
  get held(): boolean {
    return this.#held.check();
  }

  /** Until what stands on the lease must stop, ms; 0 once it is lost. */
  get remainingMs(): number {
    return this.#held.remainingMs;
  }

  /**
   * Ends the lease: here at once, in the cluster when this resolves. Idempotent; where it fails
   * it can be called again, and otherwise the lease ends by itself.
   */
  async revoke(): Promise<void> {
    this.#held.lose('resigned');
    if (this.#revoked) return;
    this.#revoking ??= this.#revoke().finally(() => {
      this.#revoking = undefined;
    });
    await this.#revoking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.revoke().catch((error: unknown) => {
      this.#core.ports.log.warn({ err: error, lease: this.id }, 'the lease is left to expire');
    });
  }

  async #revoke(): Promise<void> {
    await revoke(this.#core, this.id);
    this.#revoked = true;
  }

  #onLost(reason: LossReason): void {
    this.#untrack();
    this.#controller.abort(new LeaseLostError(this.id, reason));
  }
}

export async function lease(core: ClientCore, options: LeaseOptions): Promise<Lease> {
  const { ttlMs = TTL_DEFAULT_MS, id, signal, timeoutMs } = options;
  const held = await grantLease(core, { ttlMs, id: id as LeaseId | undefined, signal, timeoutMs });
  return new Lease(core, held);
}
