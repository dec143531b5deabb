import type { DialOptions, Wire } from '@raftd/client';
import type { Listeners } from '../storm/listeners.js';
import type { StormPlan } from '../storm/plan.js';
import type { Agenda } from '../world/agenda.js';
import { RandomStream } from '../world/random.js';
import { Connection, PINGS_MISSED_MS } from './connection.js';
import type { Carriage } from './frames.js';
import { Latency } from './latency.js';
import type { Way } from './one-way.js';
import type { Reader } from './socket-buffer.js';

export interface CableOptions {
  readonly client: string;
  readonly address: string;
  readonly plan: StormPlan;
  readonly agenda: Agenda;
  readonly listeners: Listeners;
  readonly carriage: Carriage;
}

/** The way between one client and one node, and every connection that lies on it. */
export class Cable implements Way {
  readonly agenda: Agenda;
  readonly #options: CableOptions;
  readonly #up: Latency;
  readonly #down: Latency;
  readonly #fate: RandomStream;
  readonly #connections = new Set<Connection>();
  #isCut = false;
  #cuts = 0;
  #isCalm = false;

  constructor(options: CableOptions) {
    this.#options = options;
    this.agenda = options.agenda;
    const { client, address } = options;
    const { profile, seed } = options.plan;
    this.#up = new Latency(profile, seed, `cable/${client}/${address}/up`);
    this.#down = new Latency(profile, seed, `cable/${client}/${address}/down`);
    this.#fate = new RandomStream(seed, `cable/${client}/${address}/fate`);
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  dial(dial: DialOptions, reader: Reader): Wire {
    const { listeners, carriage } = this.#options;
    const connection = new Connection({
      dial,
      reader,
      way: this,
      up: this.#up,
      down: this.#down,
      listeners,
      carriage,
      fate: this.#fate,
      onOver: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection.wire;
  }

  /** Nothing passes any more, and nobody is told. False: so it was. */
  cut(): boolean {
    if (this.#isCut) return false;
    this.#isCut = true;
    this.#cuts += 1;
    const cuts = this.#cuts;
    const missedMs = this.#fate.between(...PINGS_MISSED_MS);
    this.agenda.at(this.agenda.nowMs + missedMs, () => {
      if (this.#isCut && this.#cuts === cuts) this.timeOut();
    });
    return true;
  }

  mend(): void {
    if (!this.#isCut) return;
    this.#isCut = false;
    for (const connection of [...this.#connections]) connection.mended({ isCalm: this.#isCalm });
  }

  /** Every connection breaks. False: there was none. */
  reset(): boolean {
    for (const connection of [...this.#connections]) connection.reset();
    return this.#connections.size > 0;
  }

  /** The other side gives up on a client that has not answered pings. */
  timeOut(): void {
    for (const connection of [...this.#connections]) connection.timeOut();
  }

  clientVanished(): void {
    for (const connection of [...this.#connections]) connection.clientVanished();
  }

  becomeCalm(): void {
    this.#isCalm = true;
    this.#up.becomeCalm();
    this.#down.becomeCalm();
  }
}
