import type { Stamp } from '../../src/index.js';

interface NaiveSession {
  readonly id: string;
  readonly openedAtMs: number;
  touchedAtMs: number;
  mark: number;
  closed: boolean;
  /** The first reply to every sequence ever run: what counts as "once". */
  readonly replies: Map<number, string>;
}

/** Sessions as a list; nothing is pruned but by expiry. */
export class NaiveSessions {
  list: NaiveSession[] = [];
  readonly #ttlMs: number;
  readonly #window: number;

  constructor(ttlMs: number, window: number) {
    this.#ttlMs = ttlMs;
    this.#window = window;
  }

  /** Undefined: run it. */
  admit(stamp: Stamp, nowMs: number): { reply: string; why: string } | undefined {
    const session = this.#findOrOpen(stamp, nowMs);
    if (session === undefined || session.closed) {
      return { reply: 'SESSION_EXPIRED', why: 'session expired' };
    }
    session.touchedAtMs = nowMs;
    session.mark = Math.max(session.mark, stamp.mark);
    if (stamp.sequence < session.mark) return { reply: 'STALE_REQUEST', why: 'stale request' };
    if (stamp.sequence >= session.mark + this.#window) {
      return { reply: 'SESSION_WINDOW_FULL', why: 'window full' };
    }
    const reply = session.replies.get(stamp.sequence);
    return reply === undefined ? undefined : { reply, why: 'duplicate answered' };
  }

  keep(stamp: Stamp, reply: string): void {
    this.#find(stamp.session)?.replies.set(stamp.sequence, reply);
  }

  touch(id: string, nowMs: number): void {
    const session = this.#find(id);
    if (session !== undefined && !session.closed) session.touchedAtMs = nowMs;
  }

  close(stamp: Stamp, nowMs: number): string {
    const session = this.#findOrOpen(stamp, nowMs);
    if (session !== undefined) session.closed = true;
    return 'done';
  }

  expire(id: string, touchedAtMs: number, nowMs: number): string {
    const session = this.#find(id);
    if (session === undefined || session.touchedAtMs !== touchedAtMs) {
      return 'session expiry refused';
    }
    const from = session.closed ? session.openedAtMs : session.touchedAtMs;
    if (nowMs - from < this.#ttlMs) return 'session expiry refused';
    this.list = this.list.filter((other) => other !== session);
    return 'session forgotten';
  }

  #find(id: string): NaiveSession | undefined {
    return this.list.find((session) => session.id === id);
  }

  #findOrOpen(stamp: Stamp, nowMs: number): NaiveSession | undefined {
    const known = this.#find(stamp.session);
    const isYoung = stamp.openedAtMs <= nowMs && nowMs - stamp.openedAtMs < this.#ttlMs;
    if (known !== undefined || !isYoung) return known;
    const opened = {
      id: stamp.session,
      openedAtMs: stamp.openedAtMs,
      touchedAtMs: nowMs,
      mark: 1,
      closed: false,
      replies: new Map<number, string>(),
    };
    this.list.push(opened);
    return opened;
  }
}
