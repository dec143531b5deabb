import type { LeadershipEnded, LeadershipWon, StormEvent } from '../storm/events.js';
import type { EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { ClientLives } from './client-lives.js';
import type { GrantState } from './election-table.js';
import { at } from './sentence.js';

interface Handle {
  readonly won: LeadershipWon;
  readonly wonAtMs: number;
  /** Its client knows that it is over. */
  end: { readonly reason: string; readonly atMs: number } | undefined;
}

/**
 * L4: no client holds what the cluster has given to another. From the true time at which the first
 * node applies a newer grant of an election, no handle with an older token passes `assertHeld()`;
 * and one that was lost once never passes again. Only frozen clients are not asked, until they
 * thaw; and handles are asked only when they must be over, as asking moves them. (A write to the
 * resource says nothing here: it arrives later than its worker asked.)
 */
export class HeldInTrueTime implements StormChecker, EntryReader {
  readonly ids = ['L4'] as const;
  readonly wants = [
    'client-started',
    'client-killed',
    'client-frozen',
    'client-thawed',
    'leadership-won',
    'leadership-ended',
  ] as const;
  readonly #context: HistoryContext;
  readonly #lives = new ClientLives();
  /** Of live processes, by token. */
  readonly #handles = new Map<bigint, Handle>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'client-started':
      case 'client-killed':
        this.#lives.follow(event);
        return this.#forget(event.client);
      case 'client-frozen':
        return this.#lives.follow(event);
      case 'client-thawed':
        this.#lives.follow(event);
        return this.#askAll(({ won }) => won.client === event.client);
      case 'leadership-won':
        return this.#onWon(event);
      case 'leadership-ended':
        return this.#onEnded(event);
      default:
    }
  }

  /** After the entry that granted: the first moment at which another may act. */
  onSettled(entry: Parameters<NonNullable<EntryReader['onSettled']>>[0]): void {
    for (const event of entry.changes?.events ?? NO_EVENTS) {
      if (event.type !== 'granted') continue;
      const { election } = event.leader;
      this.#askAll(({ won }) => won.election === election);
    }
  }

  finish(): void {
    this.#askAll(() => true);
  }

  #onWon(won: LeadershipWon): void {
    const handle: Handle = { won, wonAtMs: this.#nowMs, end: undefined };
    this.#handles.set(won.token, handle);
    this.#ask(handle);
  }

  #onEnded({ token, reason }: LeadershipEnded): void {
    const handle = this.#handles.get(token);
    if (handle === undefined || handle.end !== undefined) return;
    handle.end = { reason, atMs: this.#nowMs };
    this.#ask(handle);
  }

  #askAll(concerns: (handle: Handle) => boolean): void {
    for (const handle of this.#handles.values()) if (concerns(handle)) this.#ask(handle);
  }

  #ask(handle: Handle): void {
    const { won, end } = handle;
    const { client, election, token } = won;
    const newer = this.#newerThan(election, token);
    if ((newer === undefined && end === undefined) || !this.#lives.canAct(client)) return;
    if (won.isHeld()) {
      if (end !== undefined) this.#revived(client, election, token, end);
      else if (newer !== undefined) this.#broken(client, election, token, newer);
    } else if (newer !== undefined && end !== undefined) {
      // It has said so itself, and was asked after the newer grant: nothing more to learn.
      this.#handles.delete(token);
    }
  }

  #newerThan(election: string, token: bigint): GrantState | undefined {
    const newest = this.#context.log.elections.get(election)?.newest;
    return newest !== undefined && newest.token > token ? newest : undefined;
  }

  #broken(client: string, election: string, token: bigint, newer: GrantState): void {
    const still = `${client} still holds ${election} with token ${token} at ${at(this.#nowMs)}`;
    const given = `the cluster has given it to ${newer.campaignId} with token ${newer.token}`;
    this.#context.broken('L4', `${still}; ${given} at ${at(newer.grantedAtMs)}`);
  }

  #revived(
    client: string,
    election: string,
    token: bigint,
    end: { readonly reason: string; readonly atMs: number },
  ): void {
    const again = `${client} holds ${election} with token ${token} again at ${at(this.#nowMs)}`;
    const over = `it was over (${end.reason}) at ${at(end.atMs)}, and that is for ever`;
    this.#context.broken('L4', `${again}; ${over}`);
  }

  #forget(client: string): void {
    for (const [token, { won }] of this.#handles) {
      if (won.client === client) this.#handles.delete(token);
    }
  }

  get #nowMs(): number {
    return this.#context.probe.trueMs;
  }
}

const NO_EVENTS = [] as const;
