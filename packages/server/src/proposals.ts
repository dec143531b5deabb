import {
  type CommandResult,
  type ErrorBody,
  errorBody,
  type ReplyBody,
  type Stamp,
} from '@raftd/protocol';
import type { LogIndex, Term } from '@raftd/raft';
import type { Connection } from './connections.js';
import { OUTCOME_UNKNOWN } from './error-bodies.js';

/** Somebody who waits for an entry; a retry adds another to the same entry. */
interface Waiter {
  readonly connection: Connection;
  readonly requestId: number;
  readonly next: Waiter | undefined;
}

interface Pending {
  readonly index: LogIndex;
  readonly term: Term;
  readonly stamp: Stamp;
  readonly deadlineMs: number;
  waiters: Waiter | undefined;
}

const OVERWRITTEN: ErrorBody = errorBody(
  'NOT_LEADER',
  'another leader took the place of this entry: it did not happen',
);

const TIMED_OUT: ErrorBody = errorBody(
  'OUTCOME_UNKNOWN',
  'no quorum decided in time; repeat with the same request id',
);

/**
 * What this node proposed and has not answered yet, by log index. Each entry settles exactly
 * once: its own (index, term) applied → its result; another term applied at its index →
 * it did not happen; leadership lost or time out while undecided → unknown, at once, so that the
 * client asks the next leader with the same request id rather than wait here.
 */
export class Proposals {
  /** In order of index, hence of deadline: sweeping looks at the front only. */
  readonly #byIndex = new Map<LogIndex, Pending>();
  readonly #bySession = new Map<string, Map<number, Pending>>();
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get count(): number {
    return this.#byIndex.size;
  }

  /** A retry of a request that is still pending here waits for that one: never logged twice. */
  join(stamp: Stamp, connection: Connection, requestId: number): boolean {
    const pending = this.#bySession.get(stamp.session)?.get(stamp.sequence);
    if (pending === undefined) return false;
    pending.waiters = { connection, requestId, next: pending.waiters };
    return true;
  }

  add(
    index: LogIndex,
    term: Term,
    stamp: Stamp,
    connection: Connection,
    requestId: number,
    nowMs: number,
  ): void {
    if (this.#byIndex.has(index)) throw new Error(`proposals: index ${index} is taken`);
    const pending: Pending = {
      index,
      term,
      stamp,
      deadlineMs: nowMs + this.#timeoutMs,
      waiters: { connection, requestId, next: undefined },
    };
    this.#byIndex.set(index, pending);
    const session = this.#bySession.get(stamp.session);
    if (session === undefined) {
      this.#bySession.set(stamp.session, new Map([[stamp.sequence, pending]]));
    } else session.set(stamp.sequence, pending);
  }

  /** Called by apply for every entry, whoever proposed it. */
  applied(index: LogIndex, term: Term, result: CommandResult): void {
    const pending = this.#byIndex.get(index);
    if (pending === undefined) return;
    const body: ReplyBody =
      pending.term === term ? { type: 'command', result } : { type: 'error', error: OVERWRITTEN };
    this.#settle(pending, body);
  }

  /** Leadership is gone, or the node stops: whatever is undecided is unknown from here on. */
  abandonAll(error: ErrorBody = OUTCOME_UNKNOWN): void {
    const body: ReplyBody = { type: 'error', error };
    for (const pending of this.#byIndex.values()) this.#settle(pending, body);
  }

  sweep(nowMs: number): void {
    for (const pending of this.#byIndex.values()) {
      if (pending.deadlineMs > nowMs) return;
      this.#settle(pending, { type: 'error', error: TIMED_OUT });
    }
  }

  #settle(pending: Pending, body: ReplyBody): void {
    this.#byIndex.delete(pending.index);
    this.#forget(pending);
    for (let waiter = pending.waiters; waiter !== undefined; waiter = waiter.next) {
      waiter.connection.reply(waiter.requestId, body);
    }
    pending.waiters = undefined;
  }

  #forget(pending: Pending): void {
    const { stamp } = pending;
    const session = this.#bySession.get(stamp.session);
    if (session?.get(stamp.sequence) !== pending) return;
    session.delete(stamp.sequence);
    // An idle session costs nothing; a busy one keeps its map.
    if (session.size === 0) this.#bySession.delete(stamp.session);
  }
}
