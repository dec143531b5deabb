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
import { leaseCovered } from './lease-covered.js';
import { leaseExclusive } from './lease-exclusive.js';
import { logMatching } from './log-matching.js';
import { logOrdered } from './log-ordered.js';
import { preVoteHarmless } from './pre-vote-harmless.js';
import { progressTrue } from './progress-true.js';
import { promiseKept } from './promise-kept.js';
import { readConfirmed } from './read-confirmed.js';
import { leaseReadFresh, readFresh } from './read-fresh.js';
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
    leaseReadFresh(history),
    leaseExclusive(history),
    voteOnce(),
    promiseKept(),
    readConfirmed(),
    leaseCovered(bounds.clockRateBound),
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

export interface CheckerOptions {
  /** Ids to leave out. */
  readonly except?: readonly string[] | undefined;
  /** All clocks keep their bound; default true. Else what rests on that is not demanded. */
  readonly clocksHold?: boolean;
}

/** Runs the invariants over everything that happens; the first that breaks throws. */
export class Checkers implements WorldObserver {
  readonly history: History = emptyHistory();
  readonly wants: readonly Handled[] = HANDLED;
  readonly #cluster: ClusterProbe;
  /** By the type of event: those that have a handler for it. Most have one or two. */
  readonly #concerned: Readonly<Record<Handled, readonly Invariant[]>>;

  constructor(cluster: ClusterProbe, bounds: Bounds, options: CheckerOptions = {}) {
    const { except = [], clocksHold = true } = options;
    this.#cluster = cluster;
    const invariants = allInvariants(this.history, bounds).filter(
      ({ id, restsOnClocks }) => !except.includes(id) && (clocksHold || restsOnClocks !== true),
    );
    const having = (handler: HandlerName): readonly Invariant[] =>
      invariants.filter((invariant) => invariant[handler] !== undefined);
    this.#concerned = {
      stepped: having('onStepped'),
      sent: having('onSent'),
      'write-started': having('onWriteStarted'),
      'write-done': having('onWriteDone'),
      applied: having('onApplied'),
      'read-answered': having('onReadAnswered'),
      crashed: having('onCrashed'),
    };
  }

  observe(event: WorldEvent): void {
    const concerned = this.#concerned[event.type as Handled] as readonly Invariant[] | undefined;
    if (concerned === undefined) return;
    for (const invariant of concerned) inform(invariant, event, this.#cluster);
  }
}

type HandlerName = Exclude<keyof Invariant, 'id' | 'restsOnClocks'>;

/** The events that some invariant may be about. */
const HANDLED = [
  'stepped',
  'sent',
  'write-started',
  'write-done',
  'applied',
  'read-answered',
  'crashed',
] as const;

type Handled = (typeof HANDLED)[number];

/** Hands one event to the handler that wants it. */
export function inform(invariant: Invariant, event: WorldEvent, cluster: ClusterProbe): void {
  switch (event.type) {
    case 'stepped':
      invariant.onStepped?.(event, cluster);
      return;
    case 'sent':
      invariant.onSent?.(event, cluster);
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
