import type { LogIndex, Message, NodeId, Term, VoteRequest } from '@raftd/raft';
import { becameLeader } from '../../invariants/invariant.js';
import { type ClusterProbe, quorumOf } from '../../world/cluster-probe.js';
import type { Crashed, ReadAnswered, Stepped } from '../../world/events.js';
import type { StormEvent, StormObserver } from '../events.js';
import type { SometimesTally } from './sometimes.js';

/** Counts what happens between the cores: elections, replication, crashes and reads. */
export class CoreSometimes implements StormObserver {
  readonly wants = [
    'stepped',
    'sent',
    'delivered',
    'lost',
    'crashed',
    'restarted',
    'read-answered',
  ] as const;
  readonly #cluster: ClusterProbe;
  readonly #tally: SometimesTally;
  readonly #down = new Set<NodeId>();
  /** Terms in which a vote was refused because another candidate of the term has it. */
  readonly #shared = new Set<Term>();
  readonly #won = new Set<Term>();
  #highestCommit = 0;

  constructor(cluster: ClusterProbe, tally: SometimesTally) {
    this.#cluster = cluster;
    this.#tally = tally;
    if (cluster.nodes.length === 1) tally.count('cluster of one');
    if (cluster.nodes.length % 2 === 0) tally.count('cluster of even size');
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'stepped':
        this.#onStepped(event);
        return;
      case 'sent':
        this.#onSent(event.message);
        return;
      case 'delivered':
        if (event.copy === 'duplicate' && event.message.type === 'append-request') {
          this.#tally.count('duplicate append arrives');
        }
        return;
      case 'lost': {
        const { message } = event;
        const isVote = message.type === 'vote-response' && message.granted;
        if (isVote) this.#tally.count('vote reply lost after it was durable');
        return;
      }
      case 'crashed':
        this.#onCrashed(event);
        return;
      case 'restarted':
        this.#down.delete(event.node);
        return;
      case 'read-answered':
        this.#onRead(event);
        return;
      default:
    }
  }

  /** Terms whose votes were shared and that nobody won: a late winner is known only now. */
  finish(): void {
    for (const term of this.#shared) if (!this.#won.has(term)) this.#tally.count('split vote');
  }

  #onStepped(event: Stepped): void {
    const { before, after, log } = event;
    if (event.cause.type === 'message') this.#onMessage(event, event.cause.message);
    if (log.removed >= 3 && before !== undefined) {
      this.#tally.count('follower truncates three or more');
    }
    this.#onCommit(event);
    if (before === undefined || before.role === after.role) return;
    if (becameLeader(event)) this.#onVictory(event);
    if (before.term !== after.term) return;
    if (before.role === 'leader') this.#tally.count('leader steps down without a quorum');
  }

  #onMessage(event: Stepped, message: Message): void {
    const { before } = event;
    if (before === undefined) return;
    const fromLeader = message.type === 'append-request' || message.type === 'heartbeat';
    if (message.term < before.term) this.#tally.count('message of an older term discarded');
    if (before.role === 'candidate' && fromLeader && message.term === before.term) {
      this.#tally.count('candidate meets a leader of its own term');
    }
    if (before.role === 'leader' && message.term >= before.term + 2) {
      this.#tally.count('leader meets a term two above its own');
    }
    if (message.type === 'vote-request') this.#onVoteRequest(event, message);
  }

  #onVoteRequest({ node, after }: Stepped, request: VoteRequest): void {
    if (after.term !== request.term) return;
    if (after.votedFor === undefined) {
      const lastTerm = this.#cluster.node(node).log.termAt(after.lastIndex) ?? 0;
      const isBehind =
        request.lastTerm === lastTerm
          ? request.lastIndex < after.lastIndex
          : request.lastTerm < lastTerm;
      // A vote may be withheld from whoever is up to date, too.
      if (isBehind) this.#tally.count('vote refused for the log');
    } else if (after.votedFor !== request.from) this.#shared.add(after.term);
  }

  #onVictory({ node, after }: Stepped): void {
    this.#won.add(after.term);
    const { nodes } = this.#cluster;
    if (nodes.some(({ id, view }) => id !== node && view?.role === 'leader')) {
      this.#tally.count('two leaders of different terms at once');
    }
    const { log } = this.#cluster.node(node);
    for (let index = this.#highestCommit + 1; index < log.lastIndex; index += 1) {
      if (
        this.#holders(index as LogIndex, log.termAt(index as LogIndex)) < quorumOf(this.#cluster)
      ) {
        continue;
      }
      this.#tally.count('old-term entry on a majority, not committed');
      return;
    }
  }

  #onCommit({ node, before, after }: Stepped): void {
    if (after.commitIndex <= this.#highestCommit) return;
    this.#highestCommit = after.commitIndex;
    if (after.role !== 'leader' || before === undefined) return;
    const { nodes } = this.#cluster;
    if (nodes.length < 3) return;
    const term = this.#cluster.node(node).log.termAt(after.commitIndex);
    if (this.#holders(after.commitIndex, term) === quorumOf(this.#cluster)) {
      this.#tally.count('commit by the smallest quorum');
    }
  }

  #holders(index: LogIndex, term: number | undefined): number {
    let count = 0;
    for (const { disk } of this.#cluster.nodes) if (disk.entryAt(index)?.term === term) count += 1;
    return count;
  }

  #onSent(message: Message): void {
    if (message.type === 'append-rejected') this.#tally.count('append refused with a hint');
    if (message.type !== 'pre-vote-response') return;
    this.#tally.count(message.granted ? 'pre-vote granted' : 'pre-vote refused');
  }

  #onCrashed({ node, lostWrites, landedWrites }: Crashed): void {
    if (lostWrites > 0) this.#tally.count('unsynced write lost');
    if (landedWrites > 0) this.#tally.count('crash between persist and send');
    // A node that runs has no view either until it belongs to a cluster.
    this.#down.add(node);
    if (this.#down.size === this.#cluster.nodes.length) this.#tally.count('all nodes down at once');
  }

  #onRead({ kind, outcome }: ReadAnswered): void {
    if (kind === 'lease') {
      this.#tally.count(outcome.type === 'served' ? 'lease read served' : 'lease read refused');
      return;
    }
    if (outcome.type === 'served') this.#tally.count('read waits for a quorum round');
    if (outcome.type === 'aborted') this.#tally.count('read ends with its leader');
  }
}
