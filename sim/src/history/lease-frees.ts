import type { ByteString, LeaseId } from '@raftd/protocol';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { at } from './sentence.js';
import { CLOCK_RATE_BOUND } from '../world/clock-rate-bound.js';

interface Since {
  readonly clusterTimeMs: number;
  readonly trueMs: number;
}

/** Election time-outs of cluster time within which an expiry that is due is applied. */
const SLACK_TIMEOUTS = 20;

const NO_EVENTS = [] as const;

/**
 * L11: in liveness mode a lease that nobody renews is gone soon after its time, whatever became
 * of the leaders that saw it granted; so what its holder had is free for others. Soon by cluster
 * time, and soon by true time: clocks of leaders may not make it last. Its keys go with it.
 */
export function leaseFrees({
  log,
  probe,
  profile,
  broken,
}: HistoryContext): StormChecker & EntryReader {
  const slackMs = SLACK_TIMEOUTS * profile.electionTimeoutMs + 2 * profile.slowMs;
  const slowestRate = 1 - CLOCK_RATE_BOUND * Math.max(0, ...profile.nodeSkews.map((one) => -one));
  /** The first entry of liveness mode: cluster time, and true time. */
  let since: Since | undefined;
  let isLiveness = false;
  const checkKeys = keysOfEnded({ log, broken });

  const check = (entry: CanonicalEntry, { clusterTimeMs, trueMs }: Since): void => {
    if (entry.appliedAtMs <= trueMs + slackMs) return;
    for (const lease of log.leases.live()) {
      const overdueMs = entry.clusterTimeMs - Math.max(lease.expiresAtMs, clusterTimeMs);
      if (overdueMs <= slackMs) continue;
      const still = `and is not ended yet by entry ${entry.index} (${at(entry.appliedAtMs)})`;
      const what = `lease ${lease.id} ran out at cluster time ${lease.expiresAtMs} ms`;
      broken('L11', `${what} ${still}, stamped ${entry.clusterTimeMs} ms`);
    }
    checkTrueTime(entry.appliedAtMs, trueMs);
  };

  const checkTrueTime = (nowMs: number, sinceMs: number): void => {
    for (const lease of log.leases.live()) {
      const aliveMs = nowMs - Math.max(lease.movedAtMs, sinceMs);
      if (aliveMs <= lease.ttlMs / slowestRate + slackMs) continue;
      const what = `lease ${lease.id} of ${lease.ttlMs} ms was moved last at`;
      const still = `${at(lease.movedAtMs)} and is not ended yet at ${at(nowMs)}`;
      broken('L11', `${what} ${still}, ${aliveMs.toFixed(0)} ms later`);
    }
  };

  return {
    ids: ['L11'],
    wants: ['phase'],
    observe: (event) => {
      if (event.type === 'phase' && event.phase === 'liveness') isLiveness = true;
    },
    // A leader that has forgotten its leases proposes nothing, and no entry tells.
    finish: () => {
      if (since !== undefined) checkTrueTime(probe.trueMs, since.trueMs);
    },
    onSettled: (entry) => {
      checkKeys(entry);
      if (!isLiveness) return;
      since ??= { clusterTimeMs: entry.clusterTimeMs, trueMs: entry.appliedAtMs };
      check(entry, since);
    },
  };
}

/** A key goes with the lease that it was put on last, and with no other. */
function keysOfEnded({
  log,
  broken,
}: Pick<HistoryContext, 'log' | 'broken'>): (entry: CanonicalEntry) => void {
  const checkLeft = (entry: CanonicalEntry, ended: LeaseId): void => {
    for (const key of log.keys.keysIn('', undefined)) {
      if (log.keys.current(key)?.record?.lease !== ended) continue;
      const what = `entry ${entry.index} (${at(entry.appliedAtMs)}) ended lease ${ended}`;
      broken('L11', `${what} and left its key ${key} behind`);
    }
  };

  const checkTaken = (entry: CanonicalEntry, key: ByteString): void => {
    const before = log.keys.versions(key).at(-2)?.record;
    if (log.leases.endedNow.some(({ lease }) => lease.id === before?.lease)) return;
    const ended = log.leases.endedNow.map(({ lease }) => lease.id).join(' and ');
    const what = `entry ${entry.index} (${at(entry.appliedAtMs)}) ended lease ${ended || 'none'}`;
    const bound = before?.lease === undefined ? 'on no lease' : `on lease ${before.lease}`;
    broken('L11', `${what} and took ${key}, which was ${bound}`);
  };

  return (entry) => {
    for (const { lease } of log.leases.endedNow) checkLeft(entry, lease.id);
    for (const event of entry.changes?.events ?? NO_EVENTS) {
      if (event.type === 'delete' && event.reason !== 'user') checkTaken(entry, event.key);
    }
  };
}
