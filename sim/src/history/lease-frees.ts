import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/** Election time-outs of cluster time within which an expiry that is due is applied. */
const SLACK_TIMEOUTS = 20;

/**
 * L11: in liveness mode a lease that nobody renews is gone soon after its time, whatever became
 * of the leaders that saw it granted; so what its holder had is free for others.
 */
export function leaseFrees({ log, profile, broken }: HistoryContext): StormChecker & EntryReader {
  const slackMs = SLACK_TIMEOUTS * profile.electionTimeoutMs + 2 * profile.slowMs;
  /** Cluster time at the first entry of liveness mode. */
  let since: number | undefined;
  let isLiveness = false;

  const check = (entry: CanonicalEntry, sinceMs: number): void => {
    if (entry.clusterTimeMs <= sinceMs + slackMs) return;
    for (const lease of log.leases.live()) {
      const overdueMs = entry.clusterTimeMs - Math.max(lease.expiresAtMs, sinceMs);
      if (overdueMs <= slackMs) continue;
      const what = `lease ${lease.id} ran out at cluster time ${lease.expiresAtMs} ms`;
      const still = `entry ${entry.index} is stamped ${entry.clusterTimeMs} ms`;
      broken('L11', `${what} and is not ended yet: ${still} (${at(entry.appliedAtMs)})`);
    }
  };

  return {
    ids: ['L11'],
    wants: ['phase'],
    observe: (event) => {
      if (event.type === 'phase') isLiveness = event.phase === 'liveness';
    },
    finish: nothingLeft,
    onSettled: (entry) => {
      if (!isLiveness) return;
      since ??= entry.clusterTimeMs;
      check(entry, since);
    },
  };
}
