import type { NodeId } from '@raftd/raft';
import type { StormEvent, StormObserver } from '../storm/events.js';
import type { ClusterProbe } from '../world/cluster-probe.js';
import { Arrows } from './arrows.js';
import type { WorldSize } from './describe-command.js';
import { describeStormEvent } from './describe-event.js';
import { kindOf } from './event-kind.js';
import type { NodeState } from './node-states.js';
import { NodeStates } from './node-states.js';
import type { DrawnEvent, Picture } from './picture.js';
import { isQuiet } from './quiet.js';
import { Spans } from './spans.js';
import { Locator } from './where.js';

const COMPARED = ['role', 'term', 'logLast', 'commit', 'applied', 'synced'] as const;
const NAMES: Readonly<Record<(typeof COMPARED)[number], string>> = {
  role: 'role',
  term: 'term',
  logLast: 'last index',
  commit: 'commit',
  applied: 'applied',
  synced: 'synced',
};

export interface RecordingOptions {
  /** How many of the last events are kept. */
  readonly events: number;
  /** Heartbeats are most of what happens, and seldom what one looks for. */
  readonly heartbeats: boolean;
}

/** Keeps what a drawing of the last events of a run needs. */
export class Recording implements StormObserver {
  readonly #cluster: ClusterProbe;
  readonly #options: RecordingOptions;
  readonly #size: WorldSize;
  readonly #states: NodeStates;
  readonly #locator = new Locator();
  readonly #arrows = new Arrows();
  readonly #spans = new Spans();
  readonly #clients = new Set<string>();
  readonly #known = new Map<NodeId, NodeState>();
  #events: DrawnEvent[] = [];
  /** Of those that are drawn. */
  #count = 0;
  #seen = 0;

  constructor(cluster: ClusterProbe, options: RecordingOptions, size: WorldSize) {
    this.#cluster = cluster;
    this.#options = options;
    this.#size = size;
    this.#states = new NodeStates(cluster);
  }

  observe(event: StormEvent): void {
    this.#states.see(event);
    this.#seen += 1;
    if (isQuiet(event)) return;
    if (!this.#options.heartbeats && kindOf(event) === 'heartbeat') return;
    const index = this.#count;
    this.#count += 1;
    this.#arrows.see(event, index);
    this.#spans.see(event, index);
    this.#keep(event, index);
  }

  picture(): Picture {
    this.#cut();
    const first = this.#events[0]?.index ?? 0;
    return {
      nodes: this.#cluster.nodes.map(({ id }) => id),
      clients: [...this.#clients].toSorted((left, right) => (left < right ? -1 : 1)),
      events: this.#events,
      arrows: this.#arrows.since(first),
      spans: this.#spans.since(first),
      eventsInAll: this.#count,
      eventsLeftOut: this.#seen - this.#count,
      hasHeartbeats: this.#options.heartbeats,
    };
  }

  #keep(event: StormEvent, index: number): void {
    const where = this.#locator.locate(event);
    if (where.type === 'client') this.#clients.add(where.client);
    const lane = where.type === 'node' ? where.node : where.type === 'client' ? where.client : '';
    this.#events.push({
      index,
      atMs: this.#cluster.trueMs,
      lane,
      kind: kindOf(event),
      words: describeStormEvent(event, this.#size),
      changes: where.type === 'node' ? this.#changesOf(where.node) : [],
    });
    if (this.#events.length >= this.#options.events * 2) this.#cut();
  }

  #cut(): void {
    this.#events = this.#events.slice(-this.#options.events);
  }

  #changesOf(node: NodeId): readonly string[] {
    const before = this.#known.get(node);
    const after = this.#states.state(node);
    this.#known.set(node, after);
    if (before === undefined) return [];
    return COMPARED.filter((name) => before[name] !== after[name]).map(
      (name) => `${NAMES[name]} ${before[name]} → ${after[name]}`,
    );
  }
}
