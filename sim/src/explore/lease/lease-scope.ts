import { holdMs } from '@raftd/client';
import type { Scope, Violation, Visit } from '../scope.js';
import type { StateWriter } from '../state-writer.js';
import { ClientGraph } from './client-graph.js';
import { believes } from './client-node.js';
import { clientMoves } from './client-moves.js';
import { clusterMoves } from './cluster-moves.js';
import { LeaseCommands } from './lease-commands.js';
import {
  clientStepMs,
  LEASE_CONFIG,
  LEASE_VARIANTS,
  type LeaseConfig,
  marginMs,
  promisesExclusion,
  STEP_MS,
} from './lease-config.js';
import { encodeLeaseState, type LeaseState } from './lease-state.js';
import { broken, overlap } from './machine-rules.js';
import type { LeaseParts } from './parts.js';
import { ReplicatedMachine } from './replicated-machine.js';
import { requestMoves } from './request-moves.js';
import { Sightings } from './sightings.js';

export interface LeaseScope extends Scope<LeaseState> {
  readonly sightings: Sightings;
}

/**
 * The lease and fencing machine with pause and leader change (verification B6): the real state
 * machine of `@raftd/coordinator`, and clients whose belief is the real `HeldLease` on the real
 * reading of both clocks. Time goes in steps; every message takes as long as it likes.
 */
export function leaseScope(variants: readonly Partial<LeaseConfig>[] = LEASE_VARIANTS): LeaseScope {
  return new BoundedLeaseScope(variants.map((bounds) => ({ ...LEASE_CONFIG, ...bounds })));
}

class BoundedLeaseScope implements LeaseScope {
  readonly name = 'lease';
  readonly sightings: Sightings = new Sightings();
  readonly #variants: readonly LeaseParts[];

  constructor(configs: readonly LeaseConfig[]) {
    const { sightings } = this;
    this.#variants = configs.map((config) => {
      const machine = new ReplicatedMachine(config);
      const clients = Array.from(
        { length: config.clients },
        (_, at) => new ClientGraph(config, at),
      );
      const commands = new LeaseCommands(config.ttlSteps * STEP_MS);
      return { config, commands, machine, clients, sightings };
    });
  }

  /** The first variant's; the others are one step away. */
  initial(): LeaseState {
    return firstState(this.#parts(0), 0);
  }

  successors(state: LeaseState, visit: Visit<LeaseState>): void {
    const parts = this.#parts(state.variant);
    if (state.isInitial && state.variant + 1 < this.#variants.length) {
      const variant = state.variant + 1;
      visit(() => `variant ${variant}`, firstState(this.#parts(variant), variant));
    }
    const seen: LeaseState = state.isInitial ? { ...state, isInitial: false } : state;
    clusterMoves(parts, seen, visit);
    for (const client of seen.clients.keys()) {
      requestMoves(parts, seen, client, visit);
      clientMoves(parts, seen, client, visit);
    }
  }

  encode(state: LeaseState, into: StateWriter): void {
    encodeLeaseState(state, into);
  }

  violation(state: LeaseState): Violation | undefined {
    const { config } = this.#parts(state.variant);
    const shown = state.broken ?? state.machine.violation ?? this.#overlap(state, config);
    return (
      shown ?? (state.isInitial && promisesExclusion(config) ? unsafeMargin(config) : undefined)
    );
  }

  #parts(variant: number): LeaseParts {
    const parts = this.#variants[variant];
    if (parts === undefined) throw new RangeError(`there is no variant ${variant}`);
    return parts;
  }

  /** L4: at no moment do two act on their belief. */
  #overlap({ clients, step }: LeaseState, config: LeaseConfig): Violation | undefined {
    let first = -1;
    for (const [client, node] of clients.entries()) {
      if (!believes(node)) continue;
      if (first === -1) {
        first = client;
        continue;
      }
      this.sightings.note('two-believe');
      return promisesExclusion(config) ? overlap(first, client, step) : undefined;
    }
    return undefined;
  }
}

/** Clients are alike and so are moments: the first one asks at once. */
function firstState({ machine, clients }: LeaseParts, variant: number): LeaseState {
  return {
    variant,
    isInitial: true,
    step: 0,
    machine: machine.first(),
    leader: { type: 'first' },
    decided: undefined,
    clients: clients.map((graph, at) =>
      at === 0 ? graph.askForLease(graph.first(), 0) : graph.first(),
    ),
    extendedAt: clients.map(() => -1),
    resource: 0,
    duplicates: 0,
    pauses: 0,
    leaderChanges: 0,
    foreignEnds: 0,
    broken: undefined,
  };
}

/**
 * DESIGN §8 in this world's numbers: by the slowest clock that the bound allows, the hold ends the
 * whole margin before the fastest leader can end the lease. The margin is for granularity: drift
 * must not use it up.
 */
function unsafeMargin(config: LeaseConfig): Violation | undefined {
  const ttlMs = config.ttlSteps * STEP_MS;
  const endsMs = config.ttlSteps * clientStepMs(config);
  const spareMs = endsMs - holdMs(ttlMs) - marginMs(ttlMs);
  if (spareMs > -1e-6) return undefined;
  const heldMs = holdMs(ttlMs).toFixed(1);
  return broken('L4', `a lease of ${ttlMs} ms can end after ${endsMs.toFixed(1)}, held ${heldMs}`);
}
