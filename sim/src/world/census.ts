import type { Message, NodeId } from '@raftd/raft';
import type { ClusterProbe } from './cluster-probe.js';
import type { Stepped, WorldEvent, WorldObserver } from './events.js';

/**
 * What happened in a run, or in all runs of a suite. A suite that finds a zero here has proved
 * nothing about that case, and fails.
 */
export type Tally = Record<Occurrence, number>;

export const OCCURRENCES = [
  'electionsWon',
  'electionsLost',
  'leadersOfTwoTermsAtOnce',
  'votesRefused',
  'preVotesGranted',
  'preVotesRefused',
  'stepDowns',
  'stepDownsWithoutHigherTerm',
  'proposalsAccepted',
  'proposalsRefused',
  'commits',
  'commitsWithoutLeadersDisk',
  'commitsOfOlderTerms',
  'appendsRejected',
  'truncations',
  'truncationsOfThreeOrMore',
  'followersAheadOfTheirDisk',
  'messagesLost',
  'messagesCut',
  'duplicatesDelivered',
  'replaysDelivered',
  'messagesOfOlderTerms',
  'crashes',
  'crashesWithUnsyncedLoss',
  'crashesWithUnreportedWrite',
  'restarts',
  'freezes',
  'leadersThawedAfterTheirTerm',
  'readsConfirmed',
  'readsAborted',
  'readsRefused',
  'leaseReadsServed',
  'leaseReadsRefused',
  'promisesEchoed',
] as const;

export type Occurrence = (typeof OCCURRENCES)[number];

export function emptyTally(): Tally {
  const tally: Partial<Tally> = {};
  for (const name of OCCURRENCES) tally[name] = 0;
  return tally as Tally;
}

/** Counts what happens in one world into a tally that may outlive it. */
export class Census implements WorldObserver {
  readonly #cluster: ClusterProbe;
  readonly #tally: Tally;
  /** What was committed already; a leader that restarted commits it once more. */
  #highestCommit = 0;

  constructor(cluster: ClusterProbe, tally: Tally) {
    this.#cluster = cluster;
    this.#tally = tally;
  }

  observe(event: WorldEvent): void {
    switch (event.type) {
      case 'stepped':
        this.#countStep(event);
        return;
      case 'sent':
        this.#countSent(event.message);
        return;
      case 'delivered':
        if (event.copy === 'duplicate') this.#count('duplicatesDelivered');
        if (event.copy === 'replay') this.#count('replaysDelivered');
        return;
      case 'lost':
        this.#count(event.reason === 'cut' ? 'messagesCut' : 'messagesLost');
        return;
      case 'proposed':
        this.#count(event.outcome === 'accepted' ? 'proposalsAccepted' : 'proposalsRefused');
        return;
      case 'read-answered':
        this.#countRead(event.kind, event.outcome.type);
        return;
      case 'crashed':
        this.#count('crashes');
        if (event.lostWrites > 0) this.#count('crashesWithUnsyncedLoss');
        if (event.landedWrites > 0) this.#count('crashesWithUnreportedWrite');
        return;
      case 'restarted':
        this.#count('restarts');
        return;
      case 'frozen':
        this.#count('freezes');
        return;
      case 'thawed':
        this.#countThaw(event.node);
        return;
      default:
    }
  }

  #count(name: Occurrence, times = 1): void {
    this.#tally[name] += times;
  }

  #countStep(event: Stepped): void {
    const { before, after, cause, log } = event;
    if (log.truncatedFrom !== undefined && before !== undefined) {
      this.#count('truncations');
      if (log.removed >= 3) this.#count('truncationsOfThreeOrMore');
    }
    if (cause.type === 'message' && cause.message.term < (before?.term ?? 0)) {
      this.#count('messagesOfOlderTerms');
    }
    this.#countCommit(event);
    if (before === undefined || before.role === after.role) return;
    if (after.role === 'leader') this.#countVictory(event);
    if (before.role === 'candidate' && after.role !== 'leader') this.#count('electionsLost');
    if (before.role !== 'leader') return;
    this.#count('stepDowns');
    if (before.term === after.term) this.#count('stepDownsWithoutHigherTerm');
  }

  #countVictory({ node }: Stepped): void {
    this.#count('electionsWon');
    const others = this.#cluster.nodes.filter(({ id }) => id !== node);
    if (others.some(({ view }) => view?.role === 'leader')) this.#count('leadersOfTwoTermsAtOnce');
  }

  #countCommit({ node, before, after }: Stepped): void {
    const from = before?.commitIndex ?? 0;
    if (after.commitIndex <= from) return;
    const { disk, log } = this.#cluster.node(node);
    const isDurable = disk.entryAt(after.commitIndex)?.term === log.termAt(after.commitIndex);
    if (after.role !== 'leader') {
      if (!isDurable) this.#count('followersAheadOfTheirDisk');
      return;
    }
    if (!isDurable) this.#count('commitsWithoutLeadersDisk');
    const newFrom = Math.max(from, this.#highestCommit);
    this.#highestCommit = Math.max(this.#highestCommit, after.commitIndex);
    this.#count('commits', this.#highestCommit - newFrom);
    for (let index = newFrom + 1; index <= after.commitIndex; index += 1) {
      if (log.termAt(index as typeof after.commitIndex) !== after.term) {
        this.#count('commitsOfOlderTerms');
      }
    }
  }

  #countSent(message: Message): void {
    switch (message.type) {
      case 'append-rejected':
        this.#count('appendsRejected');
        return;
      case 'vote-response':
        if (!message.granted) this.#count('votesRefused');
        return;
      case 'pre-vote-response':
        this.#count(message.granted ? 'preVotesGranted' : 'preVotesRefused');
        return;
      case 'heartbeat-response':
        if (message.promiseMs > 0) this.#count('promisesEchoed');
        return;
      default:
    }
  }

  #countRead(kind: 'quorum' | 'lease', outcome: 'served' | 'refused' | 'aborted'): void {
    if (kind === 'lease') {
      this.#count(outcome === 'served' ? 'leaseReadsServed' : 'leaseReadsRefused');
      return;
    }
    if (outcome === 'served') this.#count('readsConfirmed');
    if (outcome === 'aborted') this.#count('readsAborted');
    if (outcome === 'refused') this.#count('readsRefused');
  }

  #countThaw(node: NodeId): void {
    const { view } = this.#cluster.node(node);
    if (view?.role !== 'leader') return;
    const isDeposed = this.#cluster.nodes.some((other) => (other.view?.term ?? 0) > view.term);
    if (isDeposed) this.#count('leadersThawedAfterTheirTerm');
  }
}
