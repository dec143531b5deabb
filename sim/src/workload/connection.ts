import type { DialOptions, Wire } from '@raftd/client';
import type { Listeners } from '../storm/listeners.js';
import type { RandomStream } from '../world/random.js';
import { ClientEnd, type Down, END, type Up } from './client-end.js';
import type { Carriage } from './frames.js';
import type { Latency } from './latency.js';
import { OneWay, type Parcel, type Way } from './one-way.js';
import { ServerEnd } from './server-end.js';
import type { Reader } from './socket-buffer.js';

/** TCP and the upgrade of HTTP take this many ways before the hello can leave. */
const WAYS_BEFORE_HELLO = 4;

/** A machine that lost power says nothing: its clients find out by a reset when it is back. */
const DOWN_UNNOTICED_PERCENT = 25;
const DOWN_UNNOTICED_MS = 5_000;

/** A client that died without a word is found by missed pings: two to three intervals of 10 s. */
export const PINGS_MISSED_MS: readonly [low: number, high: number] = [20_000, 30_000];
const DEATH_UNNOTICED_PERCENT = 25;

/** After a cut TCP sends again at its next interval; the longer the cut, the rarer they are. */
const RESENT_AFTER_MS = 400;
const RESET_AT_MEND_PERCENT = 30;

export interface ConnectionOptions {
  readonly dial: DialOptions;
  readonly reader: Reader;
  readonly way: Way;
  readonly up: Latency;
  readonly down: Latency;
  readonly listeners: Listeners;
  readonly carriage: Carriage;
  /** Draws of how this connection ends. */
  readonly fate: RandomStream;
  readonly onOver: () => void;
}

/**
 * One connection between a client and a node, both ends of it. What each end knows of the other
 * is what has arrived: a cut connection stays up until somebody notices by a time-out.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #up: OneWay<Up>;
  readonly #down: OneWay<Down>;
  readonly #client: ClientEnd;
  #server: ServerEnd | undefined;
  #isOver = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { way, dial } = options;
    this.#up = new OneWay<Up>(way, options.up, (parcel) => this.#onArrivalUp(parcel));
    this.#down = new OneWay<Down>(way, options.down, (parcel) => this.#client.arrive(parcel));
    this.#client = new ClientEnd({
      address: dial.address,
      handlers: dial.handlers,
      reader: options.reader,
      carriage: options.carriage,
      up: this.#up,
      down: this.#down,
      onClosing: () => this.#onClientClosing(),
      onClosed: () => this.#onEndClosed(),
    });
    const extraMs = WAYS_BEFORE_HELLO * options.up.nextMs();
    this.#client.open(dial.hello, extraMs);
  }

  get wire(): Wire {
    return this.#client;
  }

  /** The client's process was killed. Its kernel says so, or its whole machine went. */
  clientVanished(): void {
    const { fate, way } = this.#options;
    const isSilent = fate.percent(DEATH_UNNOTICED_PERCENT);
    const silenceMs = fate.between(...PINGS_MISSED_MS);
    this.#client.vanish();
    this.#onEndClosed();
    if (isSilent) way.agenda.at(way.agenda.nowMs + silenceMs, () => this.#server?.fail());
    else this.#up.send(END, 0);
  }

  /** The way is whole again: TCP delivers what it held, or one side had given up. */
  mended({ isCalm }: { readonly isCalm: boolean }): void {
    const { fate } = this.#options;
    const isReset = fate.percent(RESET_AT_MEND_PERCENT) && !isCalm;
    const resentAfterMs = fate.between(0, RESENT_AFTER_MS);
    if (isReset) {
      this.reset();
      return;
    }
    this.#up.release(resentAfterMs);
    this.#down.release(resentAfterMs);
  }

  /** Both sides are told that the connection is gone; what was on its way is lost. */
  reset(): void {
    const { way, up, down } = this.#options;
    this.#up.break();
    this.#down.break();
    way.agenda.at(way.agenda.nowMs + down.nextMs(), () => this.#client.fail('ECONNRESET'));
    way.agenda.at(way.agenda.nowMs + up.nextMs(), () => this.#server?.fail());
  }

  /** Pings are missed, on both sides. */
  timeOut(): void {
    this.#client.fail('ETIMEDOUT');
    this.#server?.fail();
  }

  #onArrivalUp(parcel: Parcel<Up>): void {
    if (this.#server === undefined && !this.#connect()) return;
    if (this.#server?.isClosed === false) {
      this.#server.arrive(parcel);
      return;
    }
    // A kernel that is there knows no such connection; one that is not says nothing.
    const { listeners, dial } = this.#options;
    const isThere = listeners.listenerAt(dial.address) !== undefined;
    if (isThere && parcel.item !== END) this.#tellClient('ECONNRESET');
  }

  #connect(): boolean {
    const { listeners, dial, carriage } = this.#options;
    const listener = listeners.listenerAt(dial.address);
    if (listener === undefined) {
      this.#up.break();
      this.#tellClient('ECONNREFUSED');
      return false;
    }
    this.#server = new ServerEnd({
      listener,
      carriage,
      up: this.#up,
      down: this.#down,
      onDown: () => this.#onNodeDown(),
      onClosed: () => this.#onEndClosed(),
    });
    return true;
  }

  #tellClient(reason: string): void {
    const { way, down } = this.#options;
    way.agenda.at(way.agenda.nowMs + down.nextMs(), () => {
      if (!way.isCut) this.#client.fail(reason);
    });
  }

  /** What it had sent before still arrives; then its kernel says that it is gone, or nothing. */
  #onNodeDown(): void {
    const { fate } = this.#options;
    const isSilent = fate.percent(DOWN_UNNOTICED_PERCENT);
    const silenceMs = fate.between(0, DOWN_UNNOTICED_MS);
    this.#down.send(END, 0, isSilent ? silenceMs : 0);
    this.#onEndClosed();
  }

  #onClientClosing(): void {
    const { way, up, down, reader } = this.#options;
    const agreedMs = way.agenda.nowMs + up.nextMs() + down.nextMs();
    way.agenda.at(agreedMs, () => reader.deliver(() => this.#client.closed()));
  }

  #onEndClosed(): void {
    if (this.#isOver || !this.#client.isClosed || this.#server?.isClosed === false) return;
    this.#isOver = true;
    this.#options.onOver();
  }
}
