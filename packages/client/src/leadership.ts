import type { CampaignId, FencingToken, LeaseId } from '@raftd/protocol';
import type { Bytes, KeyRange } from './keys.js';
import type { CallOptions } from './call.js';
import type { ClientCore } from './core.js';
import { stopBudgetMs } from './deadline.js';
import { invalidArgument, type LeadershipLostError, RaftdError } from './errors.js';
import type { Grant, LeadershipState } from './grant.js';
import {
  type DeleteRangeResult,
  type DeleteResult,
  deleteKey,
  deleteRange,
  type PutOptions,
  type PutResult,
  put,
  type WriteGuard,
} from './kv.js';
import { type Txn, type TxnResult, txn } from './txn.js';

/** Writes that commit only while this grant is current; FENCED otherwise, and it is lost. */
export interface LeadershipGuard {
  put(key: Bytes, value: Bytes, options?: Omit<PutOptions, 'guard'>): Promise<PutResult>;
  delete(key: Bytes, options?: CallOptions): Promise<DeleteResult>;
  deleteRange(range: KeyRange, options?: CallOptions): Promise<DeleteRangeResult>;
  txn(asked: Txn, options?: CallOptions): Promise<TxnResult>;
}

/**
 * One grant of leadership. It ends once and for ever: lost, or resigned; a new win is a new
 * handle with a new token.
 */
export class Leadership {
  readonly #core: ClientCore;
  readonly #grant: Grant;
  readonly guard: LeadershipGuard;

  constructor(core: ClientCore, grant: Grant) {
    this.#core = core;
    this.#grant = grant;
    this.guard = {
      put: (key, value, options = {}) =>
        this.#guarded((guard) => put(core.requests, key, value, { ...options, guard })),
      delete: (key, options = {}) =>
        this.#guarded((guard) => deleteKey(core.requests, key, { ...options, guard })),
      deleteRange: (range, options = {}) =>
        this.#guarded((guard) => deleteRange(core.requests, range, { ...options, guard })),
      txn: (asked, options = {}) =>
        this.#guarded((guard) => txn(core.requests, asked, { ...options, guard })),
    };
  }

  get election(): string {
    return this.#grant.facts.election;
  }

  get candidate(): string {
    return this.#grant.facts.candidate;
  }

  /** The fencing token: greater than that of every earlier grant in the cluster. */
  get token(): FencingToken {
    return this.#grant.facts.token;
  }

  /** The campaign id, by which the cluster and guards know this one holder. */
  get holder(): CampaignId {
    return this.#grant.facts.campaignId;
  }

  get lease(): LeaseId {
    return this.#grant.lease.id;
  }

  get ttlMs(): number {
    return this.#grant.lease.ttlMs;
  }

  get metadata(): Uint8Array {
    return this.#grant.facts.metadata;
  }

  /**
   * Aborts with a LEADERSHIP_LOST error before the lease can pass on. A blocked event loop aborts
   * late: then only `assertHeld()` and the guards hold.
   */
  get signal(): AbortSignal {
    return this.#grant.signal;
  }

  /** Read from both clocks at every access, as everything below. */
  get state(): LeadershipState {
    return this.#grant.state;
  }

  /** The deadline is ahead: `leading` or `suspect`. */
  get held(): boolean {
    return this.#grant.held;
  }

  /** Until work must have stopped, ms; 0 once it is lost. */
  get remainingMs(): number {
    return this.#grant.remainingMs;
  }

  /** How long after `remainingMs` has run out the lease may pass on, ms: the time to stop in. */
  get stopBudgetMs(): number {
    return stopBudgetMs(this.ttlMs);
  }

  /** Why it ended; undefined while it is held. */
  get loss(): LeadershipLostError | undefined {
    return this.#grant.loss;
  }

  /**
   * Throws LEADERSHIP_LOST once the grant is over, and the retryable LEADERSHIP_SUSPECT while
   * renewals are not acknowledged (under `onSuspect: 'pause'`) or less than `minRemainingMs` is
   * left. Call it right before anything that only a leader may do.
   */
  assertHeld(minRemainingMs = 0): void {
    if (!(minRemainingMs >= 0)) throw invalidArgument('minRemainingMs', 'is not from 0');
    this.#grant.assertHeld(minRemainingMs);
  }

  /** Resolves when `assertHeld()` passes again; rejects with LEADERSHIP_LOST. */
  untilHeld(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        const { loss, state } = this.#grant;
        if (loss !== undefined) reject(loss);
        else if (state === 'leading') resolve();
        else return false;
        return true;
      };
      if (look()) return;
      const cancel = this.#grant.onChange(() => {
        if (look()) cancel();
      });
    });
  }

  /** Called after the deadline moved or the state changed; returns how to stop that. */
  onChange(listener: () => void): () => void {
    return this.#grant.onChange(listener);
  }

  /**
   * Gives leadership back once work has stopped: here at once, in the cluster when this resolves.
   * Idempotent; where it fails it can be called again. After a loss it returns at once and
   * releases what may be left in the background.
   */
  resign(): Promise<void> {
    return this.#grant.resign();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { election } = this;
    await this.resign().catch((error: unknown) => {
      this.#core.ports.log.warn({ err: error, election }, 'leadership is left to expire');
    });
  }

  async #guarded<T>(write: (guard: WriteGuard) => Promise<T>): Promise<T> {
    const grant = this.#grant;
    grant.assertAlive();
    const { election, token } = grant.facts;
    try {
      return await write({ election, token });
    } catch (error) {
      if (error instanceof RaftdError && error.code === 'FENCED') grant.onFenced();
      throw error;
    }
  }
}
