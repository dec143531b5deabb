import type { CommandResult, LeaseId } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import type { Answer, Call, CallBody } from './call.js';
import type { Connection } from './connection.js';
import { RaftdError } from './errors.js';
import type { HeldLease } from './held-lease.js';
import { type Cancel, type ClientPorts, timerDelayMs } from './ports.js';
import type { StartOptions } from './requests.js';

/** What renewals need of the client. */
export interface RenewalPath {
  start(body: CallBody, options: StartOptions): Call;
  /** Nothing heard for that long: look for another node. */
  suspect(silenceMs: number): void;
}

/** One attempt: all leases in one command. */
interface Round {
  call: Call | undefined;
  settled: boolean;
}

const JITTER = 0.1;

/**
 * A slow disk is no reason to leave a leader: looking around would cost a lease of a short TTL
 * more than waiting. Its next attempts go over the same connection meanwhile.
 */
const SILENCE_MIN_MS = 300;

/**
 * One loop renews all leases of the client: every quarter of the shortest TTL ± 10 %, each attempt
 * with its own number and send time. An attempt without an answer for a sixth of the TTL is
 * followed by another, by another way if the connection is silent; until the deadline (rule 11).
 */
export class KeepAlive {
  readonly #ports: ClientPorts;
  readonly #path: RenewalPath;
  readonly #leases = new Map<LeaseId, HeldLease>();
  #latest: Round | undefined;
  #failures = 0;
  #carrier: Connection | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #cancelTimer: Cancel | undefined;

  constructor(ports: ClientPorts, path: RenewalPath) {
    this.#ports = ports;
    this.#path = path;
  }

  /** Renewed from now on, until it is lost or removed. `granted` is the call that granted it. */
  add(lease: HeldLease, granted: Call): void {
    this.#leases.set(lease.id, lease);
    lease.listen({ onLost: () => this.remove(lease) });
    this.#carrier ??= granted.answeredBy;
    const sentAtMs = granted.firstSentAt?.monotonicMs ?? this.#nowMs();
    this.#scheduleAt(Math.min(this.#dueAtMs, sentAtMs + this.#jittered(lease.ttlMs / 4)));
  }

  remove(lease: HeldLease): void {
    if (this.#leases.get(lease.id) !== lease) return;
    this.#leases.delete(lease.id);
    if (this.#leases.size === 0) this.#rest();
  }

  /** A connection is gone or silent; if it carried the leases they are in doubt: ask at once. */
  trouble(connection: Connection): void {
    if (connection !== this.#carrier) return;
    this.#carrier = undefined;
    for (const lease of [...this.#leases.values()]) lease.shake();
    if (this.#leases.size === 0) return;
    const latest = this.#latest;
    // A renewal that waits, or is under way elsewhere, is as good as a new one.
    const underWay = latest !== undefined && !latest.settled && latest.call?.at !== connection;
    if (!underWay) this.#startRound();
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dueAtMs = Number.POSITIVE_INFINITY;
    this.#latest = undefined;
    this.#failures = 0;
    this.#carrier = undefined;
  }

  #startRound(): void {
    const leases = [...this.#leases.values()].filter((lease) => lease.check());
    if (leases.length === 0) return;
    const shortestMs = this.#shortestTtlMs();
    for (let start = 0; start < leases.length; start += DEFAULT_WIRE_LIMITS.renewalsMax) {
      this.#send(leases.slice(start, start + DEFAULT_WIRE_LIMITS.renewalsMax), shortestMs);
    }
    this.#scheduleAt(this.#nowMs() + shortestMs / 6);
  }

  #send(leases: readonly HeldLease[], timeoutMs: number): void {
    const renewals = leases.map((lease) => ({ lease: lease.id, attempt: lease.nextAttempt() }));
    const round: Round = { call: undefined, settled: false };
    this.#latest = round;
    const command = { type: 'lease-renew', renewals } as const;
    const body = { type: 'command', lane: 'control', command } as const;
    round.call = this.#path.start(body, {
      single: true,
      timeoutMs,
      resolve: (answer) => this.#onAnswer(round, answer),
      reject: (error) => this.#onFailure(round, error),
    });
  }

  #onAnswer(round: Round, answer: Answer): void {
    round.settled = true;
    const { answeredBy, firstSentAt } = round.call ?? {};
    if (answer.type !== 'lease-renew' || firstSentAt === undefined) return;
    this.#failures = 0;
    this.#carrier = answeredBy;
    this.#apply(answer, firstSentAt);
    if (round !== this.#latest || this.#leases.size === 0) return;
    this.#scheduleAt(firstSentAt.monotonicMs + this.#jittered(this.#shortestTtlMs() / 4));
  }

  #apply(
    answer: Extract<CommandResult, { readonly type: 'lease-renew' }>,
    sentAt: NonNullable<Call['firstSentAt']>,
  ): void {
    for (const result of answer.renewals) this.#leases.get(result.lease)?.renewed(result, sentAt);
  }

  /** Whatever it was, it says nothing about the leases: only time does (rule 11, K-064). */
  #onFailure(round: Round, error: unknown): void {
    round.settled = true;
    if (round !== this.#latest || this.#leases.size === 0) return;
    const code = error instanceof RaftdError ? error.code : undefined;
    if (code === 'CLIENT_CLOSED') return;
    // A new attempt waits by itself until a leader is found: no pause is needed on top.
    const elsewhere = code === 'NOT_LEADER' || code === 'UNAVAILABLE';
    const delayMs = elsewhere ? 0 : backOffMs(this.#failures, this.#ports.random);
    this.#failures += 1;
    const latestMs = this.#shortestTtlMs() / 6;
    this.#scheduleAt(this.#nowMs() + Math.min(delayMs, latestMs));
  }

  #onTimer(): void {
    this.#cancelTimer = undefined;
    this.#dueAtMs = Number.POSITIVE_INFINITY;
    for (const lease of [...this.#leases.values()]) lease.check();
    if (this.#leases.size === 0) return;
    const latest = this.#latest;
    if (latest !== undefined && !latest.settled) {
      const timeoutMs = this.#shortestTtlMs() / 6;
      this.#path.suspect(Math.max(timeoutMs, SILENCE_MIN_MS));
      // Not yet sent: its send time will be as fresh as that of any newer one.
      if (latest.call?.firstSentAt === undefined) {
        this.#scheduleAt(this.#nowMs() + timeoutMs);
        return;
      }
    }
    this.#startRound();
  }

  #scheduleAt(atMs: number): void {
    this.#cancelTimer?.();
    this.#dueAtMs = atMs;
    const delayMs = timerDelayMs(atMs - this.#nowMs());
    this.#cancelTimer = this.#ports.timers.after(delayMs, () => this.#onTimer(), { ref: true });
  }

  #shortestTtlMs(): number {
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const { ttlMs } of this.#leases.values()) shortestMs = Math.min(shortestMs, ttlMs);
    return shortestMs;
  }

  #jittered(periodMs: number): number {
    return periodMs * (1 + JITTER * (2 * this.#ports.random() - 1));
  }

  #nowMs(): number {
    return this.#ports.clock.monotonicMs();
  }
}
