import type { ErrorBody, LeaderHint, ReplyBody, Welcome } from '@raftd/protocol';
import { type BackOffOptions, backOffMs, DEFAULT_BACK_OFF } from './back-off.js';
import { Connection, type ConnectionEvents } from './connection.js';
import type { Endpoints } from './endpoints.js';
import type { Cancel } from './ports.js';
import type { CorePorts, Instant } from './timekeeper.js';

export interface RouterOptions {
  readonly connectTimeoutMs: number;
  readonly silenceMs: number;
  readonly probeMs: number;
  readonly nextRequestId: () => number;
}

export interface RouterEvents {
  onWelcome(welcome: Welcome, at: Instant): void;
  /** A node that is believed to lead, or any node at all, can take requests now. */
  onReady(): void;
  /** Gone, or silent though answers are due: what waits there should go elsewhere. */
  onTrouble(connection: Connection, error: ErrorBody): void;
  /** Somebody waits for a connection: whether to go on looking after a failure. */
  wanted(): boolean;
}

/**
 * While an election runs, ask often: it takes a few hundred milliseconds, and every pause beyond
 * that is time without a leader. A longer outage is asked about less and less.
 */
const SEEK_OFTEN: BackOffOptions = { floorMs: 10, baseMs: 25, capMs: 100 };
const SEEK_OFTEN_TIMES = 16;

/** Redirects followed without a pause; more of them in a row are two nodes that disagree. */
const REDIRECTS_MAX = 4;

type Phase = 'idle' | 'seeking' | 'leader' | 'backing-off';

/** Finds the node that leads and keeps one connection a node. */
export class Router {
  readonly #ports: CorePorts;
  readonly #endpoints: Endpoints;
  readonly #options: RouterOptions;
  readonly #events: RouterEvents;
  readonly #connections = new Map<string, Connection>();
  readonly #all = new Set<Connection>();
  #target: Connection | undefined;
  #phase: Phase = 'idle';
  #failures = 0;
  #redirects = 0;
  #cancelBackOff: Cancel | undefined;
  #clusterId: string | undefined;
  #closed = false;

  constructor(
    ports: CorePorts,
    endpoints: Endpoints,
    options: RouterOptions,
    events: RouterEvents,
  ) {
    this.#ports = ports;
    this.#endpoints = endpoints;
    this.#options = options;
    this.#events = events;
  }

  get clusterId(): string | undefined {
    return this.#clusterId;
  }

  /** The connection for what only the leader answers; undefined: none yet, `need()` one. */
  leader(): Connection | undefined {
    return this.#phase === 'leader' && this.#target?.ready ? this.#target : undefined;
  }

  /** Any node's connection, the leader's first: watches, stale reads. */
  any(): Connection | undefined {
    if (this.#target?.ready) return this.#target;
    for (const connection of this.#connections.values()) if (connection.ready) return connection;
    return undefined;
  }

  need(): void {
    if (this.#phase === 'idle' && !this.#closed) this.#seek();
  }

  /** A connection to one given node, for questions that only it can answer. */
  connectionTo(address: string): Connection {
    return this.#connections.get(address) ?? this.#open(address);
  }

  /** `from` says that it does not lead. */
  notLeader(from: Connection, hint: LeaderHint | undefined): void {
    const news = hint !== undefined && this.#endpoints.noteLeader(hint, from.welcome?.nodeId);
    if (from !== this.#target) return;
    const address = news ? this.#endpoints.leaderAddress() : undefined;
    if (address !== undefined && address !== from.address) return this.#redirect(address);
    if (this.#phase !== 'leader') return;
    this.#endpoints.failed(from.address);
    this.#backOff();
  }

  /** `from` cannot serve now: another node, after a pause. */
  unavailable(from: Connection): void {
    if (from !== this.#target || this.#phase !== 'leader') return;
    this.#endpoints.failed(from.address);
    this.#backOff();
  }

  /** Nothing heard for that long though something is due: try another node (K-065). */
  suspect(silenceMs: number): void {
    const target = this.#target;
    if (target === undefined || this.#phase === 'backing-off') return;
    if (target.silentMs(this.#ports.clock.monotonicMs()) < silenceMs) return;
    this.#abandon(target, `no answer for ${Math.round(silenceMs)} ms`);
  }

  /** This node has nothing to tell for now: what asks next is led to another one. */
  leave(connection: Connection): void {
    if (this.#connections.get(connection.address) !== connection) return;
    this.#connections.delete(connection.address);
    this.#endpoints.failed(connection.address);
    const wasTarget = this.#target === connection;
    if (wasTarget) this.#target = undefined;
    connection.retire();
    if (wasTarget && this.#phase !== 'backing-off') this.#retarget();
  }

  /**
   * A fresh Welcome, each turn of another node: first of the leader if it knew the cluster's time
   * before, otherwise of the others.
   */
  welcomeAgain(turn: number): void {
    if (this.#closed) return;
    const target = this.#target?.ready ? this.#target : undefined;
    const first = target === undefined ? [] : [target.address];
    const others = this.#endpoints.addresses.filter((address) => address !== target?.address);
    const told = target?.welcome?.clusterTimeMs !== undefined;
    const order = told ? [...first, ...others] : [...others, ...first];
    const address = order[turn % order.length];
    if (address === undefined) return;
    const known = this.#connections.get(address);
    if (known === undefined) this.#open(address);
    else if (known.ready) this.#renew(known);
  }

  /** A new connection to the same node in place of this one, which ends with its last answer. */
  #renew(connection: Connection): void {
    this.#connections.delete(connection.address);
    if (this.#target === connection) this.#aim(connection.address);
    else this.#open(connection.address);
    connection.retire();
  }

  close(error: ErrorBody): void {
    this.#closed = true;
    this.#cancelBackOff?.();
    for (const connection of [...this.#all]) connection.close(error);
  }

  #seek(): void {
    this.#aim(this.#endpoints.leaderAddress() ?? this.#endpoints.next());
  }

  #aim(address: string): void {
    this.#phase = 'seeking';
    const known = this.#connections.get(address);
    if (known?.ready) {
      this.#target = known;
      const { welcome } = known;
      if (welcome !== undefined && this.#endpoints.isLeader(welcome.nodeId)) this.#found();
      else this.#ask(known);
      return;
    }
    this.#target = known ?? this.#open(address);
  }

  #open(address: string): Connection {
    const events: ConnectionEvents = {
      onWelcome: (connection, welcome) => this.#onWelcome(connection, welcome),
      onClosed: (connection, error) => this.#onClosed(connection, error),
      onSilent: (connection) => this.#onSilent(connection),
    };
    const { connectTimeoutMs } = this.#options;
    const options = { ...this.#options, address, clusterId: this.#clusterId };
    const connection = new Connection(this.#ports, options, events);
    this.#connections.set(address, connection);
    this.#all.add(connection);
    const giveUp = (): void => {
      if (!connection.ready) connection.close(unavailable(address, connectTimeoutMs));
    };
    this.#ports.timers.after(connectTimeoutMs, giveUp, { ref: false });
    return connection;
  }

  #onWelcome(connection: Connection, welcome: Welcome): void {
    if (this.#clusterId !== undefined && this.#clusterId !== welcome.clusterId) {
      const details = { expected: this.#clusterId, found: welcome.clusterId };
      const message = `${connection.address} belongs to another cluster`;
      return connection.close({ code: 'WRONG_CLUSTER', message, details });
    }
    this.#clusterId = welcome.clusterId;
    this.#endpoints.welcomed(connection.address, welcome);
    this.#events.onWelcome(welcome, connection.welcomedAt ?? this.#ports.time.now());
    if (connection === this.#target) this.#examine(connection);
    this.#events.onReady();
  }

  /** The target has just told what it knows: stay, follow, or ask around. */
  #examine(connection: Connection): void {
    const { welcome } = connection;
    if (welcome !== undefined && this.#endpoints.isLeader(welcome.nodeId)) return this.#found();
    const address = this.#endpoints.leaderAddress();
    if (address !== undefined && address !== connection.address) return this.#redirect(address);
    this.#backOff();
  }

  #found(): void {
    this.#phase = 'leader';
    this.#failures = 0;
    this.#redirects = 0;
    this.#events.onReady();
  }

  /** At once, but not for ever. */
  #redirect(address: string): void {
    this.#redirects += 1;
    if (this.#redirects > REDIRECTS_MAX) return this.#backOff();
    this.#cancelBackOff?.();
    this.#cancelBackOff = undefined;
    this.#aim(address);
  }

  /** A node that was welcomed a while ago: who leads now? */
  #ask(connection: Connection): void {
    const onReply = (body: ReplyBody): void => {
      if (connection !== this.#target || this.#phase !== 'seeking') return;
      const status = body.type === 'status' ? body.status : undefined;
      if (status?.leader !== undefined) this.#endpoints.noteLeader(status.leader, status.id);
      this.#examine(connection);
    };
    const sink = { onReply, onLost: () => undefined };
    connection.send({ type: 'status', requestId: this.#options.nextRequestId() }, sink);
  }

  #backOff(): void {
    this.#phase = 'backing-off';
    this.#redirects = 0;
    const often = this.#failures < SEEK_OFTEN_TIMES;
    const options = often ? SEEK_OFTEN : DEFAULT_BACK_OFF;
    const delayMs = backOffMs(this.#failures, this.#ports.random, options);
    this.#failures += 1;
    this.#cancelBackOff?.();
    this.#cancelBackOff = this.#ports.timers.after(delayMs, () => this.#onBackedOff(), {
      ref: true,
    });
  }

  #onBackedOff(): void {
    this.#cancelBackOff = undefined;
    this.#phase = 'idle';
    if (!this.#closed && this.#events.wanted()) this.#seek();
  }

  #onSilent(connection: Connection): void {
    // One that takes nothing new may still carry watches: they would stand still for ever.
    if (!connection.abandoned) {
      this.#abandon(connection, `no answer for ${this.#options.silenceMs} ms`);
    }
  }

  /** Keeps listening for late answers, sends nothing more there. */
  #abandon(connection: Connection, message: string): void {
    this.#ports.log.warn({ address: connection.address }, message);
    if (this.#connections.get(connection.address) === connection) {
      this.#connections.delete(connection.address);
    }
    this.#endpoints.failed(connection.address);
    const wasTarget = this.#target === connection;
    if (wasTarget) this.#target = undefined;
    const error: ErrorBody = { code: 'UNAVAILABLE', message, details: {} };
    if (!connection.ready) connection.close(error);
    else this.#events.onTrouble(connection, error);
    connection.abandon(error);
    if (wasTarget) this.#retarget();
  }

  #onClosed(connection: Connection, error: ErrorBody): void {
    this.#all.delete(connection);
    if (this.#connections.get(connection.address) === connection) {
      this.#connections.delete(connection.address);
    }
    if (!connection.retired) this.#events.onTrouble(connection, error);
    if (connection !== this.#target || this.#closed) return;
    this.#endpoints.failed(connection.address);
    this.#target = undefined;
    if (this.#phase !== 'backing-off') this.#backOff();
  }

  /** The target fell silent: the pause was long enough already. */
  #retarget(): void {
    this.#phase = 'idle';
    if (this.#events.wanted() && !this.#closed) this.#seek();
  }
}

function unavailable(address: string, timeoutMs: number): ErrorBody {
  const message = `${address} did not answer within ${timeoutMs} ms`;
  return { code: 'UNAVAILABLE', message, details: { address } };
}
