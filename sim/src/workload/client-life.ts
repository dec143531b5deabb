import {
  type Client,
  type ClientPorts,
  connectWith,
  type DialOptions,
  type Leadership,
  RaftdError,
  type Wire,
} from '@raftd/client';
import { RandomStream } from '../world/random.js';
import type { ClientHost } from './client-host.js';
import { clientPorts } from './client-ports.js';
import { Diary } from './diary.js';
import { GrantHeld } from './grant-held.js';
import { operate } from './operate.js';
import { type ClientOperation, isSubscription, type SubscriptionType } from './operation.js';
import { WatchingTime } from './watching-time.js';
import type { Holding, Worker } from './worker.js';

/** Operations of one client at once; a further one is left out. */
export const OPERATIONS_MAX = 12;

const RECONNECT_MS: readonly [low: number, high: number] = [50, 500];

/** Most programs leave the default; some give up sooner, and hear of unknown outcomes. */
const CALL_TIMEOUTS_MS: readonly number[] = [10_000, 10_000, 2_500];

/** What a process that is no more would get. */
const NO_WIRE: Wire = { send: () => undefined, close: () => undefined };

interface Running {
  readonly operation: ClientOperation;
  readonly sinceMs: number;
}

/**
 * One process of a client, from its start to its death, around the real library. Whatever of it
 * still runs after the death reaches nothing: no clock, no network, no record.
 */
export class ClientLife implements Worker {
  readonly name: string;
  readonly diary: Diary;
  readonly dice: RandomStream;
  revisionSeen = 0;
  readonly #host: ClientHost;
  readonly #ports: ClientPorts;
  readonly #running = new Set<Running>();
  readonly #resting = new Set<() => void>();
  readonly #watching: WatchingTime;
  #holdings: GrantHeld[] = [];
  #client: Client | undefined;
  #connected: Promise<void> = Promise.resolve();
  #isOver = false;
  #isWindingDown = false;

  constructor(host: ClientHost, number: number) {
    const { name, plan, numbering } = host;
    const life = `${name}.${number}`;
    this.name = name;
    this.#host = host;
    this.diary = new Diary(name, numbering, (event) => {
      if (!this.#isOver) host.observe(event);
    });
    this.dice = new RandomStream(plan.seed, `client/${life}/dice`);
    const { clock } = host.process;
    const inside = {
      monotonicMs: () => clock.monotonicMs(),
      wallMs: () => clock.wallMs(),
      after: (delayMs: number, callback: () => void) => this.#after(delayMs, callback),
      defer: (callback: () => void) => {
        if (!this.#isOver) host.defer(callback);
      },
      dial: (dial: DialOptions) => (this.#isOver ? NO_WIRE : host.dial(dial)),
    };
    this.#ports = clientPorts(inside, plan.seed, life);
    const isKept = plan.liveness !== undefined;
    this.#watching = new WatchingTime(inside.after, { isKept });
  }

  begin(): void {
    this.#connected = this.#connect();
    this.#connected.catch((error: unknown) => this.#host.crash(error));
  }

  /** kill -9. */
  end(): void {
    this.#isOver = true;
    this.#running.clear();
    this.#resting.clear();
    this.#watching.end();
    this.#holdings = [];
  }

  perform(operation: ClientOperation): void {
    if (this.#running.size >= OPERATIONS_MAX) return;
    const running = { operation, sinceMs: this.#host.trueNowMs };
    this.#running.add(running);
    this.#connected
      .then(() => operate(this, operation))
      .then(
        () => this.#running.delete(running),
        (error: unknown) => this.#host.crash(error),
      );
  }

  windDown(): void {
    this.#isWindingDown = true;
    for (const wake of [...this.#resting]) wake();
    this.#watching.keepAll();
  }

  endWatches(): void {
    this.#watching.end();
  }

  /** Operations that are not settled, for people. */
  get pending(): readonly string[] {
    const nowMs = this.#host.trueNowMs;
    const pending = [...this.#running].filter(({ operation }) => this.#isWaitedFor(operation));
    return pending.map(({ operation, sinceMs }) => {
      const seconds = ((nowMs - sinceMs) / 1_000).toFixed(1);
      return `${this.name}: ${operation.type}, for ${seconds} s`;
    });
  }

  get isIdle(): boolean {
    for (const { operation } of this.#running) if (this.#isWaitedFor(operation)) return false;
    return true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isWindingDown(): boolean {
    return this.#isWindingDown;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error('assertion failed: not connected yet');
    return this.#client;
  }

  get holdings(): readonly Holding[] {
    return this.#holdings;
  }

  nowMs(): number {
    return this.#host.process.clock.monotonicMs();
  }

  rest(ms: number): Promise<void> {
    return new Promise((resolve) => this.afterRest(ms, resolve));
  }

  afterRest(ms: number, callback: () => void): () => void {
    const cancel = (): void => {
      cancelTimer();
      this.#resting.delete(wake);
    };
    const wake = (): void => {
      cancel();
      callback();
    };
    const cancelTimer = this.#after(this.#isWindingDown ? 1 : ms, wake);
    this.#resting.add(wake);
    return cancel;
  }

  afterWatching(kind: SubscriptionType, ms: number, callback: () => void): () => void {
    return this.#watching.after(kind, ms, callback);
  }

  hold(leadership: Leadership): Holding {
    const held = new GrantHeld(this.#host, this, leadership, () => {
      this.#holdings = this.#holdings.filter((other) => other !== held);
    });
    this.#holdings.push(held);
    held.tell();
    return held;
  }

  connect(): Promise<Client> {
    return connectWith(this.#ports, this.#host.addresses, { timeoutMs: 3_000 });
  }

  async #connect(): Promise<void> {
    const at = Math.floor(this.dice.next() * CALL_TIMEOUTS_MS.length);
    const callTimeoutMs = CALL_TIMEOUTS_MS[at];
    for (;;) {
      try {
        this.#client = await connectWith(this.#ports, this.#host.addresses, { callTimeoutMs });
        return;
      } catch (error) {
        if (!(error instanceof RaftdError)) throw error;
      }
      const pauseMs = this.dice.between(...RECONNECT_MS);
      await new Promise<void>((resolve) => this.#after(pauseMs, resolve));
    }
  }

  /** Watches go on until they are ended: only then they too must come to rest. */
  #isWaitedFor(operation: ClientOperation): boolean {
    return this.#watching.isEnded || !isSubscription(operation);
  }

  #after(delayMs: number, callback: () => void): () => void {
    return this.#isOver ? () => undefined : this.#host.after(delayMs, callback);
  }
}
