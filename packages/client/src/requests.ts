import type { ClientCommand, ClientRequest, ErrorBody, ReplyBody } from '@raftd/protocol';
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
import type { Connection } from './connection.js';
import { DeadlineSweep } from './deadline-sweep.js';
import { readInstant } from './deadline.js';
import { type Attempt, clientClosed, invalidArgument, RaftdError } from './errors.js';
import {
  attemptError,
  finalError,
  isCongestion,
  isTriedAgain,
  leaderHintOf,
  timeoutError,
} from './outcome.js';
import type { Cancel, ClientPorts } from './ports.js';
import type { Router } from './router.js';
import { SESSION_TOUCH_MS } from './session.js';
import { Sessions } from './sessions.js';
import { WaitingCalls } from './waiting-calls.js';

export interface RequestsOptions {
  /** For calls that name no `timeoutMs`, ms. */
  readonly timeoutMs: number;
  /** Calls that may wait for a connection or for room in the session's window. */
  readonly waitingMax: number;
  readonly nextRequestId: () => number;
}

export interface StartOptions extends CallOptions {
  readonly single?: boolean;
  readonly via?: Connection;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const TROUBLES_KEPT = 8;
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/**
 * Every call that goes to the leader: stamps it, sends it, sends the same bytes again wherever it
 * takes until its deadline, and settles it exactly once (C12, C15).
 */
export class Requests implements CallOwner {
  readonly #ports: ClientPorts;
  readonly #router: Router;
  readonly #options: RequestsOptions;
  readonly #sessions: Sessions;
  readonly #sweep: DeadlineSweep<Call>;
  readonly #live = new Set<Call>();
  readonly #waiting = new WaitingCalls();
  #troubles: readonly Attempt[] = [];
  #cancelTouch: Cancel | undefined;
  #pumpScheduled = false;
  #closed = false;

  constructor(ports: ClientPorts, router: Router, options: RequestsOptions) {
    this.#ports = ports;
    this.#router = router;
    this.#options = options;
    this.#sessions = new Sessions(ports);
    const expire = (call: Call): void => this.#fail(call, timeoutError(call, this.#troubles));
    this.#sweep = new DeadlineSweep(ports, () => this.#live, expire);
  }

  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  get troubles(): readonly Attempt[] {
    return this.#troubles;
  }

  submit(body: CallBody, options: CallOptions & { readonly via?: Connection }): Promise<Answer> {
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
        resolve: (answer) => resolve({ answer, from: call.at }),
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
      resolve: options.resolve,
      reject: options.reject,
    });
    const refusal = this.#refusal(options, timeoutMs);
    if (refusal !== undefined) {
      call.settled = true;
      call.reject(refusal.reason);
      return call;
    }
    this.#live.add(call);
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
    const attempt = { address: connection.address, durationMs, ...codeAndMessage(error) };
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
    switch (body.type) {
      case 'command':
        return this.#onResult(call, body, from);
      case 'query':
        call.at = from;
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

  /** Ends the sessions as far as a leader is at hand; then everything that is still open. */
  async closeSessions(timeoutMs: number): Promise<void> {
    this.#cancelTouch?.();
    this.#cancelTouch = undefined;
    if (this.#router.leader() === undefined) return;
    const closing = this.#sessions.opened.map(async ([lane]) => {
      const body = { type: 'command', lane, command: { type: 'session-close' } } as const;
      await this.submit(body, { timeoutMs }).catch(() => undefined);
    });
    await Promise.all(closing);
  }

  close(): void {
    this.#closed = true;
    this.#cancelTouch?.();
    for (const call of [...this.#live]) {
      this.#fail(call, clientClosed(call.body.type === 'command' && call.doubts > 0));
    }
  }

  #refusal(options: StartOptions, timeoutMs: number): { readonly reason: unknown } | undefined {
    if (this.#closed) return { reason: clientClosed(false) };
    if (options.signal?.aborted) return { reason: options.signal.reason };
    if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS)) {
      return { reason: invalidArgument('timeoutMs', `must be from 1 to ${TIMEOUT_MAX_MS}`) };
    }
    if (this.#waiting.size < this.#options.waitingMax) return undefined;
    const message = `${this.#waiting.size} calls wait already`;
    const details = { limit: this.#options.waitingMax };
    return { reason: new RaftdError('TOO_MANY_REQUESTS', message, { details }) };
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
    if (leader === undefined || this.#waiting.has(body.lane)) return false;
    return this.#sendStamped(call, body.lane, leader);
  }

  #wait(call: Call): void {
    this.#waiting.add(call);
    if (this.#router.leader() === undefined) this.#router.need();
  }

  #sendStamped(call: Call, lane: Lane, leader: Connection): boolean {
    const session = this.#sessions.acquire(lane, leader);
    if (session === 'stale-welcome') {
      this.#router.refresh(leader);
      return false;
    }
    if (session.full || call.body.type !== 'command') return false;
    const stamp = session.stamp();
    call.session = session;
    call.sequence = stamp.sequence;
    call.request = commandRequest(call, encodeClientCommand(stamp, call.body.command), {
      stamp,
      command: call.body.command,
    });
    return this.#send(call, leader);
  }

  #send(call: Call, connection: Connection): boolean {
    if (!connection.ready) {
      if (call.via === undefined) return false;
      this.#fail(call, new RaftdError('CURSOR_EXPIRED', 'the node that kept the pages is gone'));
      return true;
    }
    call.request ??= queryRequest(call);
    // Sampled before the bytes leave: a deadline may only be too early (rule 1).
    call.firstSentAt ??= readInstant(this.#ports.clock);
    call.at = connection;
    call.doubts += 1;
    connection.send(call.request, call);
    return true;
  }

  #onResult(call: Call, body: ReplyBody & { readonly type: 'command' }, from: Connection): void {
    const { result } = body;
    if (result.type !== 'refused') {
      if (call.firstSentAt !== undefined) call.session?.applied(call.firstSentAt);
      this.#armTouch();
      return this.#succeed(call, result);
    }
    if (result.refusal.code === 'SESSION_EXPIRED' && call.session !== undefined) {
      this.#sessions.expired(call.session);
    }
    this.#onError(call, refusalBody(result.refusal), from);
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
    call.note({ address: from.address, durationMs, ...codeAndMessage(error) });
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
    this.#live.delete(call);
    this.#waiting.delete(call);
    call.at?.forget(call.requestId);
    if (call.earlier !== undefined) {
      for (const connection of call.earlier) connection.forget(call.requestId);
    }
    if (call.session !== undefined) call.session.settled(call.sequence);
    if (this.#live.size === 0) this.#sweep.rest();
    else if (this.#waiting.has('data') || this.#waiting.has('control')) this.#schedulePump();
  }

  /** Only once there is a session to keep; never a reason for the process to stay. */
  #armTouch(): void {
    this.#cancelTouch ??= this.#ports.timers.after(SESSION_TOUCH_MS, () => this.#touch(), {
      ref: false,
    });
  }

  #touch(): void {
    this.#cancelTouch = undefined;
    if (this.#closed || this.#sessions.opened.length === 0) return;
    for (const lane of this.#sessions.idle) {
      const command: ClientCommand = { type: 'session-touch' };
      const ignore = (): void => undefined;
      this.start({ type: 'command', lane, command }, { resolve: ignore, reject: ignore });
    }
    this.#armTouch();
  }
}

function commandRequest(
  call: Call,
  payload: Uint8Array,
  logged: Extract<ClientRequest, { readonly type: 'command' }>['logged'],
): ClientRequest {
  return { type: 'command', requestId: call.requestId, payload, logged };
}

function queryRequest(call: Call): ClientRequest {
  if (call.body.type !== 'query') throw new Error('assertion failed: a command has its stamp');
  const { consistency, query } = call.body;
  return { type: 'query', requestId: call.requestId, consistency, query };
}

function codeAndMessage({ code, message }: ErrorBody): Pick<ErrorBody, 'code' | 'message'> {
  return { code, message };
}
