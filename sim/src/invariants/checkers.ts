import type { ClusterProbe } from '../world/cluster-probe.js';
import type { WorldEvent, WorldObserver } from '../world/events.js';
import { acknowledgedDurable } from './acknowledged-durable.js';
import { appliedAlike } from './applied-alike.js';
import { appliedInOrder } from './applied-in-order.js';
import type { Bounds } from './bounded.js';
import { bounded } from './bounded.js';
import { commitDurable } from './commit-durable.js';
import { commitMonotonic } from './commit-monotonic.js';
import { commitOwnTerm } from './commit-own-term.js';
import { committedImmutable } from './committed-immutable.js';
import { durableBeforeSent } from './durable-before-sent.js';
import { electionQuorum } from './election-quorum.js';
import { electionSafety } from './election-safety.js';
import type { History, Invariant } from './invariant.js';
import { emptyHistory } from './invariant.js';
import { leaderAppendOnly } from './leader-append-only.js';
import { leaderCompleteness } from './leader-completeness.js';
import { leaderStartsClean } from './leader-starts-clean.js';
import { leaseExclusive } from './lease-exclusive.js';
import { logMatching } from './log-matching.js';
import { logOrdered } from './log-ordered.js';
import { preVoteHarmless } from './pre-vote-harmless.js';
import { progressTrue } from './progress-true.js';
import { promiseKept } from './promise-kept.js';
import { readFresh } from './read-fresh.js';
import { roleConsistent } from './role-consistent.js';
import { termMonotonic } from './term-monotonic.js';
import { truncationJustified } from './truncation-justified.js';
import { voteOnce } from './vote-once.js';
import { voteUpToDate } from './vote-up-to-date.js';

/** Every invariant in force, consequences first: the most telling one should break first. */
export function allInvariants(history: History, bounds: Bounds): readonly Invariant[] {
  return [
    electionSafety(history),
    logMatching(),
    leaderCompleteness(history),
    committedImmutable(history),
    appliedAlike(),
    readFresh(history),
    leaseExclusive(history),
    voteOnce(),
    promiseKept(),
    electionQuorum(),
    voteUpToDate(),
    commitDurable(),
    commitOwnTerm(),
    acknowledgedDurable(),
    durableBeforeSent(),
    termMonotonic(),
    commitMonotonic(),
    appliedInOrder(),
    logOrdered(),
    leaderAppendOnly(),
    truncationJustified(),
    progressTrue(),
    leaderStartsClean(),
    roleConsistent(),
    preVoteHarmless(),
    bounded(bounds),
  ];
}

/** Runs the invariants over everything that happens; the first that breaks throws. */
export class Checkers implements WorldObserver {
  readonly history: History = emptyHistory();
  readonly #cluster: ClusterProbe;
  readonly #invariants: readonly Invariant[];

  constructor(cluster: ClusterProbe, bounds: Bounds, except: readonly string[] = []) {
    this.#cluster = cluster;
    const all = allInvariants(this.history, bounds);
    this.#invariants = all.filter((invariant) => !except.includes(invariant.id));
  }

  observe(event: WorldEvent): void {
    for (const invariant of this.#invariants) inform(invariant, event, this.#cluster);
  }
}

/** Hands one event to the handler that wants it. */
export function inform(invariant: Invariant, event: WorldEvent, cluster: ClusterProbe): void {
  switch (event.type) {
    case 'stepped':
      invariant.onStepped?.(event, cluster);
      return;
    case 'sent':
      invariant.onSent?.(event, cluster);
      return;
    case 'delivered':
      invariant.onDelivered?.(event, cluster);
      return;
    case 'write-started':
      invariant.onWriteStarted?.(event, cluster);
      return;
    case 'write-done':
      invariant.onWriteDone?.(event, cluster);
      return;
    case 'applied':
      invariant.onApplied?.(event, cluster);
      return;
    case 'read-answered':
      invariant.onReadAnswered?.(event, cluster);
      return;
    case 'crashed':
      invariant.onCrashed?.(event, cluster);
      return;
    default:
  }
}
