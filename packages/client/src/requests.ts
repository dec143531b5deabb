import type { ErrorBody, ReplyBody } from '@raftd/protocol';
import { encodeClientCommand, refusalBody } from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import {
  type Answer,
  Call,
  type CallBody,
  type CallOptions,
  type CallOwner,
  type Lane,
} from './call.js';
import type { Caller, SubmitOptions } from './caller.js';
import type { ClusterTime } from './cluster-time.js';
import type { Connection } from './connection.js';
import { DeadlineSweep } from './deadline-sweep.js';
import { type Attempt, clientClosed, invalidArgument, RaftdError } from './errors.js';
import {
  attemptError,
  finalError,
  isCongestion,
  isTriedAgain,
  leaderHintOf,
  timeoutError,
} from './outcome.js';
import { TIMER_MAX_MS } from './ports.js';
import type { Router } from './router.js';
import { SessionUpkeep } from './session-upkeep.js';
import { Sessions } from './sessions.js';
import type { CorePorts } from './timekeeper.js';
import { WaitingCalls } from './waiting-calls.js';

export interface RequestsOptions {
  /** For calls that name no `timeoutMs`, ms. */
  readonly timeoutMs: number;
  /** Calls that may wait for a connection or for room in the session's window. */
  readonly waitingMax: number;
  readonly pendingBytesMax: number;
  readonly nextRequestId: () => number;
  readonly clusterTime: ClusterTime;
}

export interface StartOptions extends SubmitOptions {
  readonly single?: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const TROUBLES_KEPT = 8;

/**
 * Every call that goes to the leader: stamps it, sends it, sends the same bytes again wherever it
 * takes until its deadline, and settles it exactly once (C12, C15).
 */
export class Requests implements CallOwner, Caller {
  readonly #ports: CorePorts;
  readonly #router: Router;
  readonly #options: RequestsOptions;
  readonly #sessions: Sessions;
  readonly #upkeep: SessionUpkeep;
  readonly #sweep: DeadlineSweep<Call>;
  readonly #live = new Set<Call>();
  #liveBytes = 0;
  readonly #waiting = new WaitingCalls();
  #troubles: readonly Attempt[] = [];
  #pumpScheduled = false;
  #closed = false;

  constructor(ports: CorePorts, router: Router, options: RequestsOptions) {
    this.#ports = ports;
    this.#router = router;
    this.#options = options;
    this.#sessions = new Sessions(ports, options.clusterTime);
    this.#upkeep = new SessionUpkeep(ports.timers, this.#sessions, (lane, command, timeoutMs) =>
      this.submit({ type: 'command', lane, command }, { timeoutMs, vital: true }).then(
        () => undefined,
        () => undefined,
      ),
    );
    const expire = (call: Call): void => this.#fail(call, timeoutError(call, this.#troubles));
    this.#sweep = new DeadlineSweep(ports, () => this.#live, expire);
  }

  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Commands wait, for a leader or for a session. */
  get commandsWait(): boolean {
    return this.#waiting.unsent;
  }

  get troubles(): readonly Attempt[] {
    return this.#troubles;
  }

  submit(body: CallBody, options: SubmitOptions): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.start(body, { ...options, resolve, reject });
    });
  }

  /** Tells the connection that answered as well. */
  submitTraced(
    body: CallBody,
    options: CallOptions,
  ): Promise<{ readonly answer: Answer; readonly from: Connection | undefined }> {
    return new Promise((resolve, reject) => {
      const call = this.start(body, {
        ...options,
        resolve: (answer) => resolve({ answer, from: call.answeredBy }),
        reject,
      });
    });
  }

  /** Without a promise, for loops that want to know when their attempt left. */
  start(body: CallBody, options: StartOptions): Call {
    const startedAtMs = this.#ports.clock.monotonicMs();
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs;
    const call = new Call(this, {
      requestId: this.#options.nextRequestId(),
      body,
      startedAtMs,
      deadlineMs: startedAtMs + timeoutMs,
      single: options.single ?? false,
      via: options.via,
      vital: options.vital ?? false,
      resolve: options.resolve,
      reject: options.reject,
    });
    const refusal = this.#refusal(call, options.signal, timeoutMs);
    if (refusal !== undefined) {
      call.settled = true;
      call.reject(refusal.reason);
      return call;
    }
    this.#live.add(call);
    this.#liveBytes += call.bytes;
    if (options.signal !== undefined) this.#listen(call, options.signal);
    this.#sweep.watch(call);
    if (!this.#sendNow(call)) this.#wait(call);
    return call;
  }

  /** No longer wanted: its answer, if any comes, is dropped. */
  abandon(call: Call): void {
    if (!call.settled) this.#settle(call);
  }

  /** A connection is ready, or the window has room again. */
  pump(): void {
    if (this.#waiting.size === 0 || this.#closed) return;
    const leader = this.#router.leader();
    if (leader !== undefined) {
      this.#waiting.drain('again', (call) => this.#send(call, leader));
      this.#waiting.drain('query', (call) => this.#send(call, leader));
      this.#waiting.drain('vital', (call) => this.#sendStamped(call, 'control', leader));
      this.#waiting.drain('control', (call) => this.#sendStamped(call, 'control', leader));
      this.#waiting.drain('data', (call) => this.#sendStamped(call, 'data', leader));
    }
    const any = this.#router.any();
    if (any !== undefined) this.#waiting.drain('stale', (call) => this.#send(call, any));
    if (this.#waiting.size > 0 && this.#router.leader() === undefined) this.#router.need();
  }

  /** A connection closed or fell silent. What is there goes elsewhere; late answers still count. */
  trouble(connection: Connection, error: ErrorBody): void {
    const durationMs = this.#ports.clock.monotonicMs() - connection.startedAtMs;
    const { code, message } = error;
    const attempt = { address: connection.address, durationMs, code, message };
    this.#troubles = [...this.#troubles.slice(1 - TROUBLES_KEPT), attempt];
    if (connection.closed) return;
    for (const call of this.#live) {
      if (call.at !== connection || call.single || call.via !== undefined) continue;
      call.earlier = [...(call.earlier ?? []), connection];
      this.#tryAgain(call, error, connection);
    }
  }

  onReply(call: Call, body: ReplyBody, from: Connection): void {
    if (call.settled) return;
    call.answeredBy = from;
    switch (body.type) {
      case 'command':
        return this.#onResult(call, body, from);
      case 'query':
        return this.#succeed(call, body.result);
      case 'error':
        return this.#onError(call, body.error, from);
      case 'watching':
      case 'unwatched':
      case 'status': {
        const message = `${from.address} answered a ${call.body.type} with ${body.type}`;
        return this.#fail(call, new RaftdError('MALFORMED_FRAME', message));
      }
      default:
        return body satisfies never;
    }
  }

  onLost(call: Call, error: ErrorBody, from: Connection): void {
    if (call.settled) return;
    if (call.at !== from) {
      call.earlier = call.earlier?.filter((connection) => connection !== from);
      return;
    }
    if (call.via !== undefined) {
      const message = `the node that kept the pages, ${from.address}, is gone`;
      return this.#fail(call, new RaftdError('CURSOR_EXPIRED', message));
    }
    this.#tryAgain(call, error, from);
  }

  /** Ends the sessions, as far as a leader is at hand. */
  async closeSessions(timeoutMs: number): Promise<void> {
    if (this.#router.leader() !== undefined) await this.#upkeep.closeAll(timeoutMs);
  }

  close(): void {
    this.#closed = true;
    this.#upkeep.end();
    for (const call of [...this.#live]) {
      this.#fail(call, clientClosed(call.body.type === 'command' && call.doubts > 0));
    }
  }

  #refusal(
    call: Call,
    signal: AbortSignal | undefined,
    timeoutMs: number,
  ): { readonly reason: unknown } | undefined {
    if (this.#closed) return { reason: clientClosed(false) };
    if (signal?.aborted) return { reason: signal.reason };
    if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX_MS)) {
      return { reason: invalidArgument('timeoutMs', `must be from 1 to ${TIMER_MAX_MS}`) };
    }
    // However many calls wait: leases are renewed, candidacies are withdrawn.
    if (call.vital) return undefined;
    const { waitingMax, pendingBytesMax } = this.#options;
    if (this.#waiting.size >= waitingMax) return { reason: tooMany('calls wait', waitingMax) };
    if (this.#liveBytes + call.bytes > pendingBytesMax) {
      return { reason: tooMany('bytes are pending', pendingBytesMax) };
    }
    return undefined;
  }

  #listen(call: Call, signal: AbortSignal): void {
    const onAbort = (): void => this.#fail(call, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    call.unlisten = () => signal.removeEventListener('abort', onAbort);
  }

  /** The way of nearly every call: straight to the leader, if nothing waits before it. */
  #sendNow(call: Call): boolean {
    if (call.via !== undefined) return this.#send(call, call.via);
    const { body } = call;
    if (body.type === 'query') {
      const stale = body.consistency === 'stale';
      const connection = stale ? this.#router.any() : this.#router.leader();
      return connection !== undefined && this.#send(call, connection);
    }
    const leader = this.#router.leader();
    if (leader === undefined || this.#waiting.hasBefore(call)) return false;
    return this.#sendStamped(call, body.lane, leader);
  }

  #wait(call: Call): void {
    this.#waiting.add(call);
    if (this.#router.leader() === undefined) this.#router.need();
  }

  #sendStamped(call: Call, lane: Lane, leader: Connection): boolean {
    // Sampled before the bytes leave: a deadline may only be too early (rule 1).
    const now = this.#ports.time.now();
    const session = this.#sessions.acquire(lane, now);
    // Whatever opens a session may leave this connection for a fresher one.
    if (session === undefined || session.full || !leader.ready) return false;
    if (call.body.type !== 'command') return false;
    const stamp = session.stamp();
    call.firstSentAt = now;
    call.session = session;
    call.sequence = stamp.sequence;
    const { command } = call.body;
    const payload = encodeClientCommand(stamp, command);
    const { requestId } = call;
    call.request = { type: 'command', requestId, payload, logged: { stamp, command } };
    return this.#send(call, leader);
  }

  #send(call: Call, connection: Connection): boolean {
    if (!connection.ready) {
      if (call.via === undefined) return false;
      this.#fail(call, new RaftdError('CURSOR_EXPIRED', 'the node that kept the pages is gone'));
      return true;
    }
    call.request ??= call.queryRequest();
    call.at = connection;
    call.doubts += 1;
    connection.send(call.request, call);
    return true;
  }

  #onResult(call: Call, body: ReplyBody & { readonly type: 'command' }, from: Connection): void {
    const { result } = body;
    if (result.type !== 'refused') {
      this.#noteApplied(call);
      return this.#succeed(call, result);
    }
    if (result.refusal.code === 'SESSION_EXPIRED' && call.session !== undefined) {
      this.#sessions.expired(call.session);
    }
    this.#onError(call, refusalBody(result.refusal), from);
  }

  /** A renewal keeps a session that is open; it opens none, whatever its answer. */
  #noteApplied({ body, session, firstSentAt }: Call): void {
    if (session === undefined || firstSentAt === undefined) return;
    const opens = body.type === 'command' && body.command.type !== 'lease-renew';
    if (opens || session.opened) session.applied(firstSentAt);
    this.#upkeep.arm();
  }

  #onError(call: Call, error: ErrorBody, from: Connection): void {
    const { code } = error;
    if (code === 'NOT_LEADER') this.#router.notLeader(from, leaderHintOf(error));
    else if (isTriedAgain(code) && !isCongestion(code)) this.#router.unavailable(from);
    if (!isTriedAgain(code)) return this.#fail(call, finalError(call, error));
    const inDoubt = code === 'OUTCOME_UNKNOWN' || code === 'TIMEOUT';
    if (!inDoubt) call.doubts -= 1;
    if (call.at === from) this.#tryAgain(call, error, from);
    else call.earlier = call.earlier?.filter((connection) => connection !== from);
  }

  #tryAgain(call: Call, error: ErrorBody, from: Connection): void {
    const durationMs = this.#ports.clock.monotonicMs() - call.startedAtMs;
    const { code, message } = error;
    call.note({ address: from.address, durationMs, code, message });
    call.at = undefined;
    if (call.single) return this.#fail(call, attemptError(call, error));
    const stale = call.body.type === 'query' && call.body.consistency === 'stale';
    const refused = from.ready && stale;
    if (refused || isCongestion(error.code)) return this.#pauseThenWait(call);
    this.#waiting.add(call);
    this.#schedulePump();
  }

  /** Many calls come back in one turn: one look for where they go. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    this.#ports.timers.defer(() => {
      this.#pumpScheduled = false;
      this.pump();
    });
  }

  #pauseThenWait(call: Call): void {
    const delayMs = backOffMs(Math.min(call.attempts.length, 6), this.#ports.random);
    const again = (): void => {
      if (call.settled) return;
      this.#waiting.add(call);
      this.pump();
    };
    this.#ports.timers.after(delayMs, again, { ref: true });
  }

  #succeed(call: Call, answer: Answer): void {
    this.#settle(call);
    call.resolve(answer);
  }

  #fail(call: Call, error: unknown): void {
    if (call.settled) return;
    this.#settle(call);
    call.reject(error);
  }

  #settle(call: Call): void {
    call.settled = true;
    call.unlisten?.();
    if (this.#live.delete(call)) this.#liveBytes -= call.bytes;
    this.#waiting.delete(call);
    call.at?.forget(call.requestId);
    if (call.earlier !== undefined) {
      for (const connection of call.earlier) connection.forget(call.requestId);
    }
    if (call.session !== undefined) call.session.settled(call.sequence);
    if (this.#live.size === 0) this.#sweep.rest();
    else if (this.commandsWait) this.#schedulePump();
  }
}

function tooMany(what: string, limit: number): RaftdError {
  const message = `as many ${what} as the limit of ${limit} allows`;
  return new RaftdError('TOO_MANY_REQUESTS', message, { details: { limit } });
}
