import type { NodeId } from '@raftd/raft';
import type { Scope, Violation, Visit } from '../scope.js';
import type { StateWriter } from '../state-writer.js';
import type { ClusterBounds } from './bounds.js';
import { Canon } from './canon.js';
import { ClusterRules } from './cluster-rules.js';
import type { ClusterState } from './cluster-state.js';
import { describeInput, type Input } from './input.js';
import { type KnownNode, NodeSpace, type Turn } from './node-space.js';

type LocalInput = Exclude<Input, { readonly type: 'message' }>;

/** What an input uses up of the bounds. */
type Cost = 'campaigns' | 'values' | 'beats' | 'silences';

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
      leaders: [],
      committed: [],
      crashes: nodes.map(() => 0),
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
    for (const message of state.sent) {
      const position = this.space.receiverOf(message);
      const number = state.nodes[position] as number;
      const turn = this.space.deliver(number, message);
      const next = this.#after(state, position, turn);
      if (next === undefined) continue;
      visit(() => this.#describe(position, this.#messageInput(message)), next);
    }
    for (let position = 0; position < state.nodes.length; position += 1) {
      this.#visitLocal(state, position, visit);
    }
  }

  #messageInput(message: number): Input {
    return { type: 'message', message: this.space.message(message) };
  }

  #visitLocal(state: ClusterState, position: number, visit: Visit<ClusterState>): void {
    const node = this.space.node(state.nodes[position] as number);
    const give = (input: LocalInput, cost: Cost | undefined): void => {
      const turn = this.space.turn(state.nodes[position] as number, input);
      const next = this.#after(state, position, turn);
      if (next === undefined) return;
      const spent = cost === undefined ? next : { ...next, [cost]: state[cost] + 1 };
      visit(() => this.#describe(position, input), spent);
    };
    if (node.pending !== undefined) give({ type: 'land' }, undefined);
    this.#visitCrashes(state, position, node, visit);
    const { contact, valuesMax, beatsMax, silencesMax } = this.#bounds;
    if (this.#mayCampaign(state, node)) {
      if (contact === 'free') give({ type: 'campaign' }, 'campaigns');
      else if (isUnheard(node)) give({ type: 'timer' }, 'campaigns');
    }
    if (contact === 'kept' && state.silences < silencesMax && !isUnheard(node)) {
      if (node.facts.role === 'follower') give({ type: 'silence' }, 'silences');
    }
    if (node.facts.role !== 'leader') return;
    if (state.values < valuesMax) give({ type: 'propose', value: state.values + 1 }, 'values');
    if (state.beats < beatsMax) give({ type: 'beat' }, 'beats');
  }

  #mayCampaign(state: ClusterState, { facts }: KnownNode): boolean {
    return state.campaigns < this.#bounds.campaignsMax && facts.term < this.#bounds.termsMax;
  }

  #visitCrashes(
    state: ClusterState,
    position: number,
    { pending }: KnownNode,
    visit: Visit<ClusterState>,
  ): void {
    const { crashesMax, crashesOfOneMax } = this.#bounds;
    const ownCrashes = state.crashes[position] as number;
    if (ownCrashes >= crashesOfOneMax) return;
    if (state.crashes.reduce((sum, count) => sum + count, 0) >= crashesMax) return;
    const crashes = state.crashes.slice();
    crashes[position] = ownCrashes + 1;
    for (const landed of pending === undefined ? [false] : [false, true]) {
      const input: Input = { type: 'crash', landed };
      const turn = this.space.turn(state.nodes[position] as number, input);
      const next = this.#after(state, position, turn);
      if (next === undefined) continue;
      visit(() => this.#describe(position, input), { ...next, crashes });
    }
  }

  /** The cluster after a turn of one node; undefined if nothing changed. */
  #after(state: ClusterState, position: number, turn: Turn): ClusterState | undefined {
    const number = state.nodes[position] as number;
    const newlySent = turn.sent.filter((message) => !state.sent.includes(message));
    if (turn.next === number && newlySent.length === 0 && turn.broken === undefined) {
      return undefined;
    }
    const nodes = state.nodes.slice();
    nodes[position] = turn.next;
    const sent = newlySent.length === 0 ? state.sent : [...state.sent, ...newlySent];
    if (!turn.isNews) return { ...state, nodes, sent, broken: turn.broken };
    const judged = this.#rules.judge({ state, position, nodes, sent, newlySent });
    const broken = judged.broken ?? turn.broken;
    return { ...state, nodes, sent, ...judged, broken };
  }

  #describe(position: number, input: Input): string {
    return describeInput(input, this.space.ids[position] as NodeId);
  }
}

/** Follows nobody, or has heard nothing of its leader for an election timeout. */
function isUnheard({ core }: KnownNode): boolean {
  const { role, nowMs, options } = core.state;
  if (role.type === 'leader') return false;
  if (role.type !== 'follower' || role.leader === undefined) return true;
  return nowMs - role.leader.contactMs >= options.electionTimeoutMs;
}
