import type {
  ClientRequest,
  ErrorBody,
  EventsFrame,
  Reply,
  ReplyBody,
  WatchEndedFrame,
  Welcome,
} from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS, errorBody, PROTOCOL_VERSION } from '@raftd/protocol';
import { timerDelayMs, type Wire } from './ports.js';
import type { CorePorts, Instant } from './timekeeper.js';

/** Who waits for the answer to one request on one connection; exactly one of the two comes. */
export interface ReplySink {
  onReply(body: ReplyBody, from: Connection): void;
  onLost(error: ErrorBody, from: Connection): void;
}

export interface WatchSink {
  onEvents(changes: EventsFrame['changes']): void;
  onEnded(error: ErrorBody): void;
}

export interface ConnectionEvents {
  onWelcome(connection: Connection, welcome: Welcome): void;
  onClosed(connection: Connection, error: ErrorBody): void;
  /** Nothing came for `silenceMs` though answers are due. */
  onSilent(connection: Connection): void;
}

export interface ConnectionOptions {
  readonly address: string;
  readonly clusterId: string | undefined;
  readonly silenceMs: number;
  /** A connection that carries only watches is asked for a sign of life this often. */
  readonly probeMs: number;
  readonly nextRequestId: () => number;
}

/** Frames are cut well below the wire's limit; one request is always allowed. */
const FRAME_BYTES = DEFAULT_WIRE_LIMITS.frameBytesMax / 4;
const FRAME_REQUESTS = DEFAULT_WIRE_LIMITS.requestsPerFrameMax / 10;

/** One connection to one node: requests pipelined by id, those of one turn in one frame. */
export class Connection {
  readonly address: string;
  readonly startedAtMs: number;
  readonly #ports: CorePorts;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #wire: Wire;
  #welcome: Welcome | undefined;
  #welcomedAt: Instant | undefined;
  #closed = false;
  #retired = false;
  #abandoned = false;
  #outgoing: ClientRequest[] = [];
  readonly #pending = new Map<number, ReplySink>();
  readonly #watches = new Map<number, WatchSink>();
  #heardAtMs: number;
  #cancelWatchdog: (() => void) | undefined;
  /** The armed watchdog is about answers that are due, not about idle watches. */
  #watchdogStrict = false;

  constructor(ports: CorePorts, options: ConnectionOptions, events: ConnectionEvents) {
    this.address = options.address;
    this.#ports = ports;
    this.#options = options;
    this.#events = events;
    this.startedAtMs = ports.clock.monotonicMs();
    this.#heardAtMs = this.startedAtMs;
    this.#wire = ports.dial({
      address: options.address,
      hello: {
        type: 'client-hello',
        protocolVersion: PROTOCOL_VERSION,
        clusterId: options.clusterId,
      },
      handlers: {
        onWelcome: (welcome) => this.#onWelcome(welcome),
        onReplies: (replies) => this.#onReplies(replies),
        onEvents: (frame) => this.#onEvents(frame),
        onWatchEnded: (frame) => this.#onWatchEnded(frame),
        onClose: (error) => this.#onClose(error),
      },
    });
  }

  get ready(): boolean {
    return this.#welcome !== undefined && !this.#closed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Given up as silent: nothing of it waits any more but for late answers. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** It was left on purpose: its end is nobody's trouble. */
  get retired(): boolean {
    return this.#retired;
  }

  get welcome(): Welcome | undefined {
    return this.#welcome;
  }

  get welcomedAt(): Instant | undefined {
    return this.#welcomedAt;
  }

  /** How long answers are due and nothing has come, ms. */
  silentMs(nowMs: number): number {
    const due = !this.ready || this.#pending.size > 0;
    return due ? nowMs - this.#heardAtMs : 0;
  }

  /** The answer goes to `sink`, whatever happens to the connection. */
  send(request: ClientRequest, sink: ReplySink): void {
    if (this.#closed) {
      const error = errorBody('UNAVAILABLE', `the connection to ${this.address} is closed`);
      this.#ports.timers.defer(() => sink.onLost(error, this));
      return;
    }
    if (this.#pending.size === 0) this.#heardAtMs = this.#ports.clock.monotonicMs();
    this.#pending.set(request.requestId, sink);
    if (this.#outgoing.push(request) === 1) this.#ports.timers.defer(() => this.#flush());
    if (!this.#watchdogStrict) this.#armWatchdog('silence', this.#options.silenceMs);
  }

  /** No longer interested: a late answer is dropped (C16). */
  forget(requestId: number): void {
    this.#pending.delete(requestId);
    this.#closeIfDone();
  }

  /** Before the watch request is sent, so that no event can come too early. */
  addWatch(watchId: number, sink: WatchSink): void {
    this.#watches.set(watchId, sink);
    if (this.#cancelWatchdog === undefined) this.#armWatchdog('probe', this.#options.probeMs);
  }

  removeWatch(watchId: number): void {
    this.#watches.delete(watchId);
    this.#closeIfDone();
  }

  /** Takes nothing new from now on and closes once its last answer or watch is gone. */
  retire(): void {
    this.#retired = true;
    this.#closeIfDone();
  }

  /** Silent: its watches go elsewhere, late answers to its calls still count. */
  abandon(error: ErrorBody): void {
    this.#abandoned = true;
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    for (const sink of watches) sink.onEnded(error);
    this.retire();
  }

  close(error: ErrorBody): void {
    this.#wire.close();
    this.#onClose(error);
  }

  #closeIfDone(): void {
    if (!this.#retired || this.#pending.size > 0 || this.#watches.size > 0) return;
    this.close({ code: 'CLIENT_CLOSED', message: 'the connection is no longer used', details: {} });
  }

  #flush(): void {
    // Before the Welcome nothing may leave; that flushes what came meanwhile.
    if (!this.ready) return;
    const requests = this.#outgoing;
    this.#outgoing = [];
    let start = 0;
    let bytes = 0;
    for (let position = 0; position < requests.length; position += 1) {
      const request = requests[position];
      const size = request?.type === 'command' ? request.payload.length : 0;
      const full = bytes + size > FRAME_BYTES || position - start >= FRAME_REQUESTS;
      if (full && position > start) {
        this.#wire.send(requests.slice(start, position));
        start = position;
        bytes = 0;
      }
      bytes += size;
    }
    if (start < requests.length) {
      this.#wire.send(start === 0 ? requests : requests.slice(start));
    }
  }

  #onWelcome(welcome: Welcome): void {
    if (this.#closed || this.#welcome !== undefined) return;
    this.#welcomedAt = this.#ports.time.now();
    this.#heardAtMs = this.#welcomedAt.monotonicMs;
    this.#welcome = welcome;
    this.#events.onWelcome(this, welcome);
    this.#flush();
  }

  #onReplies(replies: readonly Reply[]): void {
    if (this.#closed) return;
    this.#heardAtMs = this.#ports.clock.monotonicMs();
    for (const { requestId, body } of replies) {
      const sink = this.#pending.get(requestId);
      if (sink === undefined) continue;
      this.#pending.delete(requestId);
      sink.onReply(body, this);
    }
    this.#closeIfDone();
  }

  #onEvents(frame: EventsFrame): void {
    if (this.#closed) return;
    this.#heardAtMs = this.#ports.clock.monotonicMs();
    this.#watches.get(frame.watchId)?.onEvents(frame.changes);
  }

  #onWatchEnded(frame: WatchEndedFrame): void {
    if (this.#closed) return;
    this.#heardAtMs = this.#ports.clock.monotonicMs();
    const sink = this.#watches.get(frame.watchId);
    this.#watches.delete(frame.watchId);
    sink?.onEnded(frame.error);
    this.#closeIfDone();
  }

  #onClose(error: ErrorBody): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelWatchdog?.();
    this.#cancelWatchdog = undefined;
    const pending = [...this.#pending.values()];
    const watches = [...this.#watches.values()];
    this.#pending.clear();
    this.#watches.clear();
    this.#outgoing = [];
    this.#events.onClosed(this, error);
    for (const sink of pending) sink.onLost(error, this);
    for (const sink of watches) sink.onEnded(error);
  }

  /** One lazy timer a connection: it looks when it fires, rather than being moved on each frame. */
  #armWatchdog(kind: 'silence' | 'probe', delayMs: number): void {
    this.#cancelWatchdog?.();
    this.#watchdogStrict = kind === 'silence';
    const fire = (): void => this.#onWatchdog();
    // The socket keeps the process alive while anything is due.
    const delay = timerDelayMs(delayMs);
    this.#cancelWatchdog = this.#ports.timers.after(delay, fire, { ref: false });
  }

  #onWatchdog(): void {
    this.#cancelWatchdog = undefined;
    this.#watchdogStrict = false;
    if (this.#closed) return;
    const { silenceMs, probeMs } = this.#options;
    const quietMs = this.#ports.clock.monotonicMs() - this.#heardAtMs;
    if (this.#pending.size > 0) {
      if (quietMs >= silenceMs) this.#events.onSilent(this);
      if (this.#closed || this.#watchdogStrict) return;
      this.#armWatchdog('silence', quietMs >= silenceMs ? silenceMs : silenceMs - quietMs);
    } else if (this.#watches.size > 0) {
      if (quietMs >= probeMs) this.#probe();
      else this.#armWatchdog('probe', probeMs - quietMs);
    }
  }

  /** A cut link stays ESTABLISHED: only a question shows it (kubernetes-client/javascript#596). */
  #probe(): void {
    this.send({ type: 'status', requestId: this.#options.nextRequestId() }, IGNORED);
  }
}

const IGNORED: ReplySink = {
  onReply: () => undefined,
  onLost: () => undefined,
};
