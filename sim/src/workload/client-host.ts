import type { Dial } from '@raftd/client';
import type { CrewSurroundings } from '../storm/client-crew.js';
import type { StormEvent } from '../storm/events.js';
import type { StormPlan } from '../storm/plan.js';
import type { Agenda } from '../world/agenda.js';
import { SimProcess } from '../world/process.js';
import { ProcessClock } from '../world/process-clock.js';
import { RandomStream } from '../world/random.js';
import { Cable } from './cable.js';
import { ClientLife } from './client-life.js';
import { PINGS_MISSED_MS } from './connection.js';
import type { Numbering } from './diary.js';
import type { Carriage } from './frames.js';
import { Latency } from './latency.js';
import type { ClientOperation } from './operation.js';
import type { Resources } from './resource.js';
import type { Reader } from './socket-buffer.js';
import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';

/** Machines boot at different times and their wall clocks differ by some seconds. */
const BOOT_OFFSET_MAX_MS = 1_000_000;
const WALL_OFFSET_MAX_MS = 5_000;

export interface ClientHostOptions {
  /** From 0: the first is c1. */
  readonly position: number;
  readonly surroundings: CrewSurroundings;
  readonly carriage: Carriage;
  readonly numbering: Numbering;
  readonly resources: Resources;
}

/** The machine of one client: a clock, cables to every node, and one process at a time. */
export class ClientHost {
  readonly name: string;
  readonly plan: StormPlan;
  readonly addresses: readonly string[];
  readonly numbering: Numbering;
  readonly resources: Resources;
  readonly process: SimProcess;
  readonly dial: Dial;
  readonly #agenda: Agenda;
  readonly #surroundings: CrewSurroundings;
  readonly #cables: ReadonlyMap<string, Cable>;
  readonly #turns: RandomStream;
  readonly #toResource: Latency;
  readonly #fate: RandomStream;
  #life: ClientLife | undefined;
  #isThawing = false;
  #freezes = 0;

  constructor(options: ClientHostOptions) {
    const { surroundings, position, carriage } = options;
    const { plan, agenda, addresses } = surroundings;
    const { profile, seed } = plan;
    const name = `c${position + 1}`;
    this.name = name;
    this.plan = plan;
    this.addresses = addresses;
    this.numbering = options.numbering;
    this.resources = options.resources;
    this.#agenda = agenda;
    this.#surroundings = surroundings;
    this.#turns = new RandomStream(seed, `client/${name}/turns`);
    this.#toResource = new Latency(profile, seed, `client/${name}/resource`);
    this.#fate = new RandomStream(seed, `client/${name}/fate`);
    const skew = profile.clientSkews[position] ?? 0;
    const clock = new ProcessClock(agenda.clock, {
      rate: 1 + skew * CLOCK_RATE_BOUND,
      bootOffsetMs: this.#fate.between(0, BOOT_OFFSET_MAX_MS),
      wallOffsetMs: this.#fate.between(-WALL_OFFSET_MAX_MS, WALL_OFFSET_MAX_MS),
    });
    this.process = new SimProcess(name, agenda, clock, () => surroundings.touched());
    const cableTo = (address: string): Cable =>
      new Cable({ client: name, address, plan, agenda, listeners: surroundings, carriage });
    this.#cables = new Map(addresses.map((address) => [address, cableTo(address)]));
    const reader = this.#reader();
    this.dial = (dial) => this.cable(dial.address).dial(dial, reader);
  }

  get trueNowMs(): number {
    return this.#agenda.nowMs;
  }

  /** Undefined: nothing runs here. */
  get life(): ClientLife | undefined {
    return this.#life;
  }

  cable(address: string): Cable {
    const cable = this.#cables.get(address);
    if (cable === undefined) throw new Error(`assertion failed: ${address} is no node's address`);
    return cable;
  }

  get cables(): Iterable<Cable> {
    return this.#cables.values();
  }

  start(): void {
    this.observe({ type: 'client-started', client: this.name });
    const life = new ClientLife(this, this.process.life + 1);
    this.#life = life;
    this.process.start(() => life.begin());
  }

  kill(): void {
    this.observe({ type: 'client-killed', client: this.name });
    this.#life?.end();
    this.#life = undefined;
    this.process.kill();
    for (const cable of this.cables) cable.clientVanished();
  }

  /** Nodes that ping it in vain end its connections after a while. */
  freeze(): void {
    this.observe({ type: 'client-frozen', client: this.name });
    this.process.freeze();
    this.#freezes += 1;
    const freezes = this.#freezes;
    const missedMs = this.#fate.between(...PINGS_MISSED_MS);
    this.#agenda.at(this.#agenda.nowMs + missedMs, () => {
      if (!this.process.isFrozen || this.#freezes !== freezes) return;
      for (const cable of this.cables) cable.timeOut();
    });
  }

  thaw(order: { readonly timersFirst: boolean }): void {
    this.observe({ type: 'client-thawed', client: this.name });
    this.#isThawing = true;
    this.process.thaw(order);
    this.#isThawing = false;
  }

  operate(operation: ClientOperation): void {
    const life = this.#life;
    if (life !== undefined) this.#deliver(() => life.perform(operation));
  }

  windDown(): void {
    const life = this.#life;
    if (life !== undefined) this.#deliver(() => life.windDown());
  }

  endWatches(): void {
    const life = this.#life;
    if (life !== undefined) this.#deliver(() => life.endWatches());
  }

  becomeCalm(): void {
    this.#toResource.becomeCalm();
    for (const cable of this.cables) cable.becomeCalm();
  }

  after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const run = (): void => {
      if (!isCancelled) callback();
    };
    const cancel = this.process.after(delayMs, () => this.#turn(run));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  defer(callback: () => void): void {
    const [low, high] = this.plan.profile.turnMs;
    const laterMs = high > 0 ? this.#turns.between(low, high) : 0;
    this.process.defer(() => this.#turn(callback), laterMs);
  }

  /** Something goes to or comes from a resource outside the cluster. */
  afterTravel(callback: () => void): void {
    this.#agenda.at(this.#agenda.nowMs + this.#toResource.nextMs(), callback);
  }

  observe(event: StormEvent): void {
    this.#surroundings.observe(event);
  }

  touched(): void {
    this.#surroundings.touched();
  }

  /** Neither an answer nor a known error: the run ends with it. */
  crash(error: unknown): void {
    this.#agenda.at(this.#agenda.nowMs, () => {
      throw error;
    });
  }

  #reader(): Reader {
    const { process } = this;
    return {
      get isFrozen(): boolean {
        return process.isFrozen;
      },
      deliver: (input) => this.#deliver(input),
    };
  }

  #deliver(input: () => void): void {
    this.process.deliver(this.process.isFrozen ? () => this.#turn(input) : input);
  }

  /**
   * What waited for a thaw takes its turns one after the other, with promises between them, as
   * an event loop does: a timer's consequences come before the next input is read.
   */
  #turn(act: () => void): void {
    if (this.#isThawing) this.process.defer(act);
    else act();
  }
}
