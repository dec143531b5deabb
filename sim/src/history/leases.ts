import type { ChangeEvent, LeaseId } from '@raftd/protocol';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/**
 * L6: an expiry has no effect on a lease that was renewed since the leader looked. L7: nothing
 * shortens a lease: it does not expire before its time, and a renewal that is new moves it.
 * L8: a renewal after the end never revives, and one that is old moves nothing. What a renewal
 * names are the grants that live on its lease (DESIGN section 6): a holder that is not named stops
 * (L7), one that is named without right goes on (L8).
 */
export function leasesKept(context: HistoryContext): StormChecker & EntryReader {
  const { log } = context;
  return {
    ids: ['L6', 'L7', 'L8'],
    wants: [],
    observe: () => undefined,
    finish: nothingLeft,
    onEntry: (entry) => {
      if (entry.logged?.command.type !== 'expire-leases') return;
      for (const event of entry.changes?.events ?? NO_EVENTS) {
        const id = leaseThatLost(context, event);
        if (id !== undefined) checkExpiry(context, entry, id);
      }
      // A lease that nothing lived on ends without a trace in the changes.
      for (const id of entry.leasesGone) checkExpiry(context, entry, id);
    },
    onSettled: (entry) => {
      const { result } = entry;
      if (result.type !== 'lease-renew') return;
      log.leases.renewedNow.forEach((expected, position) => {
        const told = result.renewals[position];
        if (told === undefined) {
          const which = `renewal ${expected.attempt} of lease ${expected.id}`;
          context.broken('L7', `entry ${entry.index} did not answer ${which}`);
          return;
        }
        checkRenewal(context, entry, expected, told);
        checkNamed(context, entry, told);
      });
    },
  };
}

const NO_EVENTS = [] as const;

/** The lease whose end this change shows. */
function leaseThatLost({ log }: HistoryContext, event: ChangeEvent): LeaseId | undefined {
  switch (event.type) {
    case 'ended':
      return event.lease;
    case 'left':
      return log.elections.get(event.election)?.queue.get(event.campaignId)?.lease;
    case 'delete':
      return log.keys.current(event.key)?.record?.lease;
    default:
      return undefined;
  }
}

function checkExpiry({ log, broken }: HistoryContext, entry: CanonicalEntry, id: LeaseId): void {
  const lease = log.leases.get(id);
  const command = entry.logged?.command;
  if (lease === undefined || command?.type !== 'expire-leases') return;
  const what = `entry ${entry.index} (${at(entry.appliedAtMs)}) let lease ${id} expire`;
  const named = command.leases.find(({ lease: other }) => other === id);
  if (named === undefined) {
    broken('L6', `${what}, which it does not name`);
  } else if (named.renewals !== lease.renewals) {
    const seen = `on the word of a leader that had seen ${named.renewals} renewals`;
    const since = `it was renewed by entry ${lease.movedBy} since (${at(lease.movedAtMs)})`;
    broken('L6', `${what} ${seen}; ${since}, ${lease.renewals} times in all`);
  } else if (entry.clusterTimeMs < lease.expiresAtMs) {
    const leftMs = lease.expiresAtMs - entry.clusterTimeMs;
    broken('L7', `${what} with ${leftMs} ms of cluster time left`);
  }
}

type Told = Extract<CanonicalEntry['result'], { readonly type: 'lease-renew' }>['renewals'][number];
type Expected = HistoryContext['log']['leases']['renewedNow'][number];

function checkRenewal(
  { log, broken }: HistoryContext,
  entry: CanonicalEntry,
  expected: Expected,
  told: Told,
): void {
  const { id, attempt } = expected;
  const isFound = told.outcome === 'renewed';
  if (isFound === expected.isAlive && (!isFound || told.applied === expected.isApplied)) return;
  const where = `entry ${entry.index} (${at(entry.appliedAtMs)})`;
  const what = `renewal ${attempt} of lease ${id}, ${where},`;
  if (told.outcome === 'not-found') {
    const left = `it has until cluster time ${log.leases.get(id)?.expiresAtMs ?? 0} ms`;
    broken('L6', `${what} was told that there is no such lease; ${left}`);
    return;
  }
  if (!expected.isAlive) {
    const ended = log.leases.ended(id);
    const when = ended === undefined ? 'that was never granted' : endedWhen(ended);
    broken('L8', `${what} found a lease ${when}: nothing may revive it`);
  } else if (told.applied) {
    broken('L8', `${what} was told that it moved the lease, but it may not`);
  } else {
    broken('L7', `${what} is the highest so far, and yet it moved nothing`);
  }
}

function checkNamed({ log, broken }: HistoryContext, entry: CanonicalEntry, told: Told): void {
  const lease = told.outcome === 'renewed' ? log.leases.get(told.lease) : undefined;
  if (told.outcome !== 'renewed' || lease === undefined) return;
  const what = `entry ${entry.index} (${at(entry.appliedAtMs)}), a renewal of ${lease.id},`;
  const unnamed = new Set(lease.grants);
  for (const { campaignId, token, ending } of told.grants) {
    const grant = log.elections.grantOf(token);
    const isLive = unnamed.delete(campaignId) && grant?.campaignId === campaignId;
    if (isLive && ending === grant.isEnding) continue;
    const how = ending ? 'ending' : 'live';
    broken('L8', `${what} named the grant with token ${token} as ${how}, which it is not`);
  }
  for (const id of unnamed) broken('L7', `${what} did not name ${id}, which leads on it`);
}

function endedWhen({
  reason,
  index,
  endedAtMs,
}: {
  readonly reason: string;
  readonly index: number;
  readonly endedAtMs: number;
}): string {
  return `that was ${reason} by entry ${index} (${at(endedAtMs)})`;
}
