import type { Agenda } from '../world/agenda.js';
import type { NodeTarget, StormCommand } from './command.js';
import type { StormEvent } from './events.js';
import type { Listeners } from './listeners.js';
import type { StormPlan } from './plan.js';

type ClientCommandType =
  | 'operate'
  | 'cut-client'
  | 'mend-client'
  | 'reset-client'
  | 'freeze-client'
  | 'thaw-client'
  | 'kill-client'
  | 'start-client'
  | 'jump-client-clock';

/** What the crew is told; all other commands are the cluster's. */
export type ClientCommand = Extract<StormCommand, { readonly type: ClientCommandType }>;

/** What a storm lends to its clients. */
export interface CrewSurroundings extends Listeners {
  /** `seed` keys the crew's draws, `profile` says how many clients and what network. */
  readonly plan: StormPlan;
  readonly agenda: Agenda;
  /** Of every node, by position. */
  readonly addresses: readonly string[];
  /** Whom a command means right now; undefined where nobody fits. */
  addressOf(target: NodeTarget): string | undefined;
  /** Counts, checks and records; never throws. */
  observe(event: StormEvent): void;
  /** Client code ran: before the next event the storm lets its promises come to rest. */
  touched(): void;
}

/** All clients of a storm and the way between them and the nodes. */
export interface ClientCrew {
  /** Starts every client for the first time. */
  start(): void;
  perform(command: ClientCommand): void;
  /**
   * Liveness mode: every client that lives thaws and reaches the nodes at `core` again, and no
   * chance disturbs that any more. Clients that are dead stay dead.
   */
  heal(core: readonly string[]): void;
  /** Nothing more can come: watches and observations, which went on so far, come to their end. */
  endWatches(): void;
  /** No live client has an operation that is not settled; watches count once they are ended. */
  readonly isIdle: boolean;
  /** What is not settled yet, for people. */
  pending(): readonly string[];
}

export type HireCrew = (surroundings: CrewSurroundings) => ClientCrew;
