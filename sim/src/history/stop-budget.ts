import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';
import type { LeadershipEnded, LeadershipWon, StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { ClientLives } from './client-lives.js';
import { at } from './sentence.js';

/** As the client documents it: how long after the signal the lease may pass on, ms. */
function stopBudgetMs(ttlMs: number): number {
  return Math.max(20, 0.1 * ttlMs);
}

/** A timer may fire a little late, and the clocks of the world are floating point. */
const GRAIN_MS = 1;

interface Expired {
  readonly won: LeadershipWon;
  readonly endedAtMs: number;
}

/**
 * L4, second half: the signal of a handle that runs out aborts a whole stop budget before the
 * cluster gives the grant to another, so that work can stop in time. Clients that were frozen while
 * they led are left out: they hear of it late.
 */
export class StopBudget implements StormChecker, EntryReader {
  readonly ids = ['L4'] as const;
  readonly wants = [
    'client-started',
    'client-killed',
    'client-frozen',
    'client-thawed',
    'leadership-won',
    'leadership-ended',
  ] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #lives = new ClientLives();
  readonly #leading = new Map<bigint, { readonly won: LeadershipWon; readonly freezes: number }>();
  /** Of each election, the handle that ran out last. */
  readonly #expired = new Map<string, Expired>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    this.#lives.follow(event);
    if (event.type === 'leadership-won') {
      const freezes = this.#lives.freezes(event.client);
      this.#leading.set(event.token, { won: event, freezes });
    } else if (event.type === 'leadership-ended') this.#onEnded(event);
  }

  onSettled(entry: CanonicalEntry): void {
    for (const event of entry.changes?.events ?? NO_EVENTS) {
      if (event.type === 'granted') this.#onGranted(entry, event.leader);
    }
  }

  #onEnded({ client, token, reason }: LeadershipEnded): void {
    const leading = this.#leading.get(token);
    this.#leading.delete(token);
    if (leading === undefined || reason !== 'expired' || !this.#lives.canAct(client)) return;
    if (leading.freezes !== this.#lives.freezes(client)) return;
    const endedAtMs = this.#context.probe.trueMs;
    this.#expired.set(leading.won.election, { won: leading.won, endedAtMs });
  }

  #onGranted(
    { appliedAtMs }: CanonicalEntry,
    { election, token }: { readonly election: string; readonly token: bigint },
  ): void {
    const expired = this.#expired.get(election);
    if (expired === undefined) return;
    this.#expired.delete(election);
    const { won, endedAtMs } = expired;
    // What the holder itself gave back may pass on at once.
    if (this.#context.log.elections.grantOf(won.token)?.ended?.reason !== 'lease-expired') return;
    const neededMs = stopBudgetMs(won.ttlMs) / FASTEST_CLOCK - GRAIN_MS;
    const hadMs = appliedAtMs - endedAtMs;
    if (hadMs >= neededMs) return;
    const passed = `${election} passed from token ${won.token} to ${token} at ${at(appliedAtMs)}`;
    const late = `${won.client} was told to stop only ${hadMs.toFixed(1)} ms before`;
    this.#context.broken('L4', `${passed}; ${late}, it needs ${neededMs.toFixed(1)} ms`);
  }
}

/** The holder's own clock may run this much too fast, and its budget be that much shorter. */
const FASTEST_CLOCK = 1 + CLOCK_RATE_BOUND;

const NO_EVENTS = [] as const;
