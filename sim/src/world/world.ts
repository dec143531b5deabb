import type { LoadedState, LogIndex, Message, NodeId, Raft, RaftOptions } from '@raftd/raft';
import { NO_INDEX } from '@raftd/raft';
import { NodeClock, TrueClock } from './clock.js';
import type { ClusterProbe, NodeProbe } from './cluster-probe.js';
import { SimulatedDisk } from './disk.js';
import type { DriverFault } from './driver-fault.js';
import type { ReadKind, WorldEvent, WorldObserver } from './events.js';
import { freezeMessage } from './freeze-message.js';
import type { CutMode, Packet } from './network.js';
import { Network } from './network.js';
import { RaftNode } from './node.js';
import type { WorldProfile } from './profile.js';
import { createRaft, raftOptionsOf } from './raft-view.js';
import type { TimedSource } from './timeline.js';
import { runUntil } from './timeline.js';
import { Weather } from './weather.js';

export interface WorldOptions {
  readonly profile: WorldProfile;
  readonly faults?: readonly DriverFault[];
  /** Another core in place of the real one: for cores broken on purpose. */
  readonly createCore?: (options: RaftOptions, loaded: LoadedState, nowMs: number) => Raft;
  /** Alters a message on its way: for liars on purpose. */
  readonly tamper?: (message: Message) => Message;
}

/** Largest offset between two nodes' monotonic clocks: they count from their own boots. */
const BOOT_OFFSET_MS = 100_000;

/**
 * A whole cluster in one thread under one seed: the real core on every node, and time, network
 * and disks that belong to the world. Every method is one thing that can happen; everything
 * else follows from the seed.
 */
export class World implements ClusterProbe {
  readonly profile: WorldProfile;
  readonly nodes: readonly RaftNode[];
  readonly network: Network<Message> = new Network();
  readonly #clock = new TrueClock();
  readonly #weather: Weather;
  readonly #options: WorldOptions;
  readonly #faults: ReadonlySet<DriverFault>;
  readonly #clocks: NodeClock[] = [];
  readonly #observers: WorldObserver[] = [];
  readonly #sources: readonly TimedSource[];
  #highestCommit: LogIndex = NO_INDEX;
  #proposals = 0;

  constructor(options: WorldOptions) {
    const { profile } = options;
    this.profile = profile;
    this.#options = options;
    this.#faults = new Set(options.faults ?? []);
    this.#weather = new Weather(profile);
    const ids = Array.from({ length: profile.nodeCount }, (_, at) => `n${at + 1}` as NodeId);
    this.nodes = ids.map((id, at) => this.#createNode(id, at, ids));
    this.#sources = [
      {
        nextDueMs: () => this.network.nextDueMs,
        runDue: () => {
          const packet = this.network.takeDue(this.trueMs);
          if (packet !== undefined) this.#arrive(packet);
        },
      },
      ...this.nodes.map((node) => ({
        nextDueMs: () => node.disk.nextDueMs,
        runDue: () => void node.disk.completeNext(),
      })),
      ...this.nodes.map((node) => ({
        nextDueMs: () => node.wakeDueMs,
        runDue: () => {
          node.wake();
        },
      })),
    ];
  }

  get trueMs(): number {
    return this.#clock.nowMs;
  }

  /** The highest commit index that any node ever reached: what a new read must not miss. */
  get highestCommit(): LogIndex {
    return this.#highestCommit;
  }

  node(id: NodeId): NodeProbe & RaftNode {
    const found = this.nodes.find((node) => node.id === id);
    if (found === undefined) throw new Error(`no node ${id}`);
    return found;
  }

  /** The n-th node, counted round. */
  nth(position: number): RaftNode {
    const found = this.nodes[position % this.nodes.length];
    if (found === undefined) throw new Error('a world without nodes');
    return found;
  }

  /** The running leader of the highest term, if any node believes that it leads. */
  leader(): RaftNode | undefined {
    let best: RaftNode | undefined;
    for (const node of this.nodes) {
      if (node.view?.role !== 'leader') continue;
      if (best === undefined || node.view.term > (best.view?.term ?? 0)) best = node;
    }
    return best;
  }

  attach(observer: WorldObserver): void {
    this.#observers.push(observer);
  }

  /** Boots every node for the first time. */
  start(): void {
    for (const node of this.nodes) node.boot();
  }

  advance(ms: number): void {
    runUntil(this.#clock, this.#sources, this.trueMs + ms);
  }

  /** Delivers the n-th message under way now, before all others. */
  deliver(nth: number): void {
    const packet = this.network.take(nth);
    if (packet !== undefined) this.#arrive(packet);
  }

  drop(nth: number): void {
    const packet = this.network.take(nth);
    if (packet !== undefined) this.#observeLost(packet.body, 'command');
  }

  duplicate(nth: number, delayMs: number): void {
    this.network.duplicate(nth, this.trueMs + delayMs);
  }

  replay(nth: number, delayMs: number): void {
    this.network.replay(nth, this.trueMs + delayMs);
  }

  /** Offers one command of `bytes` bytes, different from all others, to a node. */
  propose(node: RaftNode, bytes: number): void {
    this.#proposals += 1;
    const payload = new Uint8Array(Math.max(4, bytes));
    new DataView(payload.buffer).setUint32(0, this.#proposals);
    node.give({ type: 'propose', payload });
  }

  read(node: RaftNode, kind: ReadKind): void {
    node.give({ type: 'read', kind, floorIndex: this.#highestCommit });
  }

  completeWrite(node: RaftNode): void {
    node.disk.completeNext();
  }

  crash(node: RaftNode, landed: number): void {
    node.crash(landed);
  }

  restart(node: RaftNode): void {
    if (node.isUp) return;
    const at = this.nodes.indexOf(node);
    this.#clocks[at]?.reboot(this.#bootOffsetMs(node.id));
    this.#observe({ type: 'restarted', node: node.id });
    node.boot();
  }

  cut(from: RaftNode, to: RaftNode, mode: CutMode): void {
    this.network.cut(from.id, to.id, mode);
    this.#observe({ type: 'rewired', cuts: [`${from.id}>${to.id} ${mode}`] });
  }

  /** Both directions between one side and the other. */
  partition(isOnThisSide: (node: RaftNode) => boolean, mode: CutMode): void {
    const cuts: string[] = [];
    for (const from of this.nodes) {
      for (const to of this.nodes) {
        if (isOnThisSide(from) === isOnThisSide(to)) continue;
        this.network.cut(from.id, to.id, mode);
        cuts.push(`${from.id}>${to.id}`);
      }
    }
    this.#observe({ type: 'rewired', cuts });
  }

  heal(): void {
    this.network.heal(this.trueMs);
    this.#observe({ type: 'rewired', cuts: [] });
  }

  /** Ends chance: no more losses, copies or slow messages. Cuts and crashes stay. */
  becomeCalm(): void {
    this.#weather.becomeCalm();
  }

  #createNode(id: NodeId, at: number, voters: readonly NodeId[]): RaftNode {
    const { clockRateBound, clockSkews } = this.profile;
    const rate = 1 + clockRateBound * (clockSkews[at] ?? 0);
    const clock = new NodeClock(this.#clock, rate, 0);
    clock.reboot(this.#bootOffsetMs(id));
    this.#clocks.push(clock);
    return new RaftNode(id, voters, {
      clock,
      disk: new SimulatedDisk({ lies: this.#faults.has('lying-disk') }),
      faults: this.#faults,
      trueMs: () => this.trueMs,
      writeDueMs: () => this.trueMs + this.#weather.writeMs(id),
      send: (message) => {
        this.#send(message);
      },
      observe: (event) => {
        this.#observe(event);
      },
      createCore: (loaded, life) => this.#createCore(id, loaded, life, clock.nowMs),
    });
  }

  #createCore(id: NodeId, loaded: LoadedState, life: number, nowMs: number): Raft {
    const draws = this.#weather.stream(`core/${id}/${life}`);
    const create = this.#options.createCore ?? createRaft;
    return create(
      raftOptionsOf(this.profile, id, () => draws.next()),
      loaded,
      nowMs,
    );
  }

  #bootOffsetMs(id: NodeId): number {
    return Math.floor(this.#weather.stream(`boot/${id}`).between(0, BOOT_OFFSET_MS));
  }

  #send(message: Message): void {
    const body = freezeMessage(this.#options.tamper?.(message) ?? message);
    const fate = this.#weather.fateOf(body.from, body.to, this.trueMs);
    if (fate.lost) {
      this.#observeLost(body, 'chance');
      return;
    }
    this.network.send(body.from, body.to, body, fate.arrivesMs);
    if (fate.copyArrivesMs === undefined) return;
    this.network.send(body.from, body.to, body, fate.copyArrivesMs, 'duplicate');
  }

  #arrive(packet: Packet<Message>): void {
    const cut = this.network.cutOf(packet.from, packet.to);
    if (cut === 'hold') {
      this.network.hold(packet);
      return;
    }
    const node = this.node(packet.body.to);
    if (cut === 'drop' || !node.isUp) {
      this.#observeLost(packet.body, cut === 'drop' ? 'cut' : 'node-down');
      return;
    }
    this.#observe({ type: 'delivered', message: packet.body, copy: packet.copy });
    node.give({ type: 'message', message: packet.body });
  }

  #observeLost(message: Message, reason: 'chance' | 'command' | 'cut' | 'node-down'): void {
    this.#observe({ type: 'lost', message, reason });
  }

  #observe(event: WorldEvent): void {
    if (event.type === 'stepped' && event.after.commitIndex > this.#highestCommit) {
      this.#highestCommit = event.after.commitIndex;
    }
    for (const observer of this.#observers) observer.observe(event);
  }
}
