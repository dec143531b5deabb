import type { Welcome } from '@raftd/protocol';
import { backOffMs } from './back-off.js';
import type { Cancel } from './ports.js';
import { type CorePorts, elapsedMs, type Instant } from './timekeeper.js';

/** Cluster time as a Welcome told it, and when that came. */
export interface ToldTime {
  readonly timeMs: number;
  readonly at: Instant;
}

export interface WelcomeSource {
  /** Fetches a Welcome; `turn` counts from 0, so that each is asked of another node. */
  ask(turn: number): void;
  /** Somebody still waits for it. */
  wanted(): boolean;
}

/**
 * Older than this, a Welcome's time opens no session: the time may only be behind the cluster's,
 * and by much less than a session's life, or late duplicates could open it again.
 */
const AGE_MAX_MS = 60_000;

/**
 * The cluster time to open sessions with. A node that has not caught up tells none, or one long
 * past, under which a session has expired before it begins: the latest one counts, whoever told
 * it, and where there is none nodes are asked in turn, with pauses.
 */
export class ClusterTime {
  readonly #ports: CorePorts;
  readonly #source: WelcomeSource;
  #told: ToldTime | undefined;
  /** A session opened at this time, hence at any earlier one, has expired. */
  #spentMs = -1;
  #turn = 0;
  #cancelPause: Cancel | undefined;

  constructor(ports: CorePorts, source: WelcomeSource) {
    this.#ports = ports;
    this.#source = source;
  }

  onWelcome({ clusterTimeMs: timeMs }: Welcome, at: Instant): void {
    if (timeMs === undefined || timeMs <= this.#spentMs) return;
    const told = this.#told;
    if (told !== undefined && timeMs < told.timeMs && isFresh(told, at)) return;
    this.#told = { timeMs, at };
    this.#turn = 0;
    this.#cancelPause?.();
    this.#cancelPause = undefined;
  }

  /** Undefined: none is known now; it is asked for, and a Welcome will bring it. */
  read(now: Instant): ToldTime | undefined {
    if (this.#told !== undefined && isFresh(this.#told, now)) return this.#told;
    this.#told = undefined;
    this.#ask();
    return undefined;
  }

  spend(timeMs: number): void {
    this.#spentMs = Math.max(this.#spentMs, timeMs);
    if (this.#told !== undefined && this.#told.timeMs <= this.#spentMs) this.#told = undefined;
  }

  #ask(): void {
    if (this.#cancelPause !== undefined) return;
    const pauseMs = backOffMs(this.#turn, this.#ports.random);
    const again = (): void => {
      this.#cancelPause = undefined;
      if (this.#source.wanted()) this.#ask();
    };
    this.#cancelPause = this.#ports.timers.after(pauseMs, again, { ref: false });
    this.#turn += 1;
    this.#source.ask(this.#turn - 1);
  }
}

function isFresh(told: ToldTime, now: Instant): boolean {
  return elapsedMs(told.at, now) <= AGE_MAX_MS;
}
