import { type ErrorBody, errorBody, type Query, type ReplyBody } from '@raftd/protocol';
import type { LogIndex } from '@raftd/raft';
import type { Connection } from './connections.js';
import type { StateMachine } from './ports.js';

interface Read {
  readonly connection: Connection;
  readonly requestId: number;
  readonly query: Query;
  readonly deadlineMs: number;
}

/** Reads that one quorum round confirms together. */
interface Round {
  readonly reads: readonly Read[];
}

/** What reads need of the replica. */
export interface ReadSource {
  readonly appliedIndex: LogIndex;
  readIndex(): number | 'NOT_LEADER' | 'NOT_READY' | 'OVERLOADED';
  /** Undefined: no lease holds right now. */
  leaseReadIndex(): LogIndex | undefined;
}

const NOT_CONFIRMED: ErrorBody = errorBody(
  'UNAVAILABLE',
  'no quorum confirmed that this node still leads',
);

/**
 * Linearizable reads (§6.4). What arrived in one turn shares one confirmation; a read is
 * answered only after a round that began once it was here, and once the state has reached the
 * round's index. With `lease`, the turn's reads are answered at once while the
 * leader lease holds, and only if it still holds after the answers are built.
 */
export class Reads {
  readonly #machine: StateMachine;
  readonly #lease: boolean;
  readonly #timeoutMs: number;
  #waiting: Read[] = [];
  readonly #rounds = new Map<number, Round>();

  constructor(machine: StateMachine, reads: 'quorum' | 'lease', timeoutMs: number) {
    this.#machine = machine;
    this.#lease = reads === 'lease';
    this.#timeoutMs = timeoutMs;
  }

  get count(): number {
    let count = this.#waiting.length;
    for (const round of this.#rounds.values()) count += round.reads.length;
    return count;
  }

  add(connection: Connection, requestId: number, query: Query, nowMs: number): void {
    this.#waiting.push({ connection, requestId, query, deadlineMs: nowMs + this.#timeoutMs });
  }

  /** Asks for one round for all that wait; called once a turn, by a node that serves. */
  register(source: ReadSource): void {
    if (this.#waiting.length === 0) return;
    if (this.#lease && this.#serveByLease(source)) return;
    const readId = source.readIndex();
    // Refused, they wait on: the turn's role check rejects them, or a later turn asks again.
    if (typeof readId === 'string') return;
    this.#rounds.set(readId, { reads: this.#waiting });
    this.#waiting = [];
  }

  /** The round is confirmed and its index applied. */
  confirmed(readId: number): void {
    const round = this.#rounds.get(readId);
    if (round === undefined) return;
    this.#rounds.delete(readId);
    for (const read of round.reads) {
      read.connection.reply(read.requestId, this.#answer(read));
    }
  }

  /** The leader stepped down before the round was confirmed. */
  aborted(readId: number, error: ErrorBody): void {
    const round = this.#rounds.get(readId);
    if (round === undefined) return;
    this.#rounds.delete(readId);
    reject(round.reads, error);
  }

  rejectAll(error: ErrorBody): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    reject(waiting, error);
    for (const readId of [...this.#rounds.keys()]) this.aborted(readId, error);
  }

  sweep(nowMs: number): void {
    for (const [readId, round] of this.#rounds) {
      const first = round.reads[0];
      // Rounds are in order of time: the first that is in time ends the search.
      if (first !== undefined && first.deadlineMs > nowMs) break;
      this.aborted(readId, NOT_CONFIRMED);
    }
    const first = this.#waiting[0];
    if (first === undefined || first.deadlineMs > nowMs) return;
    const late = this.#waiting.filter((read) => read.deadlineMs <= nowMs);
    this.#waiting = this.#waiting.filter((read) => read.deadlineMs > nowMs);
    reject(late, NOT_CONFIRMED);
  }

  #serveByLease(source: ReadSource): boolean {
    const index = source.leaseReadIndex();
    if (index === undefined || source.appliedIndex < index) return false;
    const reads = this.#waiting;
    const answers = reads.map((read) => this.#answer(read));
    // The loop may have stood still while the answers were built: only a lease that holds now
    // proves that nobody else could have written before they were read.
    if (source.leaseReadIndex() === undefined) return false;
    this.#waiting = [];
    for (const [at, read] of reads.entries()) {
      const answer = answers[at];
      if (answer !== undefined) read.connection.reply(read.requestId, answer);
    }
    return true;
  }

  #answer(read: Read): ReplyBody {
    return answer(this.#machine, read.query);
  }
}

/** Answers from this node's state as it stands. */
export function answer(machine: StateMachine, query: Query): ReplyBody {
  const result = machine.query(query);
  if (result.type === 'cursor-expired') {
    const error = errorBody('CURSOR_EXPIRED', 'the pages of this cursor are gone; start again');
    return { type: 'error', error };
  }
  return { type: 'query', result };
}

function reject(reads: readonly Read[], error: ErrorBody): void {
  for (const read of reads) read.connection.replyError(read.requestId, error);
}
