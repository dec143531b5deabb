import type { Message, NodeId } from '@raftd/raft';
import type { Scope, Violation, Visit } from '../scope.js';
import type { StateWriter } from '../state-writer.js';
import type { ClusterBounds } from './bounds.js';
import { Canon } from './canon.js';
import { ClusterRules } from './cluster-rules.js';
import type { ClusterState } from './cluster-state.js';
import { describeInput, type Input, type LocalInput } from './input.js';
import { type KnownNode, NodeSpace, type Turn } from './node-space.js';

/** After these no write is under way but the one that they began. */
const ENDS_WRITES: ReadonlySet<Input['type']> = new Set(['land', 'crash', 'elect']);

/** What an input uses up of the bounds. */
type Spent = Partial<Pick<ClusterState, 'campaigns' | 'values' | 'beats' | 'silences' | 'crashes'>>;

/** What happens where: a message by its number, or an input. */
type Cause =
  | { readonly position: number; readonly message: number; readonly input?: undefined }
  | { readonly position: number; readonly input: Input };

/** A cluster of real cores in which everything may happen at any time, within the bounds. */
export class ClusterScope implements Scope<ClusterState> {
  readonly name: string;
  readonly space: NodeSpace;
  readonly #bounds: ClusterBounds;
  readonly #rules: ClusterRules;
  readonly #canon: Canon;

  constructor(bounds: ClusterBounds) {
    this.name = bounds.name;
    this.#bounds = bounds;
    this.space = new NodeSpace(bounds);
    this.#rules = new ClusterRules(this.space);
    this.#canon = new Canon(this.space);
  }

  initial(): ClusterState {
    const nodes = this.space.firstNodes();
    return {
      nodes,
      sent: [],
      votes: [],
      leaders: [],
      committed: [],
      crashes: nodes.map(() => 0),
      slowWrites: 0,
      campaigns: 0,
      values: 0,
      beats: 0,
      silences: 0,
      broken: undefined,
    };
  }

  encode(state: ClusterState, into: StateWriter): void {
    this.#canon.write(state, into);
  }

  violation(state: ClusterState): Violation | undefined {
    return state.broken;
  }

  successors(state: ClusterState, visit: Visit<ClusterState>): void {
    for (const message of state.sent) this.#visitMessage(state, message, visit);
    for (let position = 0; position < state.nodes.length; position += 1) {
      this.#visitLocal(state, position, visit);
    }
  }

  #visitMessage(state: ClusterState, message: number, visit: Visit<ClusterState>): void {
    const position = this.space.receiverOf(message);
    const turn = this.space.deliver(state.nodes[position] as number, message);
    const next = this.#after(state, position, turn);
    if (next !== undefined) this.#visitWrite(state, next, { position, message }, visit);
  }

  #visitLocal(state: ClusterState, position: number, visit: Visit<ClusterState>): void {
    const node = this.space.node(state.nodes[position] as number);
    if (node.pending !== undefined) this.#give(state, position, { type: 'land' }, {}, visit);
    this.#visitCrashes(state, position, node, visit);
    this.#visitTimers(state, position, node, visit);
    if (node.facts.role !== 'leader') return;
    const values = state.values + 1;
    if (values <= this.#bounds.valuesMax && this.#hasRoom(node) && this.#mayPropose(state, node)) {
      this.#give(state, position, { type: 'propose', value: values }, { values }, visit);
    }
    const beats = state.beats + 1;
    if (beats <= this.#bounds.beatsMax) {
      this.#give(state, position, { type: 'beat' }, { beats }, visit);
    }
  }

  /**
   * Where elections are one step, to the newest leader only: an older one might as well have been
   * asked before the election, as what it appends by itself does not depend on others.
   */
  #mayPropose({ leaders }: ClusterState, { facts }: KnownNode): boolean {
    return this.#bounds.votes === 'messages' || facts.term + 1 === leaders.length;
  }

  #hasRoom({ facts }: KnownNode): boolean {
    return facts.log.length < this.#bounds.entriesMax;
  }

  #visitCrashes(
    state: ClusterState,
    position: number,
    { pending }: KnownNode,
    visit: Visit<ClusterState>,
  ): void {
    const { crashesMax, crashesOfOneMax } = this.#bounds;
    if ((state.crashes[position] as number) >= crashesOfOneMax) return;
    if (state.crashes.reduce((sum, count) => sum + count, 0) >= crashesMax) return;
    const crashes = state.crashes.slice();
    crashes[position] = (crashes[position] as number) + 1;
    this.#give(state, position, { type: 'crash', landed: false }, { crashes }, visit);
    if (pending === undefined) return;
    this.#give(state, position, { type: 'crash', landed: true }, { crashes }, visit);
  }

  #visitTimers(
    state: ClusterState,
    position: number,
    node: KnownNode,
    visit: Visit<ClusterState>,
  ): void {
    const { contact, votes, campaignsMax, silencesMax, termsMax } = this.#bounds;
    const campaigns = state.campaigns + 1;
    if (campaigns <= campaignsMax && node.facts.term < termsMax && this.#hasRoom(node)) {
      if (votes === 'at-once') this.#visitElections(state, position, visit);
      else if (contact === 'free') {
        this.#give(state, position, { type: 'campaign' }, { campaigns }, visit);
      } else if (isUnheard(node)) {
        this.#give(state, position, { type: 'timer' }, { campaigns }, visit);
      }
    }
    const silences = state.silences + 1;
    if (contact === 'free' || silences > silencesMax || isUnheard(node)) return;
    if (node.facts.role !== 'follower') return;
    this.#give(state, position, { type: 'silence' }, { silences }, visit);
  }

  #visitElections(state: ClusterState, position: number, visit: Visit<ClusterState>): void {
    for (let voter = 0; voter < state.nodes.length; voter += 1) {
      if (voter === position) continue;
      const next = this.#elected(state, position, voter);
      if (next === undefined) continue;
      const campaigns = state.campaigns + 1;
      const input: Input = { type: 'elect', voter: this.space.ids[voter] as NodeId };
      this.#visitWrite(state, { ...next, campaigns }, { position, input }, visit);
    }
  }

  /** The candidate asks one voter, and both wait for their disks. Undefined: it is refused. */
  #elected(state: ClusterState, position: number, voter: number): ClusterState | undefined {
    const campaign = this.space.turn(state.nodes[position] as number, { type: 'campaign' });
    const asked: number[] = [];
    let next = this.#landed(this.#after(state, position, campaign) ?? state, position, asked);
    const request = this.#find([...campaign.sent, ...asked], 'vote-request', voter);
    if (next.broken !== undefined) return next;
    if (request === undefined) return undefined;
    const answer = this.space.deliver(next.nodes[voter] as number, request);
    const answers: number[] = [];
    next = this.#landed(this.#after(next, voter, answer) ?? next, voter, answers);
    const response = this.#find([...answer.sent, ...answers], 'vote-response', position);
    if (next.broken !== undefined) return next;
    if (response === undefined || !this.#isGrant(response)) return undefined;
    const count = this.space.deliver(next.nodes[position] as number, response);
    return this.#after(next, position, count) ?? next;
  }

  #isGrant(number: number): boolean {
    const message = this.space.message(number);
    return message.type === 'vote-response' && message.granted;
  }

  #find(sent: readonly number[], type: Message['type'], receiver: number): number | undefined {
    return sent.find(
      (message) =>
        this.space.message(message).type === type && this.space.receiverOf(message) === receiver,
    );
  }

  #give(
    state: ClusterState,
    position: number,
    input: LocalInput,
    spent: Spent,
    visit: Visit<ClusterState>,
  ): void {
    const turn = this.space.turn(state.nodes[position] as number, input);
    const next = this.#after(state, position, turn);
    if (next === undefined) return;
    this.#visitWrite(state, { ...next, ...spent }, { position, input }, visit);
  }

  /** A write that was begun lands at once, or takes long while the bounds allow. */
  #visitWrite(
    state: ClusterState,
    next: ClusterState,
    cause: Cause,
    visit: Visit<ClusterState>,
  ): void {
    const { position } = cause;
    const { pending } = this.space.node(next.nodes[position] as number);
    const before = this.space.node(state.nodes[position] as number).pending;
    const isDone = cause.input !== undefined && ENDS_WRITES.has(cause.input.type);
    if (pending === undefined || (before !== undefined && !isDone)) {
      visit(() => this.#describe(cause), next);
      return;
    }
    visit(() => this.#describe(cause), this.#landed(next, position));
    if (state.slowWrites >= this.#bounds.slowWritesMax) return;
    const slow = { ...next, slowWrites: next.slowWrites + 1 };
    visit(() => `${this.#describe(cause)}; its write takes long`, slow);
  }

  #landed(state: ClusterState, position: number, sent: number[] = []): ClusterState {
    let landed = state;
    while (landed.broken === undefined) {
      const number = landed.nodes[position] as number;
      if (this.space.node(number).pending === undefined) break;
      const turn = this.space.turn(number, { type: 'land' });
      sent.push(...turn.sent);
      landed = this.#after(landed, position, turn) ?? landed;
    }
    return landed;
  }

  /** The cluster after a turn of one node; undefined if nothing changed. */
  #after(state: ClusterState, position: number, turn: Turn): ClusterState | undefined {
    const isSame = turn.next === state.nodes[position] && turn.broken === undefined;
    if (isSame && holdsAll(state.sent, turn.carried)) return undefined;
    const newlySent = turn.carried.filter((message) => !state.sent.includes(message));
    const nodes = state.nodes.slice();
    nodes[position] = turn.next;
    const sent = this.#withSent(state, newlySent, nodes);
    const judged = turn.isNews
      ? this.#rules.judge({ state, position, nodes, votes: turn.votes })
      : undefined;
    const { acknowledged } = turn;
    const broken = judged?.broken ?? turn.broken;
    // Field by field: a spread costs a quarter of the whole search.
    return {
      nodes,
      sent,
      votes: judged?.votes ?? state.votes,
      leaders: judged?.leaders ?? state.leaders,
      committed: judged?.committed ?? state.committed,
      crashes: state.crashes,
      slowWrites: state.slowWrites,
      campaigns: state.campaigns,
      values: state.values,
      beats: state.beats,
      silences: state.silences,
      broken: broken ?? this.#rules.brokenByAcknowledged(nodes, position, acknowledged),
    };
  }

  #withSent(
    { sent }: ClusterState,
    newlySent: readonly number[],
    nodes: readonly number[],
  ): readonly number[] {
    if (this.#bounds.network === 'everything') {
      return newlySent.length === 0 ? sent : [...sent, ...newlySent];
    }
    const links = newlySent.map((message) => this.space.linkOf(message));
    const kept = sent.filter((message) => !links.includes(this.space.linkOf(message)));
    // Of several in one turn the last one is the latest.
    const latest = newlySent.filter((_, at) => links.lastIndexOf(links[at] as number) === at);
    return [...kept, ...latest].filter((message) => !this.#isStale(message, nodes));
  }

  #isStale(message: number, nodes: readonly number[]): boolean {
    const { facts } = this.space.node(nodes[this.space.receiverOf(message)] as number);
    return this.space.message(message).term < facts.diskTerm;
  }

  #describe(cause: Cause): string {
    const id = this.space.ids[cause.position] as NodeId;
    if (cause.input !== undefined) return describeInput(cause.input, id);
    return describeInput({ type: 'message', message: this.space.message(cause.message) }, id);
  }
}

/** Follows nobody, or has heard nothing of its leader for an election timeout. */
function isUnheard({ core }: KnownNode): boolean {
  const { role, nowMs, options } = core.state;
  if (role.type === 'leader') return false;
  if (role.type !== 'follower' || role.leader === undefined) return true;
  return nowMs - role.leader.contactMs >= options.electionTimeoutMs;
}

function holdsAll(sent: readonly number[], messages: readonly number[]): boolean {
  for (const message of messages) if (!sent.includes(message)) return false;
  return true;
}
