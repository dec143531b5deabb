import type { LeaseId } from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import type { Answer, Call, CallBody } from './call.js';
import type { Connection } from './connection.js';
import { RaftdError } from './errors.js';
import type { HeldLease } from './held-lease.js';
import { type Cancel, type ClientPorts, TIMER_MAX_MS, timerDelayMs } from './ports.js';
import type { StartOptions } from './requests.js';

/** What renewals need of the client. */
export interface RenewalPath {
  start(body: CallBody, options: StartOptions): Call;
  /** Nothing heard for that long: look for another node. */
  suspect(silenceMs: number): void;
}

/** One attempt at some leases, usually all: as few commands as the limit of renewals allows. */
interface Round {
  readonly calls: Call[];
  unanswered: number;
  failed: boolean;
  /** Those whose attempt somebody else's renewals overtook. */
  readonly overtaken: HeldLease[];
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
  /** Rounds in a row that found attempts overtaken. */
  #overtakes = 0;
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

  /** The caller is about to end this lease by its name: whatever here stands on it ends first. */
  loseBefore(id: LeaseId): void {
    this.#leases.get(id)?.lose('revoked');
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
    const carried = latest?.calls.some((call) => !call.settled && call.at === connection) ?? true;
    if (carried || latest?.unanswered === 0) this.#startRound();
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dueAtMs = Number.POSITIVE_INFINITY;
    this.#latest = undefined;
    this.#failures = 0;
    this.#overtakes = 0;
    this.#carrier = undefined;
  }

  #startRound(): void {
    this.#send([...this.#leases.values()]);
  }

  #send(wanted: readonly HeldLease[]): void {
    const leases = wanted.filter((lease) => lease.check());
    if (leases.length === 0) return;
    const shortestMs = this.#shortestTtlMs();
    const timeoutMs = Math.min(shortestMs, TIMER_MAX_MS);
    const { renewalsMax } = DEFAULT_WIRE_LIMITS;
    const unanswered = Math.ceil(leases.length / renewalsMax);
    const round: Round = { calls: [], unanswered, failed: false, overtaken: [] };
    this.#latest = round;
    this.#scheduleAt(this.#nowMs() + shortestMs / 6);
    for (let start = 0; start < leases.length; start += renewalsMax) {
      this.#sendPart(round, leases.slice(start, start + renewalsMax), timeoutMs);
    }
  }

  #sendPart(round: Round, leases: readonly HeldLease[], timeoutMs: number): void {
    const renewals = leases.map((lease) => ({ lease: lease.id, attempt: lease.nextAttempt() }));
    const command = { type: 'lease-renew', renewals } as const;
    const body = { type: 'command', lane: 'control', command } as const;
    const call = this.#path.start(body, {
      single: true,
      vital: true,
      timeoutMs,
      resolve: (answer) => this.#onAnswer(round, call, answer),
      reject: (error) => this.#onFailure(round, error),
    });
    round.calls.push(call);
  }

  #onAnswer(round: Round, { answeredBy, firstSentAt }: Call, answer: Answer): void {
    round.unanswered -= 1;
    if (answer.type !== 'lease-renew' || firstSentAt === undefined) return;
    this.#failures = 0;
    this.#carrier = answeredBy;
    for (const result of answer.renewals) {
      const lease = this.#leases.get(result.lease);
      if (lease?.renewed(result, firstSentAt)) round.overtaken.push(lease);
    }
    if (round !== this.#latest || round.unanswered > 0 || round.failed) return;
    if (this.#leases.size === 0) return;
    if (round.overtaken.length > 0) return this.#renewAgain(round.overtaken);
    this.#overtakes = 0;
    this.#scheduleAt(firstSentAt.monotonicMs + this.#jittered(this.#shortestTtlMs() / 4));
  }

  /** At once, above the other's numbers; if it goes on in between, not without a pause. */
  #renewAgain(overtaken: readonly HeldLease[]): void {
    this.#overtakes += 1;
    if (this.#overtakes === 1) return this.#send(overtaken);
    const delayMs = backOffMs(this.#overtakes, this.#ports.random);
    this.#scheduleAt(this.#nowMs() + Math.min(delayMs, this.#shortestTtlMs() / 6));
  }

  /** Whatever it was, it says nothing about the leases: only time does (rule 11, K-064). */
  #onFailure(round: Round, error: unknown): void {
    round.unanswered -= 1;
    round.failed = true;
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
    if (latest !== undefined && latest.unanswered > 0) {
      const timeoutMs = this.#shortestTtlMs() / 6;
      this.#path.suspect(Math.max(timeoutMs, SILENCE_MIN_MS));
      // Not yet sent: its send time will be as fresh as that of any newer one.
      if (latest.calls.some(({ firstSentAt }) => firstSentAt === undefined)) {
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
