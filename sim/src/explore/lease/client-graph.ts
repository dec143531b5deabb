import { HeldLease, holdMs, type Instant, stopBudgetMs } from '@raftd/client';
import type { LiveGrant, RenewalResult } from '@raftd/coordinator';
import { ClientClock, type Moment } from './client-clock.js';
import {
  type ClientFacts,
  type ClientNode,
  DONE,
  type Held,
  lost,
  NEW_CLIENT,
  type Sent,
  sentOf,
  textOf,
  UNHEEDED,
  withSent,
  won,
} from './client-node.js';
import { campaignOf, leaseOf, type Request } from './lease-commands.js';
import { type LeaseConfig, STEP_MS } from './lease-config.js';
import type { Reply } from './machine-node.js';

/** Two readings of one clock, computed by two ways. */
const SAME_MS = 1e-6;

/**
 * What one client does: when it does it is the search's choice, what it believes is decided by the
 * real `HeldLease` on the real reading of both clocks. Its states are interned, and each thing is
 * done once in each.
 */
export class ClientGraph {
  readonly #client: number;
  readonly #ttlMs: number;
  readonly #clock: ClientClock;
  readonly #countsFromReceipt: boolean;
  readonly #nodes = new Map<string, ClientNode>();
  readonly #moves = new Map<number, Map<number, ClientNode>>();

  constructor(config: LeaseConfig, client: number) {
    this.#client = client;
    this.#ttlMs = config.ttlSteps * STEP_MS;
    this.#clock = new ClientClock(config);
    this.#countsFromReceipt = config.mistake === 'deadline-from-receipt';
  }

  get size(): number {
    return this.#nodes.size;
  }

  first(): ClientNode {
    return this.#intern(NEW_CLIENT);
  }

  /** One step of time: whoever is awake sees what it has lost. */
  timePassed(client: ClientNode, step: number): ClientNode {
    if (client.asleep) return this.#intern({ ...client, slept: client.slept + 1 });
    return this.#move(client, 0, step, () => this.#looked(client, { step, slept: client.slept }));
  }

  fallAsleep(client: ClientNode): ClientNode {
    return this.#intern({ ...client, asleep: true });
  }

  wake(client: ClientNode, step: number): ClientNode {
    const now = { step, slept: client.slept };
    return this.#intern({ ...this.#looked(client, now), asleep: false });
  }

  askForLease(client: ClientNode, step: number): ClientNode {
    const grant = sent(momentOf(client, step));
    return this.#intern({ ...client, grant, standing: { type: 'waiting' } });
  }

  renew(client: ClientNode, step: number): ClientNode {
    return this.#move(client, 1, step, () => {
      const now = momentOf(client, step);
      const lease = this.#lease(client, now);
      lease.nextAttempt();
      const renewals = [...client.renewals, sent(now)];
      return this.#after(client, lease, now, { renewals });
    });
  }

  /** Checked now; when and where it arrives is not known. */
  write(client: ClientNode): ClientNode {
    if (client.standing.type !== 'granted') return client;
    return this.#intern({ ...client, write: { type: 'under-way', token: client.standing.token } });
  }

  writeArrived(client: ClientNode): ClientNode {
    return this.#intern({ ...client, write: { type: 'arrived' } });
  }

  /** First it stops to believe, then it tells the cluster. */
  resign(client: ClientNode): ClientNode {
    return this.#intern({ ...lost(client), withdrawal: UNHEEDED });
  }

  /** A push under way to one that waits for it. */
  grantPushed(client: ClientNode, token: number): ClientNode {
    const waits = client.standing.type === 'waiting' && client.campaign !== undefined;
    return waits ? this.#intern({ ...client, pushed: token }) : client;
  }

  pushReceived(client: ClientNode, step: number): ClientNode {
    return this.#move(client, 2, step, () => {
      const now = momentOf(client, step);
      const lease = this.#lease(client, now);
      const facts = { ...client, pushed: 0 };
      return lease.check() ? won(facts, client.pushed, lease.attempt) : lost(facts);
    });
  }

  /** The request has reached the log; its answer is under way if somebody waits for it. */
  applied(client: ClientNode, request: Request, reply: Reply): ClientNode {
    const before = sentOf(client, request);
    const now: Sent =
      before?.type === 'under-way' ? { type: 'answered', sentAt: before.sentAt, reply } : DONE;
    return this.#intern(withSent(client, request, now));
  }

  answerReceived(client: ClientNode, request: Request, step: number): ClientNode {
    const kind = request.type === 'renew' ? 4 + request.attempt : 3;
    return this.#move(client, kind, step, () => {
      const answer = sentOf(client, request);
      if (answer?.type !== 'answered') return client;
      const facts = withSent(client, request, DONE);
      return this.#received(facts, answer, momentOf(client, step));
    });
  }

  #received(
    facts: ClientFacts,
    { reply: { result }, sentAt }: Sent & { readonly type: 'answered' },
    now: Moment,
  ): ClientFacts {
    const counted = this.#clock.at(this.#countsFromReceipt ? now : sentAt);
    switch (result.type) {
      case 'lease-grant': {
        const lease = this.#held(now, result.ttlMs, counted);
        if (!lease.check()) return lost(facts);
        const held = { acknowledgedAt: counted, attempt: 0 };
        return { ...facts, held, campaign: sent(now) };
      }
      case 'campaign': {
        const { state } = result;
        if (state.state === 'queued') return facts;
        const lease = this.#lease(facts, now);
        if (state.state === 'absent' || state.leader.ending || !lease.check()) return lost(facts);
        return won(facts, Number(state.leader.token), lease.attempt);
      }
      case 'lease-renew': {
        const renewal = result.renewals[0];
        return renewal === undefined ? facts : this.#renewed(facts, renewal, counted, now);
      }
      default:
        return lost(facts);
    }
  }

  /** As the client's candidacy and grant listen to their lease. */
  #renewed(facts: ClientFacts, renewal: RenewalResult, sentAt: Instant, now: Moment): ClientFacts {
    const lease = this.#lease(facts, now);
    let heard: { readonly grants: readonly LiveGrant[]; readonly attempt: number } | undefined;
    lease.listen({
      onGrants: (grants, attempt) => {
        heard = { grants, attempt };
      },
    });
    lease.renewed(renewal, sentAt);
    const after = this.#after(facts, lease, now, {}, sentAt);
    if (heard === undefined || after.standing.type === 'lost') return after;
    const { grants, attempt } = heard;
    const mine = grants.find(({ campaignId }) => campaignId === campaignOf(this.#client));
    if (after.standing.type === 'granted') {
      const isGone = mine === undefined && attempt > after.standing.knownAtAttempt;
      return isGone || mine?.ending === true ? lost(after) : after;
    }
    if (mine === undefined) return after;
    return mine.ending ? lost(after) : won(after, Number(mine.token), lease.attempt);
  }

  #looked(client: ClientFacts, now: Moment): ClientFacts {
    if (client.held === undefined) return client;
    return this.#lease(client, now).check() ? client : lost(client);
  }

  /** The real lease, brought to where this client's stands. */
  #lease({ held }: ClientFacts, now: Moment): HeldLease {
    if (held === undefined) throw new Error('only who holds a lease is asked');
    const lease = this.#held(now, this.#ttlMs, held.acknowledgedAt);
    while (lease.attempt < held.attempt) lease.nextAttempt();
    return lease;
  }

  #held(now: Moment, ttlMs: number, sentAt: Instant): HeldLease {
    return new HeldLease(this.#clock.portsAt(now), leaseOf(this.#client), ttlMs, sentAt);
  }

  /** The client as its real lease stands after something was done to it. */
  #after(
    client: ClientFacts,
    lease: HeldLease,
    now: Moment,
    changed: Partial<ClientFacts>,
    offered?: Instant,
  ): ClientFacts {
    const facts = { ...client, ...changed };
    if (!lease.check() || client.held === undefined) return lost(facts);
    const acknowledgedAt = this.#acknowledgedAt(client.held, lease, now, offered);
    return { ...facts, held: { acknowledgedAt, attempt: lease.attempt } };
  }

  /** Read back from the time that is left: the lease itself does not show it. */
  #acknowledgedAt(
    before: Held,
    lease: HeldLease,
    nowMoment: Moment,
    offered: Instant | undefined,
  ): Instant {
    const now = this.#clock.at(nowMoment);
    const sinceMs = holdMs(this.#ttlMs) - stopBudgetMs(this.#ttlMs) - lease.remainingMs;
    const candidates = [before.acknowledgedAt, ...(offered === undefined ? [] : [offered])];
    const found = candidates.find((sentAt) => Math.abs(since(sentAt, now) - sinceMs) < SAME_MS);
    return found ?? { ...now, monotonicMs: now.monotonicMs - sinceMs };
  }

  #move(client: ClientNode, kind: number, step: number, make: () => ClientFacts): ClientNode {
    let moves = this.#moves.get(client.id);
    if (moves === undefined) {
      moves = new Map();
      this.#moves.set(client.id, moves);
    }
    const key = kind * 64 + step;
    let next = moves.get(key);
    if (next === undefined) {
      next = this.#intern(make());
      moves.set(key, next);
    }
    return next;
  }

  #intern(facts: ClientFacts): ClientNode {
    const text = textOf(facts);
    let node = this.#nodes.get(text);
    if (node === undefined) {
      node = { ...facts, id: this.#nodes.size };
      this.#nodes.set(text, node);
    }
    return node;
  }
}

function momentOf({ slept }: ClientFacts, step: number): Moment {
  return { step, slept };
}

function sent(sentAt: Moment): Sent {
  return { type: 'under-way', sentAt };
}

function since(sentAt: Instant, now: Instant): number {
  const { monotonicMs, asleepMs } = sentAt;
  return now.monotonicMs - monotonicMs + now.asleepMs - asleepMs + now.aheadMs;
}
