import type { Entry, LogWrite, Message, NodeId, RaftOptions } from '@raftd/raft';
import { checkInvariants, DEFAULT_OPTIONS, Raft } from '@raftd/raft';
import type { ClusterBounds } from './bounds.js';
import { type DurableDisk, found, landed, type PendingWrite } from './disk.js';

/** One node between two inputs: a real core, its disk, and the write under way. Never changed. */
export interface ExploredNode {
  readonly position: number;
  readonly core: Raft;
  readonly disk: DurableDisk;
  readonly pending: PendingWrite | undefined;
}

/** What one input led to. */
export interface Carried {
  readonly node: ExploredNode;
  readonly sent: readonly SentMessage[];
  readonly applied: readonly Entry[];
}

/** A message, and what was durable at its sender when it left. */
export interface SentMessage {
  readonly message: Message;
  readonly disk: DurableDisk;
}

/** Readies in a row without an input between: more is a core that never comes to rest. */
const READIES_MAX = 100;

/** All nodes begin at this time on their own clocks. */
const START_MS = 1000;

/**
 * Carries out what cores ask for, by the contract of `Ready`: the same order as the production
 * driver's, with a search deciding when writes land, messages arrive and timers fire.
 */
export class Driver {
  readonly #bounds: ClusterBounds;
  readonly #ids: readonly NodeId[];

  constructor(bounds: ClusterBounds, ids: readonly NodeId[]) {
    this.#bounds = bounds;
    this.#ids = ids;
  }

  /** Starts a life from what is durable. */
  boot(position: number, disk: DurableDisk): Carried {
    const membership = { voters: this.#ids };
    const core = new Raft(this.#optionsOf(position), { ...disk, membership }, START_MS);
    return this.#carryOut({ position, core, disk, pending: undefined }, []);
  }

  /** One input to a copy of the core, and all that follows from it. */
  turn(node: ExploredNode, act: (core: Raft) => void): Carried {
    const core = node.core.fork();
    act(core);
    return this.#carryOut({ ...node, core }, []);
  }

  /** The write under way is durable: what waited for it leaves, and the core is told. */
  land(node: ExploredNode, { write, held }: PendingWrite): Carried {
    const disk = landed(node.disk, write);
    const core = node.core.fork();
    const sent = held.map((message) => ({ message, disk }));
    core.persisted(write.lastTerm, write.lastIndex, core.state.nowMs);
    return this.#carryOut({ ...node, core, disk, pending: undefined }, sent);
  }

  /** Memory is gone, and with it the write under way, unless it had landed unheard of. */
  crash(node: ExploredNode, write: LogWrite | undefined): Carried {
    const disk = write === undefined ? node.disk : landed(node.disk, write);
    return this.boot(node.position, found(disk, this.#bounds.fault));
  }

  #carryOut(node: ExploredNode, sentBefore: readonly SentMessage[]): Carried {
    const { core, disk } = node;
    checkInvariants(core.state);
    const sent = [...sentBefore];
    const applied: Entry[] = [];
    let { pending } = node;
    for (let count = 0; ; count += 1) {
      const ready = core.ready();
      if (ready === undefined) break;
      if (count > READIES_MAX) throw new Error('the core never runs out of readies');
      if (ready.write !== undefined) {
        if (pending !== undefined) throw new Error('the core has two writes in flight');
        pending = { write: ready.write, held: ready.messagesAfterWrite };
        if (this.#bounds.fault === 'messages-before-write') {
          for (const message of ready.messagesAfterWrite) sent.push({ message, disk });
          pending = { write: ready.write, held: [] };
        }
      }
      for (const message of ready.messages) sent.push({ message, disk });
      applied.push(...ready.committed);
      const last = ready.committed.at(-1);
      if (last !== undefined) core.applied(last.index);
    }
    checkInvariants(core.state);
    return { node: { ...node, pending }, sent, applied };
  }

  /** Batches of one entry and the shortest times there are: the search alone moves the clock. */
  #optionsOf(position: number): RaftOptions {
    const { pipelineMax } = this.#bounds;
    return {
      ...DEFAULT_OPTIONS,
      id: this.#ids[position] as NodeId,
      heartbeatMs: 1,
      electionTimeoutMs: 2,
      random: () => 0,
      limits: { ...DEFAULT_OPTIONS.limits, appendBytesMax: 1, inflightMessagesMax: pipelineMax },
    };
  }
}
