import type { SessionId, Stamp } from '@raftd/protocol';
import { elapsedMs, type Instant } from './timekeeper.js';

/** The state machine keeps this many outcomes above the lowest unanswered sequence. */
export const SESSION_WINDOW: number = 1_024;

/** Idle sessions are touched this often; the cluster forgets one after 10 minutes (DESIGN §6). */
export const SESSION_TOUCH_MS: number = 3 * 60_000;

/** Not acknowledged for this long, a session is not trusted to live: the next call opens anew. */
const SESSION_DOUBT_MS = 9 * 60_000;

/**
 * The exactly-once identity of this client's commands (dissertation §6.3). Every command has a
 * sequence of its own; a retry has the very same bytes, so that it gets the first answer (K-027).
 */
export class Session {
  readonly id: SessionId;
  /** Cluster time of the Welcome that it was opened with. */
  readonly openedAtMs: number;
  #next = 1;
  /** Lowest sequence still waited for; those answered above it. */
  #mark = 1;
  readonly #answered = new Set<number>();
  #livedAt: Instant;
  #opened = false;

  /** `now`: when the Welcome came. */
  constructor(id: SessionId, openedAtMs: number, now: Instant) {
    this.id = id;
    this.openedAtMs = openedAtMs;
    this.#livedAt = now;
  }

  /** Some command of it was answered: the state machine knows it. */
  get opened(): boolean {
    return this.#opened;
  }

  get full(): boolean {
    return this.#next - this.#mark >= SESSION_WINDOW;
  }

  doubtful(now: Instant): boolean {
    return elapsedMs(this.#livedAt, now) >= SESSION_DOUBT_MS;
  }

  idle(now: Instant): boolean {
    return elapsedMs(this.#livedAt, now) >= SESSION_TOUCH_MS / 2;
  }

  stamp(): Stamp {
    const sequence = this.#next;
    this.#next += 1;
    return { session: this.id, openedAtMs: this.openedAtMs, sequence, mark: this.#mark };
  }

  /** Answered, or given up, which counts the same: no retry of it can be applied any more. */
  settled(sequence: number): void {
    if (sequence !== this.#mark) {
      this.#answered.add(sequence);
      return;
    }
    this.#mark += 1;
    while (this.#answered.delete(this.#mark)) this.#mark += 1;
  }

  /** The state machine applied a command that was first sent at `sentAt`. */
  applied(sentAt: Instant): void {
    this.#opened = true;
    if (sentAt.monotonicMs > this.#livedAt.monotonicMs) this.#livedAt = sentAt;
  }
}
