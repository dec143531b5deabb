import type { CampaignId, ChangeEvent, FencingToken, LiveGrant } from '@raftd/protocol';
import type { ClientCore } from './core.js';
import { LeadershipLostError, type LossReason, RaftdError } from './errors.js';
import type { HeldLease } from './held-lease.js';
import type { Cancel } from './ports.js';
import { revoke, withdraw, withdrawAndRevoke } from './release.js';

/** What the client does while no renewal is acknowledged but the deadline is still ahead. */
export type SuspectPolicy = 'pause' | 'continue-fenced' | 'abort';

export type LeadershipState = 'leading' | 'suspect' | 'resigning' | 'resigned' | 'lost';

export interface GrantFacts {
  readonly election: string;
  readonly candidate: string;
  readonly campaignId: CampaignId;
  /** As the state machine gave it: leadership starts on nothing less (rule 14). */
  readonly token: FencingToken;
  readonly metadata: Uint8Array;
}

/**
 * One grant from its first moment to its end, which is final: a new win is a new grant with a new
 * token (C16). Every question reads the clocks.
 */
export class Grant {
  readonly facts: GrantFacts;
  readonly lease: HeldLease;
  readonly #core: ClientCore;
  readonly #onSuspect: SuspectPolicy;
  /** The last renewal attempt that was built before the grant was known. */
  readonly #knownAtAttempt: number;
  readonly #controller = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #stopPushes: () => void;
  readonly #unlisten: Cancel;
  #end: 'none' | 'resigning' | 'resigned' | 'lost' = 'none';
  #loss: LeadershipLostError | undefined;
  #resigning: Promise<void> | undefined;
  #released = false;

  constructor(
    core: ClientCore,
    facts: GrantFacts,
    lease: HeldLease,
    options: { readonly onSuspect: SuspectPolicy; readonly stopPushes: () => void },
  ) {
    this.facts = facts;
    this.lease = lease;
    this.#core = core;
    this.#onSuspect = options.onSuspect;
    this.#stopPushes = options.stopPushes;
    this.#knownAtAttempt = lease.attempt;
    this.#unlisten = lease.listen({
      onGrants: (grants, attempt) => this.#onGrants(grants, attempt),
      onChange: () => this.#onChange(),
      onLost: (reason) => this.lose(reason),
    });
  }

  get signal(): AbortSignal {
    // Whoever asks after a blocked event loop sees the loss on the very next line (K-062).
    this.#check();
    return this.#controller.signal;
  }

  get state(): LeadershipState {
    this.#check();
    if (this.#end !== 'none') return this.#end;
    return this.lease.suspect ? 'suspect' : 'leading';
  }

  /** Until work must stop, ms; 0 once it must have. */
  get remainingMs(): number {
    return this.#check() ? this.lease.remainingMs : 0;
  }

  get held(): boolean {
    return this.#check();
  }

  /** Why it ended; undefined while it is held. */
  get loss(): LeadershipLostError | undefined {
    this.#check();
    return this.#loss;
  }

  assertAlive(): void {
    if (!this.#check()) throw this.#loss ?? this.#lossError('expired');
  }

  assertHeld(minRemainingMs: number): void {
    this.assertAlive();
    const { remainingMs } = this.lease;
    const suspect = this.#onSuspect === 'pause' && this.lease.suspect;
    if (!suspect && remainingMs >= minRemainingMs) return;
    const { election, token } = this.facts;
    const message = `leadership of ${election} is in doubt: ${Math.floor(remainingMs)} ms left`;
    const details = { election, token: token.toString(), remainingMs: Math.floor(remainingMs) };
    throw new RaftdError('LEADERSHIP_SUSPECT', message, { details });
  }

  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A push about this campaign. It can only shorten what is held. */
  onPush(event: ChangeEvent): void {
    if (event.type === 'ending' && event.leader.holder === this.facts.campaignId) {
      this.lose('revoked');
    } else if (event.type === 'ended' && event.campaignId === this.facts.campaignId) {
      this.lose('revoked');
    }
  }

  /** A guarded write was refused: grants never come back, so this one is over. */
  onFenced(): void {
    this.lose('fenced');
  }

  /** Order on loss: the state, then the signal, then who listens. Never a release (rule 7). */
  lose(reason: LossReason, cause?: unknown): void {
    if (this.#end !== 'none') return;
    this.#end = 'lost';
    this.#finish(this.#lossError(reason, cause));
    this.#stopRenewing();
    this.#notify();
  }

  /**
   * The flag is down and work should settle; the grant is still ours, and renewed until it has
   * settled where `renew` says so.
   */
  stop(reason: LossReason, options: { readonly renew: boolean; readonly cause?: unknown }): void {
    if (this.#end === 'none') {
      this.#end = 'resigning';
      this.#finish(this.#lossError(reason, options.cause));
      this.#notify();
    }
    if (!options.renew) this.#stopRenewing();
  }

  /** Confirmed by the cluster when it resolves; where it fails, it can be called again (K-069). */
  async resign(): Promise<void> {
    this.#check();
    if (this.#end === 'resigned') return;
    if (this.#end === 'lost') return this.releaseInBackground();
    this.stop('resigned', { renew: false });
    this.#resigning ??= this.#confirm().finally(() => {
      this.#resigning = undefined;
    });
    await this.#resigning;
  }

  /**
   * After a loss, once work has stopped: what may still stand under this campaign goes, so that
   * the successor need not wait. Conditional on lease and campaign id: never another's.
   */
  releaseInBackground(): void {
    if (this.#released) return;
    this.#released = true;
    this.#core.background(withdrawAndRevoke(this.#core, this.#name()));
  }

  async #confirm(): Promise<void> {
    await withdraw(this.#core, this.#name());
    this.#end = 'resigned';
    this.#released = true;
    this.#notify();
    this.#core.background(revoke(this.#core, this.lease.id));
  }

  #name(): { election: string; lease: HeldLease['id']; campaignId: CampaignId } {
    const { election, campaignId } = this.facts;
    return { election, lease: this.lease.id, campaignId };
  }

  #check(): boolean {
    if (this.#end !== 'none') return false;
    if (!this.lease.check()) {
      this.lose(this.lease.lost ?? 'expired');
      return false;
    }
    if (this.#onSuspect !== 'abort' || !this.lease.suspect) return true;
    this.lose('suspect');
    return false;
  }

  #onGrants(grants: readonly LiveGrant[], attempt: number): void {
    const { campaignId, token } = this.facts;
    const mine = grants.find((live) => live.campaignId === campaignId && live.token === token);
    // An attempt built before the grant was known may have been applied before it was made: that
    // it does not name it says nothing. That it is ending is true whatever the attempt.
    const isGone = mine === undefined && attempt > this.#knownAtAttempt;
    if (isGone || mine?.ending === true) this.lose('revoked');
  }

  #onChange(): void {
    if (this.#check()) this.#notify();
  }

  #lossError(reason: LossReason, cause?: unknown): LeadershipLostError {
    return new LeadershipLostError(this.facts.election, this.facts.token, reason, cause);
  }

  #finish(loss: LeadershipLostError): void {
    this.#loss = loss;
    this.#stopPushes();
    this.#controller.abort(loss);
  }

  #stopRenewing(): void {
    this.#unlisten();
    this.lease.lose(this.#loss?.reason ?? 'resigned');
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
