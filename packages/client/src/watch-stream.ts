import type {
  ChangeEvent,
  Changes,
  ErrorBody,
  ErrorCode,
  ReplyBody,
  Revision,
  WatchTarget,
} from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import type { Connection } from './connection.js';
import { fromBody, type RaftdError } from './errors.js';
import type { Cancel, ClientPorts } from './ports.js';

/** What a stream needs of the client. */
export interface WatchHost {
  readonly ports: ClientPorts;
  nextRequestId(): number;
  nextWatchId(): number;
  /** Any node's connection; undefined: there is none now. */
  connection(): Connection | undefined;
  /** Once, as soon as there is a connection. */
  whenReady(waiter: () => void): Cancel;
  /** This node serves no watches for now: the next connection should be another one. */
  leave(connection: Connection): void;
}

export interface WatchHandlers {
  /** Whole revisions, ordered and gapless. */
  onChanges(changes: Changes): void;
  /** The watch stands, for the first time or again; `from`: the first revision that it shows. */
  onOpened?(from: Revision): void;
  /** It cannot be resumed: COMPACTED, or a request that will never be accepted. Last call. */
  onFailed(error: RaftdError): void;
}

/** Errors that a resume by revision does not mend. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'COMPACTED',
  'INVALID_ARGUMENT',
  'LIMIT_EXCEEDED',
  'UNKNOWN_REQUEST',
  'TOO_MANY_WATCHES',
]);

/** The node is cut off from a leader, or going down. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'WATCH_INTERRUPTED',
  'SHUTTING_DOWN',
  'UNAVAILABLE',
]);

/**
 * One watch over as many connections as it takes. It resumes from the revision after the last
 * complete one, so that nothing is lost or told twice (C13).
 */
export class WatchStream {
  readonly #host: WatchHost;
  readonly #target: WatchTarget;
  readonly #handlers: WatchHandlers;
  /** The first revision not yet delivered; undefined until the first watch stands. */
  #from: Revision | undefined;
  #parts: ChangeEvent[] = [];
  #connection: Connection | undefined;
  #watchId = 0;
  #failures = 0;
  #closed = false;
  #paused = false;
  #cancelWait: Cancel | undefined;

  constructor(
    host: WatchHost,
    target: WatchTarget,
    fromRevision: Revision | undefined,
    handlers: WatchHandlers,
  ) {
    this.#host = host;
    this.#target = target;
    this.#from = fromRevision;
    this.#handlers = handlers;
    this.#open();
  }

  /** The consumer is behind: stop the flow at the node, keep the place. */
  pause(): void {
    if (this.#paused || this.#closed) return;
    this.#paused = true;
    this.#leave();
  }

  resume(): void {
    if (!this.#paused || this.#closed) return;
    this.#paused = false;
    this.#open();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#leave();
  }

  #open(): void {
    this.#cancelWait = undefined;
    if (this.#closed || this.#paused) return;
    const connection = this.#host.connection();
    if (connection === undefined) {
      this.#cancelWait = this.#host.whenReady(() => this.#open());
      return;
    }
    // Each opening has an id of its own: what still comes for an older one is dropped (C16).
    const watchId = this.#host.nextWatchId();
    this.#watchId = watchId;
    this.#connection = connection;
    this.#parts = [];
    connection.addWatch(watchId, {
      onEvents: (changes) => {
        if (watchId === this.#watchId) this.#onEvents(changes);
      },
      onEnded: (error) => {
        if (watchId === this.#watchId) this.#onEnded(error);
      },
    });
    connection.send(
      {
        type: 'watch',
        requestId: this.#host.nextRequestId(),
        watchId,
        target: this.#target,
        fromRevision: this.#from,
      },
      {
        onReply: (body) => {
          if (watchId === this.#watchId) this.#onReply(body);
        },
        onLost: () => undefined,
      },
    );
  }

  #onReply(body: ReplyBody): void {
    if (body.type === 'watching') {
      this.#failures = 0;
      this.#from ??= body.revision;
      this.#handlers.onOpened?.(body.revision);
    } else if (body.type === 'error') {
      this.#connection?.removeWatch(this.#watchId);
      this.#onEnded(body.error);
    }
  }

  #onEvents(frame: readonly (Changes & { readonly more: boolean })[]): void {
    for (const { revision, events, more } of frame) {
      // Below the start: what this stream already has (K-038, K-043).
      if (this.#from !== undefined && revision < this.#from) continue;
      if (more || this.#parts.length > 0) {
        for (const event of events) this.#parts.push(event);
      }
      if (more) continue;
      const whole = this.#parts.length > 0 ? this.#parts : events;
      this.#parts = [];
      this.#from = ((revision as number) + 1) as Revision;
      this.#handlers.onChanges({ revision, events: whole });
      if (this.#closed || this.#paused) return;
    }
  }

  #onEnded(error: ErrorBody): void {
    if (ELSEWHERE.has(error.code) && this.#connection?.ready) this.#host.leave(this.#connection);
    this.#connection = undefined;
    this.#watchId = 0;
    this.#parts = [];
    if (this.#closed || this.#paused) return;
    if (FINAL.has(error.code)) {
      this.#closed = true;
      this.#handlers.onFailed(fromBody(error));
      return;
    }
    const delayMs = backOffMs(this.#failures, this.#host.ports.random);
    this.#failures += 1;
    const again = (): void => this.#open();
    this.#cancelWait = this.#host.ports.timers.after(delayMs, again, { ref: true });
  }

  /** Ends the watch at the node, if it stands there. */
  #leave(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    const connection = this.#connection;
    const watchId = this.#watchId;
    this.#connection = undefined;
    this.#watchId = 0;
    this.#parts = [];
    if (connection === undefined || !connection.ready) return;
    const requestId = this.#host.nextRequestId();
    const ignore = (): void => undefined;
    connection.send({ type: 'unwatch', requestId, watchId }, { onReply: ignore, onLost: ignore });
    connection.removeWatch(watchId);
  }
}
