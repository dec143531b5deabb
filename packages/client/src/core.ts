import { setMaxListeners } from 'node:events';
import type { ErrorBody } from '@raftd/protocol';
import { ClusterTime } from './cluster-time.js';
import type { Connection } from './connection.js';
import type { Endpoints } from './endpoints.js';
import { clientClosed, fromBody, RaftdError } from './errors.js';
import { KeepAlive } from './keep-alive.js';
import type { Cancel, ClientPorts } from './ports.js';
import { Requests } from './requests.js';
import { Router } from './router.js';
import { type CorePorts, Timekeeper } from './timekeeper.js';
import type { WatchHost } from './watch-stream.js';

/** Limits and time-outs of one client; each has a default. */
export interface CoreOptions {
  /** Deadline of a call that names none, ms. */
  readonly timeoutMs: number;
  /** To connect to one node and be welcomed, ms. */
  readonly connectTimeoutMs: number;
  /** Without any answer for this long, a connection with calls on it is left, ms. */
  readonly silenceMs: number;
  /** A connection that carries only watches is asked for a sign of life this often, ms. */
  readonly probeMs: number;
  /** Own deadline of withdrawals, revocations and of `close()`, ms (rule 17). */
  readonly releaseTimeoutMs: number;
  /** Calls that may wait for a connection or for room in a session's window. */
  readonly waitingMax: number;
  /** Keys and values of all calls that are not settled, bytes. */
  readonly pendingBytesMax: number;
}

export const DEFAULT_CORE_OPTIONS: CoreOptions = {
  timeoutMs: 10_000,
  connectTimeoutMs: 2_000,
  silenceMs: 1_500,
  probeMs: 5_000,
  releaseTimeoutMs: 3_000,
  waitingMax: 10_000,
  pendingBytesMax: 128 * 1024 * 1024,
};

/** Something that ends with the client. */
export interface Closable {
  close(): void;
}

/** The parts of one client and their wiring; everything public stands on it. */
export class ClientCore implements WatchHost {
  readonly ports: CorePorts;
  readonly options: CoreOptions;
  readonly endpoints: Endpoints;
  readonly router: Router;
  readonly requests: Requests;
  readonly keepAlive: KeepAlive;
  readonly #waiters = new Set<() => void>();
  readonly #tracked = new Set<Closable>();
  readonly #background = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #onHandshakeRefused = new Set<(error: RaftdError) => void>();
  #lastRequestId = 0;
  #lastWatchId = 0;

  constructor(outside: ClientPorts, endpoints: Endpoints, options: CoreOptions) {
    // Every candidacy, pause and run() listens: ten and more of them are no leak.
    setMaxListeners(0, this.#closing.signal);
    const ports = { ...outside, time: new Timekeeper(outside.clock) };
    this.ports = ports;
    this.options = options;
    this.endpoints = endpoints;
    const clusterTime = new ClusterTime(ports, {
      ask: (turn) => this.router.welcomeAgain(turn),
      wanted: () => this.requests.commandsWait,
    });
    const nextRequestId = (): number => this.nextRequestId();
    this.router = new Router(
      ports,
      endpoints,
      { ...options, nextRequestId },
      {
        onWelcome: (welcome, at) => clusterTime.onWelcome(welcome, at),
        onReady: () => this.#onReady(),
        onTrouble: (connection, error) => this.#onTrouble(connection, error),
        wanted: () => this.requests.waiting || this.#waiters.size > 0,
      },
    );
    this.requests = new Requests(ports, this.router, {
      ...options,
      nextRequestId,
      clusterTime,
    });
    this.keepAlive = new KeepAlive(ports, {
      start: (body, startOptions) => this.requests.start(body, startOptions),
      suspect: (silenceMs) => this.router.suspect(silenceMs),
    });
  }

  /** Aborts when the client begins to close: from then on nothing new is created (K-050). */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  assertOpen(): void {
    if (this.#closing.signal.aborted) throw clientClosed(false);
  }

  nextRequestId(): number {
    this.#lastRequestId += 1;
    return this.#lastRequestId;
  }

  nextWatchId(): number {
    this.#lastWatchId += 1;
    return this.#lastWatchId;
  }

  connection(): Connection | undefined {
    return this.router.any();
  }

  whenReady(waiter: () => void): Cancel {
    this.#waiters.add(waiter);
    this.router.need();
    return () => this.#waiters.delete(waiter);
  }

  leave(connection: Connection): void {
    this.router.leave(connection);
  }

  /** Ends with the client; returns how to take it off the list. */
  track(closable: Closable): Cancel {
    this.#tracked.add(closable);
    return () => this.#tracked.delete(closable);
  }

  /** Cleaning up that nobody awaits but `close()`; its failure is only logged. */
  background(work: Promise<unknown>): void {
    const settled: Promise<void> = work.then(
      () => undefined,
      (error: unknown) => this.ports.log.warn({ err: error }, 'cleaning up did not succeed'),
    );
    this.#background.add(settled);
    void settled.then(() => this.#background.delete(settled));
  }

  /** Until some node has welcomed this client. Rejects with UNAVAILABLE at the deadline. */
  connected(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancelWait = this.whenReady(() => finish(resolve));
      const onAbort = (): void => finish(() => reject(signal?.reason));
      const onRefused = (error: RaftdError): void => finish(() => reject(error));
      const onDeadline = (): void => finish(() => reject(this.#unreachable(timeoutMs)));
      const cancelDeadline = this.ports.timers.after(timeoutMs, onDeadline, { ref: true });
      const finish = (settle: () => void): void => {
        cancelWait();
        cancelDeadline();
        signal?.removeEventListener('abort', onAbort);
        this.#onHandshakeRefused.delete(onRefused);
        settle();
      };
      this.#onHandshakeRefused.add(onRefused);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** First candidacies and watches, then the sessions, then the connections (rule 17). */
  async close(): Promise<void> {
    this.#closing.abort(clientClosed(false));
    for (const closable of [...this.#tracked]) closable.close();
    await this.#settleBackground(this.options.releaseTimeoutMs);
    await this.requests.closeSessions(Math.min(1_000, this.options.releaseTimeoutMs));
    this.requests.close();
    this.#waiters.clear();
    this.router.close({ code: 'CLIENT_CLOSED', message: 'the client was closed', details: {} });
  }

  async #settleBackground(timeoutMs: number): Promise<void> {
    if (this.#background.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.ports.timers.after(timeoutMs, resolve, { ref: true });
      const drain = async (): Promise<void> => {
        while (this.#background.size > 0) await Promise.all(this.#background);
        cancel();
        resolve();
      };
      void drain();
    });
  }

  #onReady(): void {
    this.requests.pump();
    if (this.router.any() === undefined) return;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter();
  }

  #onTrouble(connection: Connection, error: ErrorBody): void {
    this.requests.trouble(connection, error);
    this.keepAlive.trouble(connection);
    const final = error.code === 'WRONG_CLUSTER' || error.code === 'UNSUPPORTED_VERSION';
    if (!final) return;
    for (const refused of [...this.#onHandshakeRefused]) {
      refused(fromBody(error, { attempts: this.requests.troubles }));
    }
  }

  #unreachable(timeoutMs: number): RaftdError {
    const { troubles } = this.requests;
    const addresses = this.endpoints.addresses.join(', ');
    const message = `none of ${addresses} answered within ${timeoutMs} ms`;
    return new RaftdError('UNAVAILABLE', message, {
      details: { timeoutMs },
      attempts: troubles,
      cause: troubles.at(-1),
    });
  }
}
