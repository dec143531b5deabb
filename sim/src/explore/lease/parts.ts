import type { ClientGraph } from './client-graph.js';
import type { LeaseConfig } from './lease-config.js';
import type { LeaseCommands } from './lease-commands.js';
import type { ReplicatedMachine } from './replicated-machine.js';
import type { Sightings } from './sightings.js';

/** What stays the same over a search. */
export interface LeaseParts {
  readonly config: LeaseConfig;
  readonly commands: LeaseCommands;
  readonly machine: ReplicatedMachine;
  /** One graph a client. */
  readonly clients: readonly ClientGraph[];
  readonly sightings: Sightings;
}

export function graphOf({ clients }: LeaseParts, client: number): ClientGraph {
  const graph = clients[client];
  if (graph === undefined) throw new RangeError(`there is no client ${client}`);
  return graph;
}
