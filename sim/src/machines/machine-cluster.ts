import {
  type CommandCodec,
  Coordinator,
  type LoggedCommand,
  type Settings,
} from '@raftd/coordinator';
import type { Entry, NodeId } from '@raftd/raft';
import { isSameContent } from '../history/same-content.js';
import { Checkers } from '../invariants/checkers.js';
import { InvariantBroken } from '../invariants/invariant.js';
import type { WorldEvent, WorldObserver } from '../world/events.js';
import type { RaftNode } from '../world/node.js';
import { CALM_PROFILE, type WorldProfile } from '../world/profile.js';
import { boundsOf } from '../world/raft-view.js';
import { World } from '../world/world.js';
import { CommandBook } from './command-book.js';
import { type MachineEntry, MachineRules } from './machine-rules.js';

export interface MachineClusterOptions {
  readonly profile: Partial<WorldProfile>;
  /** What the test initializes the cluster with; the rules hold the machines to it. */
  readonly settings: Settings;
  /** Another machine in place of the real one: for those broken on purpose. */
  readonly createMachine?: CreateMachine;
}

export type CreateMachine = (codec: CommandCodec, node: NodeId) => Coordinator;

interface Outcome extends MachineEntry {
  readonly hash: string;
}

/**
 * Bare cores with a real state machine on each, and nothing between that would turn a strange
 * command away: the servers, codecs and clients of a storm let few of them through.
 */
export class MachineCluster implements WorldObserver {
  readonly world: World;
  readonly rules: MachineRules;
  readonly #book = new CommandBook();
  readonly #options: MachineClusterOptions;
  readonly #machines = new Map<NodeId, Coordinator>();
  readonly #outcomes: Outcome[] = [];

  constructor(options: MachineClusterOptions) {
    const profile = { ...CALM_PROFILE, ...options.profile };
    this.#options = options;
    this.rules = new MachineRules(options.settings);
    this.world = new World({ profile });
    this.world.attach(this);
    this.world.attach(new Checkers(this.world, boundsOf(profile)));
    this.world.start();
  }

  /** Every entry that some machine has applied, in order. */
  get outcomes(): readonly MachineEntry[] {
    return this.#outcomes;
  }

  /** Of a node that is up. */
  machineOf(node: RaftNode): Coordinator {
    let machine = this.#machines.get(node.id);
    if (machine === undefined) {
      const { createMachine } = this.#options;
      machine = createMachine?.(this.#book, node.id) ?? new Coordinator({ codec: this.#book });
      this.#machines.set(node.id, machine);
    }
    return machine;
  }

  /** To whoever leads now; lost where nobody does. `afterMs`: cluster time since the last entry. */
  propose(command: LoggedCommand, afterMs = 1): void {
    this.#give(this.#book.encode(command), afterMs);
  }

  /** What the leader's own machine wants proposed after so much more cluster time. */
  proposeDue(afterMs: number, wallTimeMs: number): void {
    const leader = this.world.leader();
    if (leader === undefined) return;
    for (const payload of this.machineOf(leader).due(this.lastStampMs + afterMs, wallTimeMs)) {
      this.#give(payload, afterMs);
    }
  }

  /** Cluster time of the last entry of the leader's log. */
  get lastStampMs(): number {
    const view = this.world.leader()?.view;
    return view?.entryAt(view.lastIndex)?.clusterTimeMs ?? 0;
  }

  /** Runs until somebody leads and has applied its own first entry. */
  advanceUntilLed(): void {
    for (let step = 0; step < 1_000; step += 1) {
      const view = this.world.leader()?.view;
      if (view?.entryAt(view.appliedIndex)?.term === view?.term && view !== undefined) return;
      this.world.advance(50);
    }
    throw new Error('nobody leads');
  }

  observe(event: WorldEvent): void {
    if (event.type === 'crashed') this.#machines.delete(event.node);
    else if (event.type === 'applied') this.#apply(event.node, event.entry);
  }

  #give(payload: Uint8Array, afterMs: number): void {
    const clusterTimeMs = this.lastStampMs + afterMs;
    this.world.leader()?.give({ type: 'propose', payload, clusterTimeMs });
  }

  #apply(node: NodeId, { index, clusterTimeMs, payload }: Entry): void {
    const machine = this.machineOf(this.world.node(node));
    const { result, changes } = machine.apply(index, clusterTimeMs, payload);
    const outcome = { result, changes, hash: machine.stateHash() };
    const known = this.#outcomes[index - 1];
    if (known === undefined) {
      machine.checkInvariants();
      const logged = payload.length === 0 ? undefined : this.#book.decode(payload);
      const entry = { index, logged, ...outcome };
      this.#outcomes.push(entry);
      this.rules.judge(entry, machine);
      return;
    }
    const isAlike =
      known.hash === outcome.hash &&
      isSameContent(known.result, result) &&
      isSameContent(known.changes, changes);
    if (!isAlike) throw new InvariantBroken('L5', `${node} made something else of entry ${index}`);
  }
}
