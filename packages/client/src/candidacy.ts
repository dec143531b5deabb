import type {
  CampaignId,
  CampaignState,
  Changes,
  EndReason,
  FencingToken,
  LiveGrant,
  Revision,
} from '@raftd/protocol';
import { command, controlCommand, query } from './caller.js';
import type { ClientCore } from './core.js';
import { RaftdError } from './errors.js';
import { Grant, type SuspectPolicy } from './grant.js';
import type { HeldLease } from './held-lease.js';
import { WatchStream } from './watch-stream.js';

export interface CandidacyFacts {
  readonly election: string;
  readonly candidate: string;
  readonly campaignId: CampaignId;
  readonly metadata: Uint8Array;
  readonly onSuspect: SuspectPolicy;
}

/**
 * One candidacy from its command to its grant. The grant may be learnt in three ways, and whichever
 * comes first counts: the reply, a push, a renewal that names it. Never by inference (rule 14).
 */
export class Candidacy {
  readonly #core: ClientCore;
  readonly #facts: CandidacyFacts;
  readonly #lease: HeldLease;
  readonly #settle: (outcome: Grant | { readonly error: unknown }) => void;
  /** The only outcome. */
  readonly outcome: Promise<Grant>;
  #stream: WatchStream | undefined;
  #opened = 0;
  #grant: Grant | undefined;
  #over = false;
  #queued = false;

  constructor(core: ClientCore, facts: CandidacyFacts, lease: HeldLease) {
    this.#core = core;
    this.#facts = facts;
    this.#lease = lease;
    let settle: (outcome: Grant | { readonly error: unknown }) => void = () => undefined;
    this.outcome = new Promise((resolve, reject) => {
      settle = (outcome) => {
        if (outcome instanceof Grant) resolve(outcome);
        else reject(outcome.error);
      };
    });
    this.#settle = settle;
    lease.listen({
      onGrants: (grants) => this.#onGrants(grants),
      onLost: (reason) => {
        const message = `the lease of this campaign is lost: ${reason}`;
        this.fail(new RaftdError('LEASE_LOST', message, { details: { reason } }));
      },
    });
  }

  /** The cluster has said that it stands in line. */
  get queued(): boolean {
    return this.#queued;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { election, candidate, campaignId, metadata } = this.#facts;
    const lease = this.#lease.id;
    const asked = controlCommand({
      type: 'campaign',
      election,
      lease,
      candidate,
      metadata,
      campaignId,
    });
    try {
      const { revision, state } = await command(this.#core.requests, 'campaign', asked, { signal });
      this.#onState(state, revision);
    } catch (error) {
      // Applied, only the answer is gone: where it stands can still be asked.
      if (error instanceof RaftdError && error.code === 'REPLY_DROPPED') this.#ask();
      else this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#stream?.close();
    this.#settle({ error });
  }

  /** Where the candidacy stands as of `revision`; what follows is pushed. */
  #onState(state: CampaignState, revision: Revision): void {
    if (this.#over) return;
    switch (state.state) {
      case 'granted':
        return this.#win(state.leader.token, revision, state.leader.ending);
      case 'queued':
        this.#queued = true;
        return this.#follow(((revision as number) + 1) as Revision);
      case 'absent':
        // Withdrawn or without a lease: the present state does not tell. The latter is likelier.
        return this.#fallen('expired');
      default:
        return state satisfies never;
    }
  }

  /** Only what concerns this campaign is pushed: one waiter wakes, not the herd. */
  #follow(fromRevision: Revision | undefined): void {
    if (this.#stream !== undefined) return;
    const { election, campaignId } = this.#facts;
    const target = { type: 'campaign', election, campaignId } as const;
    this.#stream = new WatchStream(this.#core, target, fromRevision, {
      onChanges: (changes) => this.#onChanges(changes),
      onOpened: () => {
        this.#opened += 1;
        // After a reconnect the place in the line is asked for, not assumed (K-049).
        if (this.#opened > 1 && !this.#over) this.#ask();
      },
      onFailed: () => {
        // Too far behind to resume: the present state, then what follows.
        this.#stream = undefined;
        this.#ask();
      },
    });
  }

  #ask(): void {
    // Of a grant every renewal tells; pushes are on top of that.
    if (this.#grant?.held) return this.#follow(undefined);
    if (this.#over) return;
    const { election, campaignId } = this.#facts;
    const asked = { type: 'campaign-show', election, campaignId } as const;
    query(this.#core.requests, 'campaign-show', asked, {}).then(
      ({ state, revision }) => this.#onState(state, revision),
      // No answer is no news: renewals and pushes go on, and end it if they must.
      () => {
        if (this.#stream === undefined) this.#follow(undefined);
      },
    );
  }

  #onChanges({ revision, events }: Changes): void {
    const { campaignId } = this.#facts;
    for (const event of events) {
      if (this.#grant !== undefined) this.#grant.onPush(event);
      else if (this.#over) return;
      else if (event.type === 'granted' && event.leader.holder === campaignId) {
        this.#win(event.leader.token, revision, event.leader.ending);
      } else if (event.type === 'left' && event.campaignId === campaignId) {
        this.#onLeft(event.reason);
      }
    }
  }

  #onGrants(grants: readonly LiveGrant[]): void {
    const mine = grants.find((live) => live.campaignId === this.#facts.campaignId);
    if (mine !== undefined) this.#win(mine.token, undefined, mine.ending);
  }

  #onLeft(reason: EndReason): void {
    switch (reason) {
      case 'lease-expired':
        return this.#fallen('expired');
      case 'lease-revoked':
        return this.#fallen('revoked');
      case 'user': {
        const { campaignId } = this.#facts;
        const message = `somebody withdrew campaign ${campaignId}`;
        return this.fail(
          new RaftdError('CAMPAIGN_WITHDRAWN', message, { details: { campaignId } }),
        );
      }
      default:
        return reason satisfies never;
    }
  }

  #fallen(reason: 'expired' | 'revoked'): void {
    const { election } = this.#facts;
    const message = `this campaign no longer stands in ${election}`;
    this.fail(new RaftdError('LEASE_LOST', message, { details: { election, reason } }));
  }

  #win(token: FencingToken, revision: Revision | undefined, ending: boolean): void {
    if (this.#over) return;
    // A grant that came too late, or is already being ended, is given back (K-052, K-054).
    if (ending) return this.#fallen('revoked');
    if (!this.#lease.check()) return;
    this.#over = true;
    const { election, candidate, campaignId, metadata, onSuspect } = this.#facts;
    const facts = { election, candidate, campaignId, token, metadata };
    const stopPushes = (): void => this.#stream?.close();
    this.#grant = new Grant(this.#core, facts, this.#lease, { onSuspect, stopPushes });
    // From the grant's revision, `+ 1` included: its end cannot slip by.
    this.#follow(revision === undefined ? undefined : (((revision as number) + 1) as Revision));
    this.#settle(this.#grant);
  }
}
