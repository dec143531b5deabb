import type { EntryKind, Message, NodeId } from '../src/index.js';
import { type Disk, type NodeSettings, TestNode } from './node.js';

/** How finely time passes in `advance`, ms. */
const STEP_MS = 5;

/** Several nodes, a network that is told what to lose, and one clock. Nothing is random. */
export class Cluster {
  readonly nodes = new Map<string, TestNode>();
  nowMs = 0;
  /** Under way; `settle` delivers in order. */
  flying: Message[] = [];
  /** Every message delivered, for those that replay. */
  readonly delivered: Message[] = [];
  readonly #cuts = new Set<string>();
  readonly #down = new Set<string>();
  readonly #slowDisks = new Set<string>();
  #loses: (message: Message) => boolean = () => false;

  constructor(
    ids: readonly string[],
    given: { disks?: Record<string, Partial<Disk>>; settings?: NodeSettings } = {},
  ) {
    ids.forEach((id, at) => {
      // Campaign timers differ by node, so that the first one in the list wins undisturbed.
      const random = (): number => at / (ids.length + 1);
      const settings = { random, ...given.settings };
      const disk = given.disks?.[id] ?? {};
      this.nodes.set(id, new TestNode(id, ids, { disk, settings }));
    });
  }

  node(id: string): TestNode {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  /** The node's election timer fires now. */
  campaign(id: string): void {
    this.node(id).raft.electionTimeout(this.nowMs);
    this.settle();
  }

  /** Makes `id` the leader, whoever it was, after everyone forgot the last one. */
  elect(id: string): TestNode {
    this.nowMs += 1000;
    this.campaign(id);
    const node = this.node(id);
    if (node.role !== 'leader') throw new Error(`${id} is ${node.role}`);
    return node;
  }

  propose(id: string, bytes = 1, kind: EntryKind = 'command'): void {
    const proposed = this.node(id).raft.propose(new Uint8Array(bytes), kind, 0, this.nowMs);
    if (proposed.type === 'rejected') throw new Error(proposed.code);
    this.settle();
  }

  /** Delivers and persists until nothing moves; time stands still. */
  settle(): void {
    for (let moved = true; moved; ) {
      moved = false;
      for (const node of this.#up()) {
        node.pump();
        if (!this.#slowDisks.has(node.id)) moved = node.persist(this.nowMs) || moved;
        this.flying.push(...node.take());
      }
      const messages = this.flying;
      this.flying = [];
      for (const message of messages) moved = this.deliver(message) || moved;
    }
  }

  deliver(message: Message): boolean {
    const { from, to } = message;
    if (this.#cuts.has(`${from}>${to}`) || this.#down.has(to) || this.#loses(message)) return false;
    this.delivered.push(message);
    this.node(to).step(message, this.nowMs);
    return true;
  }

  /** Time passes in small steps; timers fire as they fall due. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    while (this.nowMs < endMs) {
      this.nowMs = Math.min(endMs, this.nowMs + STEP_MS);
      for (const node of this.#up()) node.raft.tick(this.nowMs);
      this.settle();
    }
  }

  /** From `from` to `to` nothing arrives any more. */
  cutOneWay(from: string, to: string): void {
    this.#cuts.add(`${from}>${to}`);
  }

  cut(a: string, b: string): void {
    this.cutOneWay(a, b);
    this.cutOneWay(b, a);
  }

  isolate(id: string): void {
    for (const other of this.nodes.keys()) if (other !== id) this.cut(id, other);
  }

  heal(): void {
    this.#cuts.clear();
    this.#loses = () => false;
  }

  lose(loses: (message: Message) => boolean): void {
    this.#loses = loses;
  }

  stop(id: string): void {
    this.#down.add(id);
  }

  /** Comes back with what its disk holds. */
  start(id: string): void {
    this.#down.delete(id);
    this.node(id).restart(this.nowMs);
  }

  /** Writes of this node wait until `fixDisk`. */
  hangDisk(id: string): void {
    this.#slowDisks.add(id);
  }

  fixDisk(id: string): void {
    this.#slowDisks.delete(id);
  }

  leaders(): NodeId[] {
    return this.#up()
      .filter((node) => node.role === 'leader')
      .map((node) => node.id);
  }

  #up(): TestNode[] {
    return [...this.nodes.values()].filter((node) => !this.#down.has(node.id));
  }
}
