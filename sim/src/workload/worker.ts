import type { Client, Leadership } from '@raftd/client';
import type { RandomStream } from '../world/random.js';
import type { Diary } from './diary.js';
import type { SubscriptionType } from './operation.js';

/** A leadership that a client has won, as its worker handles it. */
export interface Holding {
  readonly leadership: Leadership;
  /** The outside resource has refused its token: even the careless stop. */
  readonly isFenced: boolean;
  /**
   * Sends a write to the outside resource, which arrives later. `asked`: the worker asked
   * `assertHeld()` right before.
   */
  write(asked: boolean): void;
}

/** What an operation has at hand: one life of one client. */
export interface Worker {
  readonly name: string;
  readonly client: Client;
  readonly diary: Diary;
  readonly dice: RandomStream;
  /** The highest revision that this life has seen. */
  revisionSeen: number;
  /** The client's own clock. */
  nowMs(): number;
  /** The storm is over: what waits or works on purpose comes to its end. */
  readonly isWindingDown: boolean;
  /** Until the time has passed or winding down begins. Never resolves in a life that ended. */
  rest(ms: number): Promise<void>;
  /** Calls back as `rest` resolves; returns a cancel. */
  afterRest(ms: number, callback: () => void): () => void;
  /**
   * Calls back when a subscription has gone on for long enough; returns a cancel. One of each kind
   * goes on in liveness mode, and all that are open then, until nothing more can come.
   */
  afterWatching(kind: SubscriptionType, ms: number, callback: () => void): () => void;
  /** Tells that leadership was won, and in time that it is over. */
  hold(leadership: Leadership): Holding;
  /** Leaderships held as far as this client knows, oldest first. */
  readonly holdings: readonly Holding[];
  /** A second client of the same process. */
  connect(): Promise<Client>;
}
