import type { Message, NodeId } from '@raftd/raft';
import { InvariantViolation } from '@raftd/raft';
import type { Violation } from '../scope.js';
import type { ClusterBounds } from './bounds.js';
import { EMPTY_DISK } from './disk.js';
import { factsOf, type NodeFacts } from './facts.js';
import { giveTo, type LocalInput, type NodeInput } from './input.js';
import { Interner } from './interner.js';
import { type Carried, Driver, type ExploredNode } from './node.js';
import { brokenByNode, voteIn } from './node-rules.js';
import { allRenamings, identityOf, type Renaming } from './renaming.js';
import { keyOf } from './state-key.js';

/** What an input does to a node, by numbers; the same each time it is met again. */
export interface Turn {
  /** Number of the node state afterwards; the one before, if the code threw. */
  readonly next: number;
  /** Numbers of the messages that left, */
  readonly sent: readonly number[];
  /** and of those that the network carries on. */
  readonly carried: readonly number[];
  /** The votes among all that was sent. */
  readonly votes: readonly Vote[];
  /** The acknowledgements of entries among them. */
  readonly acknowledged: readonly Acknowledged[];
  /** A rule of one node that did not hold, or an assertion of the code. */
  readonly broken: Violation | undefined;
  /** Something happened that rules between nodes look at, beside what was acknowledged. */
  readonly isNews: boolean;
}

/** A vote that left its voter. */
export interface Vote {
  readonly term: number;
  /** Position of the candidate. */
  readonly candidate: number;
}

/** A follower says that it has what the leader of a term has, up to an index. */
export interface Acknowledged {
  readonly term: number;
  /** Position of the leader. */
  readonly leader: number;
  readonly index: number;
}

/** A node state that was reached, and all that was found out about it. */
export interface KnownNode extends ExploredNode {
  readonly facts: NodeFacts;
  /** Equal for nodes that differ by a renaming only, and rarely for others. */
  readonly shape: number;
  readonly turns: Map<number, Turn>;
}

/** Where turns of a node that are no message's are remembered. */
const LOCAL_TURNS: Record<LocalInput['type'], number> = {
  land: -1,
  crash: -2,
  campaign: -4,
  timer: -5,
  silence: -6,
  beat: -7,
  propose: -8,
};

/** What a turn led to that ended in an error. */
const NOTHING = { sent: [], carried: [], votes: [], acknowledged: [], isNews: false } as const;

const NODES_MAX = 16;
const LINKS_A_TERM = NODES_MAX * NODES_MAX;

/** Messages of one kind say the same again, later. */
const KIND_OF: Record<Message['type'], number> = {
  'pre-vote-request': 0,
  'pre-vote-response': 1,
  'vote-request': 2,
  'vote-response': 3,
  'append-request': 4,
  'append-accepted': 5,
  'append-rejected': 5,
  heartbeat: 6,
  'heartbeat-response': 7,
};
const KINDS = 8;

/**
 * Node states and messages by number. The core is deterministic, so each pair of node state and
 * input is run once, by the real core; a cluster state is then a handful of numbers.
 */
export class NodeSpace {
  readonly ids: readonly NodeId[];
  readonly renamings: readonly Renaming[];
  readonly #bounds: ClusterBounds;
  readonly #driver: Driver;
  readonly #nodes: Interner<KnownNode>;
  readonly #messages: Interner<Message>;
  readonly #receivers: number[] = [];
  readonly #links: number[] = [];
  readonly #shapes = new Map<string, number>();
  #turnsRun = 0;

  constructor(bounds: ClusterBounds) {
    this.#bounds = bounds;
    const positions = identityOf(bounds.nodeCount);
    this.ids = positions.map((position) => `n${position + 1}` as NodeId);
    this.renamings = bounds.symmetric ? allRenamings(bounds.nodeCount) : [positions];
    this.#driver = new Driver(bounds, this.ids);
    const names = new Map(this.renamings.map((renaming) => [renaming, this.#namesOf(renaming)]));
    const namesOf = (renaming: Renaming): ReadonlyMap<string, string> =>
      names.get(renaming) ?? new Map<string, string>();
    this.#nodes = new Interner(
      this.renamings,
      (node, renaming) => `${renaming[node.position]}${this.#nodeKey(node, namesOf(renaming))}`,
    );
    this.#messages = new Interner(this.renamings, (message, renaming) =>
      keyOf(message, { names: namesOf(renaming), nowMs: 0, oldMs: 0 }),
    );
  }

  /** Pairs of node state and input that the core was run for. */
  get turnsRun(): number {
    return this.#turnsRun;
  }

  node(number: number): KnownNode {
    return this.#nodes.thing(number);
  }

  message(number: number): Message {
    return this.#messages.thing(number);
  }

  /** Equal for messages of one kind from one node to another in one term. */
  linkOf(message: number): number {
    return this.#links[message] as number;
  }

  receiverOf(message: number): number {
    return this.#receivers[message] as number;
  }

  renamedNode(node: number, renaming: number): number {
    return this.#nodes.renamed(node, renaming);
  }

  renamedMessage(message: number, renaming: number): number {
    return this.#messages.renamed(message, renaming);
  }

  /** All nodes as they first start, with nothing on disk. */
  firstNodes(): readonly number[] {
    return this.ids.map((_, position) => this.#know(this.#driver.boot(position, EMPTY_DISK).node));
  }

  deliver(number: number, message: number): Turn {
    const { turns } = this.node(number);
    const known = turns.get(message);
    if (known !== undefined) return known;
    const turn = this.#run(number, { type: 'message', message: this.message(message) });
    turns.set(message, turn);
    return turn;
  }

  turn(number: number, input: LocalInput): Turn {
    const { turns } = this.node(number);
    const place = placeOf(input);
    const known = turns.get(place);
    if (known !== undefined) return known;
    const turn = this.#run(number, input);
    turns.set(place, turn);
    return turn;
  }

  #run(number: number, input: NodeInput): Turn {
    this.#turnsRun += 1;
    const node = this.node(number);
    let carried: Carried;
    try {
      carried = this.#carry(node, input);
    } catch (thrown) {
      const broken = thrownBy(node, this.ids, thrown);
      return { ...NOTHING, next: number, broken };
    }
    const next = this.#know(carried.node);
    const isContactKept = this.#bounds.contact === 'kept';
    const before = node.facts;
    const after = this.node(next).facts;
    const id = this.ids[node.position] as NodeId;
    const sent = carried.sent.map(({ message }) => this.#knowMessage(message));
    const isCarried = (message: number): boolean => this.#bounds.carries(this.message(message));
    return {
      next,
      sent,
      carried: [...new Set(sent)].filter(isCarried),
      votes: this.#votesIn(carried),
      acknowledged: this.#acknowledgedIn(carried),
      broken: brokenByNode({ id, input, before, after, carried, isContactKept }),
      isNews: isNews(before, after, carried),
    };
  }

  #carry(node: ExploredNode, input: NodeInput): Carried {
    switch (input.type) {
      case 'land':
        if (node.pending === undefined) throw new RangeError('no write is under way');
        return this.#driver.land(node, node.pending);
      case 'crash':
        return this.#driver.crash(node, input.landed ? node.pending?.write : undefined);
      default:
        return this.#driver.turn(node, (core) => {
          giveTo(core, input, this.#bounds);
        });
    }
  }

  #votesIn({ sent }: Carried): readonly Vote[] {
    const votes: Vote[] = [];
    for (const { message } of sent) {
      const candidate = this.ids.indexOf(voteIn(message) as NodeId);
      if (candidate !== -1) votes.push({ term: message.term, candidate });
    }
    return votes;
  }

  #acknowledgedIn({ sent }: Carried): readonly Acknowledged[] {
    const acknowledged: Acknowledged[] = [];
    for (const { message } of sent) {
      if (message.type !== 'append-accepted' || message.matchIndex === 0) continue;
      const { term, to, matchIndex: index } = message;
      acknowledged.push({ term, leader: this.ids.indexOf(to), index });
    }
    return acknowledged;
  }

  #know(node: ExploredNode): number {
    const facts = factsOf(node);
    const shape = this.#shapeOf(facts, this.ids[node.position]);
    return this.#nodes.numberOf({ ...node, facts, shape, turns: new Map() });
  }

  #knowMessage(message: Message): number {
    const number = this.#messages.numberOf(message);
    const receiver = this.ids.indexOf(message.to);
    const sender = this.ids.indexOf(message.from);
    const place = message.term * LINKS_A_TERM + sender * NODES_MAX + receiver;
    this.#receivers[number] = receiver;
    this.#links[number] = place * KINDS + KIND_OF[message.type];
    return number;
  }

  /** Cheap, and the same under any renaming; where two nodes look alike, renamings are compared. */
  #shapeOf(facts: NodeFacts, own: NodeId | undefined): number {
    const vote = facts.votedFor === own ? 'self' : typeof facts.votedFor;
    const matches = facts.matches.map((match) => match ?? -1).sort((a, b) => a - b);
    const logs = `${facts.log.join('.')}/${facts.diskLog.join('.')}/${matches.join('.')}`;
    const text = `${facts.term}/${facts.role}/${vote}/${facts.commitIndex}/${logs}`;
    const known = this.#shapes.get(text) ?? this.#shapes.size;
    this.#shapes.set(text, known);
    return known;
  }

  #nodeKey(node: ExploredNode, names: ReadonlyMap<string, string>): string {
    const { core, disk, pending } = node;
    const oldMs = this.#bounds.contact === 'kept' ? core.state.options.electionTimeoutMs : 0;
    const context = { names, nowMs: core.state.nowMs, oldMs };
    // Apart, as it does not matter whether the core and its disk share an object.
    return keyOf(core.state, context) + keyOf(disk, context) + keyOf(pending, context);
  }

  #namesOf(renaming: Renaming): ReadonlyMap<string, string> {
    return new Map(
      this.ids.map((id, position) => [id, this.ids[renaming[position] as number] as string]),
    );
  }
}

function placeOf(input: LocalInput): number {
  const place = LOCAL_TURNS[input.type];
  if (input.type === 'crash' && input.landed) return place - 1;
  return input.type === 'propose' ? place - input.value : place;
}

function isNews(before: NodeFacts, after: NodeFacts, carried: Carried): boolean {
  if (carried.sent.some(({ message }) => voteIn(message) !== undefined)) return true;
  if (before.role !== after.role || before.commitIndex !== after.commitIndex) return true;
  if (before.log.length !== after.log.length) return true;
  if (before.log.some((code, at) => code !== after.log[at])) return true;
  return after.matches.some((match, position) => match !== before.matches[position]);
}

/** An assertion is a find; anything else that is thrown is a fault, which is one as well. */
function thrownBy(node: ExploredNode, ids: readonly NodeId[], thrown: unknown): Violation {
  const sentence = thrown instanceof Error ? thrown.message : String(thrown);
  const invariant = thrown instanceof InvariantViolation ? 'assertion' : 'crash';
  return { invariant, sentence: `${ids[node.position] ?? ''}: ${sentence}` };
}
