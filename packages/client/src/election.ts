import type { CampaignId, ElectionRecord, LeaseId } from '@raftd/protocol';
import type { CallOptions } from './call.js';
import { type CampaignOptions, campaign } from './campaign.js';
import { query } from './caller.js';
import type { ClientCore } from './core.js';
import type { Grant } from './grant.js';
import { checkName } from './keys.js';
import type { ReadOptions } from './kv.js';
import { Leadership } from './leadership.js';
import { type ElectionView, type ObserveOptions, observe } from './observe.js';
import { type WithdrawResult, withdraw } from './release.js';
import { type RunBody, type RunOptions, run } from './run.js';
import type { Subscription } from './subscription.js';

/** One named election. The handle holds nothing: every campaign is its own. */
export class Election {
  readonly name: string;
  readonly #core: ClientCore;

  constructor(core: ClientCore, name: string) {
    this.#core = core;
    this.name = name;
  }

  /**
   * Waits in line until leadership is granted. An abort of the signal, an error and the client's
   * end withdraw the candidacy. Whoever wins resigns in the end, or lets `await using` do it.
   */
  async campaign(options: CampaignOptions): Promise<Leadership> {
    const grant = await campaign(this.#core, this.name, options);
    if (options.signal?.aborted) {
      grant.stop('aborted', { renew: false, cause: options.signal.reason });
      this.#core.background(grant.resign());
      throw options.signal.reason;
    }
    this.#bind(grant, options.signal);
    return new Leadership(this.#core, grant);
  }

  /** Leads whenever it can, until the signal aborts. See `RunOptions` and the README. */
  run(options: RunOptions, body: RunBody): Promise<void> {
    return run(this.#core, this.name, options, body);
  }

  /** Who leads: now, and at every change. */
  observe(options: ObserveOptions = {}): Subscription<ElectionView> {
    return observe(this.#core, this.name, options);
  }

  /** Leader and queue; undefined: nobody ever campaigned here, or long ago. */
  async show(options: ReadOptions = {}): Promise<ElectionRecord | undefined> {
    const asked = { type: 'election-show', election: checkName('election', this.name) } as const;
    return (await query(this.#core.requests, 'election-show', asked, options)).election;
  }

  /** Ends one candidacy or grant by its full name; for tools that hold no handle. */
  async withdraw(
    lease: string,
    holder: string,
    options: CallOptions = {},
  ): Promise<WithdrawResult> {
    const election = checkName('election', this.name);
    const name = { lease: lease as LeaseId, campaignId: holder as CampaignId };
    this.#core.keepAlive.loseBefore(name.lease);
    return withdraw(this.#core, { election, ...name }, options);
  }

  /** The caller's signal stops the work; the release stays the caller's (rule 7). */
  #bind(grant: Grant, signal: AbortSignal | undefined): void {
    const onAbort = (): void => grant.stop('aborted', { renew: false, cause: signal?.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    const untrack = this.#core.track({ close: () => grant.lose('closed') });
    const unbind = (): void => {
      signal?.removeEventListener('abort', onAbort);
      untrack();
    };
    grant.signal.addEventListener('abort', unbind, { once: true });
  }
}
