import type { ClientPorts, Clock, CorePorts, Instant } from '@raftd/client';
import { Timekeeper } from '@raftd/client';
import { clientStepMs, type LeaseConfig } from './lease-config.js';

/** A moment of one client: how far time is, and how much of it went by while it was suspended. */
export interface Moment {
  readonly step: number;
  readonly slept: number;
}

/** Nothing here waits: whoever acts reads the clocks. */
const IDLE_PORTS: Omit<ClientPorts, 'clock'> = {
  timers: { after: () => () => undefined, defer: () => undefined },
  random: () => 0.5,
  randomId: () => 'id',
  dial: () => ({ send: () => undefined, close: () => undefined }),
  log: {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  },
};

/** A clock that is set by hand. */
class HandClock implements Clock {
  monotonic = 0;
  wall = 0;

  monotonicMs(): number {
    return this.monotonic;
  }

  wallMs(): number {
    return this.wall;
  }
}

/** The ports of the real client at one moment, with its real reading of both clocks. */
export class ClientClock {
  readonly #stepMs: number;
  readonly #wallStops: boolean;
  readonly #ports: CorePorts[] = [];

  constructor(config: LeaseConfig) {
    this.#stepMs = clientStepMs(config);
    this.#wallStops = config.pauseShowsOn === 'neither';
  }

  portsAt(moment: Moment): CorePorts {
    const at = moment.step * 64 + moment.slept;
    this.#ports[at] ??= this.#portsOf(moment);
    return this.#ports[at];
  }

  at(moment: Moment): Instant {
    return this.portsAt(moment).time.now();
  }

  /** Suspended, a monotonic clock stops; the wall clock shows it afterwards. */
  #portsOf({ step, slept }: Moment): CorePorts {
    const clock = new HandClock();
    const time = new Timekeeper(clock);
    clock.monotonic = (step - slept) * this.#stepMs;
    clock.wall = clock.monotonic + (this.#wallStops ? 0 : slept * this.#stepMs);
    time.now();
    return { ...IDLE_PORTS, clock, time };
  }
}
