import type { Coordinator } from '@raftd/coordinator';
import { type LogIndex, type NodeId, NO_INDEX, Raft } from '@raftd/raft';
import type { Agenda } from '../world/agenda.js';
import type { ClusterProbe, NodeProbe } from '../world/cluster-probe.js';
import type { DriverFault } from '../world/driver-fault.js';
import type { NodeTarget } from './command.js';
import type { StormEvent } from './events.js';
import type { FaultKind } from './fault-kind.js';
import type { Listeners, NodeListener } from './listeners.js';
import { PeerNetwork } from './net/peer-network.js';
import {
  addressOf,
  type ChangeOptions,
  type CreateCore,
  type NodeSurroundings,
} from './node/node-surroundings.js';
import { createSharedCodec } from './node/shared-codec.js';
import { StormNode } from './node/storm-node.js';
import type { StormPlan } from './plan.js';
import type { StormProfile } from './profile.js';

/** What observers may know of the cluster, beside the events. */
export interface StormProbe extends ClusterProbe {
  /** The state machine of a node that is up. */
  machineOf(node: NodeId): Coordinator | undefined;
  /** Its process runs, and is not frozen. */
  isAwake(node: NodeId): boolean;
  /** The link from one to the other loses everything. */
  isCut(from: NodeId, to: NodeId): boolean;
}

export interface StormClusterOptions {
  readonly plan: StormPlan;
  readonly agenda: Agenda;
  /** Told of everything; never throws. */
  readonly observe: (event: StormEvent) => void;
  /** Something happened that no fault explains. */
  readonly onDefect: (sentence: string) => void;
  /** A node goes on with what it could see is damaged. */
  readonly onDamageTaken: (sentence: string) => void;
  readonly driverFaults?: readonly DriverFault[];
  readonly createCore?: CreateCore | undefined;
  readonly nodeOptions?: ChangeOptions | undefined;
}

/** All nodes of a storm and the network between them. */
export class StormCluster implements StormProbe, Listeners {
  readonly agenda: Agenda;
  readonly nodes: readonly StormNode[];
  readonly network: PeerNetwork;
  readonly #byId = new Map<NodeId, StormNode>();
  readonly #observe: (event: StormEvent) => void;
  #highestCommit: LogIndex = NO_INDEX;

  constructor(options: StormClusterOptions) {
    const { plan, agenda, onDefect, onDamageTaken } = options;
    const { profile, seed } = plan;
    this.agenda = agenda;
    this.#observe = options.observe;
    const ids = Array.from({ length: profile.nodeCount }, (_, at) => `n${at + 1}` as NodeId);
    const around: NodeSurroundings = {
      agenda,
      seed,
      profile,
      ids,
      driverFaults: new Set(options.driverFaults ?? []),
      createCore: withTightLimits(options.createCore ?? createRealCore, profile),
      nodeOptions: options.nodeOptions,
      codec: createSharedCodec(),
      network: () => this.network,
      highestCommit: () => this.#highestCommit,
      observe: this.observe,
      onFault: this.onFault,
      onDefect,
      onDamageTaken,
    };
    this.nodes = ids.map((id, position) => new StormNode(id, position, around));
    for (const node of this.nodes) this.#byId.set(node.id, node);
    const { observe, onFault } = this;
    this.network = new PeerNetwork({ agenda, seed, profile, observe, onFault }, this.nodes);
  }

  get trueMs(): number {
    return this.agenda.nowMs;
  }

  /** Of every node, by position. */
  get addresses(): readonly string[] {
    return this.nodes.map(({ id }) => addressOf(id));
  }

  node(id: NodeId): NodeProbe {
    return this.#nodeOf(id);
  }

  machineOf(node: NodeId): Coordinator | undefined {
    return this.#byId.get(node)?.machine;
  }

  isAwake(node: NodeId): boolean {
    const { isUp, process } = this.#nodeOf(node);
    return isUp && !process.isFrozen;
  }

  isCut(from: NodeId, to: NodeId): boolean {
    return this.network.links.isCut(this.#nodeOf(from).position, this.#nodeOf(to).position);
  }

  listenerAt(address: string): NodeListener | undefined {
    return this.nodes.find(({ id }) => addressOf(id) === address)?.listener;
  }

  start(): void {
    for (const { id, isSkewed } of this.nodes) {
      if (isSkewed) this.#observe({ type: 'fault-injected', kind: 'clock-rate', of: id });
    }
    for (const node of this.nodes) node.start();
  }

  /** The node at a position, counted round. */
  nth(position: number): StormNode {
    const node = this.nodes[position % this.nodes.length];
    if (node === undefined) throw new Error('a storm without nodes');
    return node;
  }

  /** Whom a target means right now. */
  resolve(target: NodeTarget): StormNode | undefined {
    if (typeof target === 'number') return this.nth(target);
    if (target === 'leader') return this.leader();
    if (target === 'old-leader') return this.#oldLeader();
    const leader = this.leader();
    const from = leader === undefined ? 0 : leader.position + 1;
    for (let step = 0; step < this.nodes.length; step += 1) {
      const node = this.nth(from + step);
      if (node.isUp && node !== leader) return node;
    }
    return undefined;
  }

  /** Who believes to lead, in the highest term of those; frozen ones count. */
  leader(): StormNode | undefined {
    let best: StormNode | undefined;
    for (const node of this.nodes) {
      if (node.view?.role !== 'leader') continue;
      if (best === undefined || node.view.term > (best.view?.term ?? 0)) best = node;
    }
    return best;
  }

  readonly observe = (event: StormEvent): void => {
    if (event.type === 'stepped' && event.after.commitIndex > this.#highestCommit) {
      this.#highestCommit = event.after.commitIndex;
    }
    this.#observe(event);
  };

  readonly onFault = (kind: FaultKind): void => {
    this.#observe({ type: 'fault-injected', kind });
  };

  #nodeOf(id: NodeId): StormNode {
    const found = this.#byId.get(id);
    if (found === undefined) throw new Error(`no node ${id}`);
    return found;
  }

  #oldLeader(): StormNode | undefined {
    let latestTerm = 0;
    for (const { view } of this.nodes) latestTerm = Math.max(latestTerm, view?.term ?? 0);
    return this.nodes.find(({ view }) => view?.role === 'leader' && view.term < latestTerm);
  }
}

function withTightLimits(create: CreateCore, { tight }: StormProfile): CreateCore {
  if (tight === undefined) return create;
  return (options, loaded, nowMs) =>
    create({ ...options, limits: { ...options.limits, ...tight.core } }, loaded, nowMs);
}

const createRealCore: CreateCore = (options, loaded, nowMs) => new Raft(options, loaded, nowMs);
