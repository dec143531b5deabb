import type { StormEvent, StormObserver } from '../storm/events.js';
import type { StormProfile } from '../storm/profile.js';
import { hasWildClocks } from '../storm/wild-clocks.js';
import { AnswersAsApplied } from './answers-as-applied.js';
import { appliedRight } from './applied-right.js';
import { CanonicalLog, type EntryReader } from './canonical-log.js';
import type { HistoryContext, HistoryProbe, StormChecker } from './checker.js';
import { reporter } from './checker.js';
import { clusterTimeGoesOn } from './cluster-time-goes-on.js';
import { clusterTimeTrue } from './cluster-time.js';
import { errorsDocumented } from './errors-documented.js';
import { ExactlyOnce } from './exactly-once.js';
import { GuardedWrites } from './guarded-writes.js';
import { HeldInTrueTime } from './held-in-true-time.js';
import { leaseFrees } from './lease-frees.js';
import { leasesKept } from './leases.js';
import { Linearizability } from './linearizability.js';
import { ObserversGapless } from './observers-gapless.js';
import { LooksFresh } from './looks-fresh.js';
import { oneHolder } from './one-holder.js';
import { promotion } from './promotion.js';
import { ReadsFresh } from './reads-fresh.js';
import { resourceGuard } from './resource-guard.js';
import { StopBudget } from './stop-budget.js';
import { tokensIncrease } from './tokens.js';
import { WatchGapless } from './watch-gapless.js';
import { winsGranted } from './wins-granted.js';

export type { HistoryProbe, StormChecker } from './checker.js';

/**
 * What is demanded of the log as it is applied, and of what clients see. In the order of causes,
 * so that a mistake is found by the checker that names it and not by one that sees its
 * consequences: first the log itself, then requests, tokens, leases, grants and guards in it, then
 * what clients hold, write, read and watch, and the whole of it at the end.
 *
 * `except`: ids of invariants that are not demanded in this run.
 */
export function historyCheckers(
  probe: HistoryProbe,
  profile: StormProfile,
  except: readonly string[] = [],
): readonly StormChecker[] {
  const broken = reporter(except);
  const log = new CanonicalLog(probe, broken);
  const context: HistoryContext = { probe, profile, log, broken };
  const readers: (StormChecker & EntryReader)[] = [
    new ExactlyOnce(context),
    tokensIncrease(context),
    clusterTimeTrue(context),
    leasesKept(context),
    leaseFrees(context),
    oneHolder(context),
    promotion(context),
    new GuardedWrites(context),
    appliedRight(context),
    new AnswersAsApplied(context),
    ...(!hasWildClocks(profile) ? [new HeldInTrueTime(context), new StopBudget(context)] : []),
    winsGranted(context),
    resourceGuard(context),
    errorsDocumented(context),
    new ReadsFresh(context),
    new LooksFresh(context),
    new WatchGapless(context),
    new ObserversGapless(context),
    new Linearizability(context),
  ];
  for (const reader of readers) log.read(reader);
  return [log, clusterTimeGoesOn(context), ...readers];
}

/** The checkers as one observer: each event goes to those alone that want its type. */
export class HistoryObserver implements StormObserver {
  readonly wants: readonly StormEvent['type'][];
  readonly #checkers: readonly StormChecker[];
  readonly #byType = new Map<StormEvent['type'], StormChecker[]>();

  constructor(checkers: readonly StormChecker[]) {
    this.#checkers = checkers;
    for (const checker of checkers) {
      for (const type of checker.wants) {
        const wanting = this.#byType.get(type);
        if (wanting === undefined) this.#byType.set(type, [checker]);
        else wanting.push(checker);
      }
    }
    this.wants = [...this.#byType.keys()];
  }

  observe(event: StormEvent): void {
    const wanting = this.#byType.get(event.type);
    if (wanting === undefined) return;
    for (const checker of wanting) checker.observe(event);
  }

  /** Somebody who watches lacks something that must be shown. */
  get isUnshown(): boolean {
    return this.#checkers.some((checker) => checker.isUnshown?.() ?? false);
  }

  finish(): void {
    for (const checker of this.#checkers) checker.finish();
  }
}
