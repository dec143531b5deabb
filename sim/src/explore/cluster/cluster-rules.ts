import type { NodeId } from '@raftd/raft';
import type { Violation } from '../scope.js';
import type { ClusterState, CommittedEntry } from './cluster-state.js';
import { agreeUpTo, describeCode, type NodeFacts, termOf } from './facts.js';
import type { Acknowledged, Vote } from './node-space.js';

/** History as one input leaves it, and the first rule between nodes that it broke. */
export interface Judged {
  readonly leaders: readonly number[];
  readonly committed: readonly CommittedEntry[];
  readonly votes: readonly number[];
  readonly broken: Violation | undefined;
}

/** One input to the node at `position`: `state` is before it, `nodes` after. */
export interface ClusterTurn {
  readonly state: ClusterState;
  readonly position: number;
  readonly nodes: readonly number[];
  readonly votes: readonly Vote[];
}

/** Where the facts of a node are found by the number of its state. */
export interface FactsSource {
  readonly ids: readonly NodeId[];
  node(number: number): { readonly position: number; readonly facts: NodeFacts };
}

/** The rules between nodes and over the whole run. Ids as in the simulator's list. */
export class ClusterRules {
  readonly #space: FactsSource;
  readonly #ids: readonly NodeId[];
  readonly #quorum: number;

  constructor(space: FactsSource) {
    this.#space = space;
    this.#ids = space.ids;
    this.#quorum = Math.floor(space.ids.length / 2) + 1;
  }

  judge(turn: ClusterTurn): Judged {
    const { state, position, nodes } = turn;
    const before = this.#factsOf(state.nodes, position);
    const after = this.#factsOf(nodes, position);
    const isElected =
      after.role === 'leader' && (before.role !== 'leader' || before.term !== after.term);
    const isCommitted = after.commitIndex > 0 && after.commitIndex !== before.commitIndex;
    const leaders = isElected ? this.#withLeader(state.leaders, after.term, position) : undefined;
    const committed = isCommitted ? withCommitted(state.committed, after) : state.committed;
    const cast = this.#cast(turn);
    const broken =
      cast.broken ??
      (isElected ? this.#brokenByLeader(turn, after, cast.votes) : undefined) ??
      this.#brokenByLogs(turn, after) ??
      (isCommitted ? this.#brokenByCommit(turn, after) : undefined) ??
      this.#brokenByMatch(turn, before, after);
    return { leaders: leaders ?? state.leaders, committed, votes: cast.votes, broken };
  }

  /** S7: what is acknowledged to a leader is durable, and what it has there. */
  brokenByAcknowledged(
    nodes: readonly number[],
    position: number,
    acknowledged: readonly Acknowledged[],
  ): Violation | undefined {
    if (acknowledged.length === 0) return undefined;
    const { diskLog } = this.#factsOf(nodes, position);
    for (const { term, leader, index } of acknowledged) {
      const { role, term: itsTerm, log } = this.#factsOf(nodes, leader);
      // One that has gone on takes no acknowledgement of this term.
      if (role !== 'leader' || itsTerm !== term || agreeUpTo(diskLog, log, index)) continue;
      const names = `${this.#ids[position]} acknowledged ${index} to ${this.#ids[leader]}`;
      return { invariant: 'S7', sentence: `${names}, and has something else on disk up to there` };
    }
    return undefined;
  }

  #factsOf(nodes: readonly number[], position: number): NodeFacts {
    return this.#space.node(nodes[position] as number).facts;
  }

  #withLeader(leaders: readonly number[], term: number, position: number): readonly number[] {
    const known = leaders.slice();
    while (known.length <= term) known.push(0);
    known[term] ||= position + 1;
    return known;
  }

  /** S10, S16, S12: one leader a term, by a quorum of voters, with all that was committed. */
  #brokenByLeader(
    turn: ClusterTurn,
    after: NodeFacts,
    votes: readonly number[],
  ): Violation | undefined {
    const { state, position } = turn;
    const { term } = after;
    const id = this.#ids[position] as NodeId;
    const earlier = state.leaders[term] ?? 0;
    if (earlier !== 0 && earlier !== position + 1) {
      const sentence = `term ${term} has leaders ${this.#ids[earlier - 1]} and ${id}`;
      return { invariant: 'S10', sentence };
    }
    for (const [at, entry] of state.committed.entries()) {
      if (entry.committedIn >= term || after.log[at] === entry.code) continue;
      const lost = `${describeCode(at + 1, entry.code)}, committed in term ${entry.committedIn}`;
      return { invariant: 'S12', sentence: `${id} leads term ${term} without entry ${lost}` };
    }
    return this.#brokenByQuorum(position, after, votes);
  }

  #brokenByQuorum(
    position: number,
    after: NodeFacts,
    votes: readonly number[],
  ): Violation | undefined {
    const id = this.#ids[position] as NodeId;
    const base = after.term * this.#ids.length;
    const voters = this.#ids.filter((_, voter) => votes[base + voter] === position + 1);
    const isOwn = after.diskTerm === after.term && after.diskVote === id;
    if (isOwn && !voters.includes(id)) voters.push(id);
    if (voters.length >= this.#quorum) return undefined;
    const names = voters.join(', ') || 'nobody';
    const sentence = `${id} leads term ${after.term}, durable votes are of ${names}`;
    return { invariant: 'S16', sentence };
  }

  /** S2: one vote a term, counting all lives: from what was sent, not from any memory. */
  #cast({ state, position, votes }: ClusterTurn): {
    readonly votes: readonly number[];
    readonly broken: Violation | undefined;
  } {
    if (votes.length === 0) return { votes: state.votes, broken: undefined };
    const known = state.votes.slice();
    let broken: Violation | undefined;
    for (const { term, candidate } of votes) {
      const base = term * this.#ids.length;
      while (known.length < base + this.#ids.length) known.push(0);
      const earlier = known[base + position] as number;
      if (earlier === 0) known[base + position] = candidate + 1;
      if (earlier === 0 || earlier === candidate + 1) continue;
      const names = `${this.#ids[earlier - 1]} and for ${this.#ids[candidate]}`;
      const sentence = `${this.#ids[position]} voted for ${names} in term ${term}`;
      broken = { invariant: 'S2', sentence };
    }
    return { votes: known, broken };
  }

  /** S11: an entry of one index and term is the same everywhere, and all before it. */
  #brokenByLogs({ nodes, position }: ClusterTurn, after: NodeFacts): Violation | undefined {
    for (const [other, number] of nodes.entries()) {
      if (other === position) continue;
      const { log } = this.#space.node(number).facts;
      const index = highestOfOneTerm(after.log, log);
      if (agreeUpTo(after.log, log, index)) continue;
      const names = `${this.#ids[position]} and ${this.#ids[other]}`;
      const sentence = `${names} differ before an entry of one term at ${index}`;
      return { invariant: 'S11', sentence };
    }
    return undefined;
  }

  /** S14, S15: what is committed is the same for ever, and a quorum of disks holds it. */
  #brokenByCommit(turn: ClusterTurn, after: NodeFacts): Violation | undefined {
    const { state, nodes, position } = turn;
    const id = this.#ids[position] as NodeId;
    const index = after.commitIndex;
    for (const [at, entry] of state.committed.entries()) {
      if (at >= index || after.log[at] === entry.code) continue;
      const own = describeCode(at + 1, after.log[at]);
      const sentence = `${id} committed ${own}, before it was ${describeCode(at + 1, entry.code)}`;
      return { invariant: 'S14', sentence };
    }
    if (after.role !== 'leader') return undefined;
    const holders = nodes.filter((number) =>
      agreeUpTo(this.#space.node(number).facts.diskLog, after.log, index),
    );
    if (holders.length >= this.#quorum) return undefined;
    const entry = describeCode(index, after.log[index - 1]);
    const names = holders.map((number) => this.#ids[this.#space.node(number).position]).join(', ');
    const sentence = `${id} committed ${entry}, durable only on ${names || 'no node'}`;
    return { invariant: 'S15', sentence };
  }

  /** S18: what a leader holds for matched is on the peer's disk. */
  #brokenByMatch(
    { nodes, position }: ClusterTurn,
    before: NodeFacts,
    after: NodeFacts,
  ): Violation | undefined {
    for (const [peer, match] of after.matches.entries()) {
      if (match === undefined || match <= (before.matches[peer] ?? 0)) continue;
      const { diskLog, diskTerm } = this.#factsOf(nodes, peer);
      // A peer that has gone on to a later term may have lost them since.
      if (diskTerm > after.term || agreeUpTo(diskLog, after.log, match)) continue;
      const of = `match of ${this.#ids[peer]} at leader ${this.#ids[position]}`;
      const sentence = `${of} is ${match}, which its disk lacks`;
      return { invariant: 'S18', sentence };
    }
    return undefined;
  }
}

function withCommitted(
  committed: readonly CommittedEntry[],
  { log, commitIndex, term }: NodeFacts,
): readonly CommittedEntry[] {
  if (commitIndex <= committed.length) return committed;
  const added = log.slice(committed.length, commitIndex);
  return [...committed, ...added.map((code) => ({ code, committedIn: term }))];
}

/** The highest index at which both logs have an entry of one term; 0: none. */
function highestOfOneTerm(a: readonly number[], b: readonly number[]): number {
  for (let at = Math.min(a.length, b.length) - 1; at >= 0; at -= 1) {
    if (termOf(a[at] as number) === termOf(b[at] as number)) return at + 1;
  }
  return 0;
}
