import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import type { ElectionState, GrantState, WaitingState } from './election-table.js';
import { at } from './sentence.js';

/**
 * C5: whoever is first in line among those whose lease has time left is granted in the very entry
 * that makes room (or that gives the waiting time again), and nobody out of turn.
 */
export function promotion({ log, broken }: HistoryContext): StormChecker & EntryReader {
  /** Cluster time left after `entry`: what DESIGN section 6 means by "leases with time left". */
  const timeLeftMs = (entry: CanonicalEntry, { lease }: Pick<WaitingState, 'lease'>): number => {
    const state = lease === undefined ? undefined : log.leases.get(lease);
    return state === undefined ? 0 : state.expiresAtMs - entry.clusterTimeMs;
  };

  const checkVacant = (entry: CanonicalEntry, election: ElectionState): void => {
    for (const waiting of election.queue.values()) {
      const leftMs = timeLeftMs(entry, waiting);
      if (leftMs <= 0) continue;
      const who = `${waiting.campaignId} waits with ${leftMs} ms left`;
      const vacant = `entry ${entry.index} left ${election.name} vacant (${at(entry.appliedAtMs)})`;
      broken('C5', `${vacant} although ${who}: promotion belongs into the same entry`);
    }
  };

  const checkTurn = (entry: CanonicalEntry, election: ElectionState, grant: GrantState): void => {
    const who = `entry ${entry.index} granted ${election.name} to ${grant.campaignId}`;
    const what = `${who} with token ${grant.token} (${at(entry.appliedAtMs)})`;
    const leftMs = timeLeftMs(entry, grant);
    if (leftMs <= 0) broken('C5', `${what}, whose lease ran out ${-leftMs} ms before`);
    for (const waiting of election.queue.values()) {
      if (waiting.ordinal > grant.ordinal || timeLeftMs(entry, waiting) <= 0) continue;
      broken('C5', `${what}, out of turn: ${waiting.campaignId} has waited longer`);
    }
  };

  return {
    ids: ['C5'],
    wants: [],
    observe: () => undefined,
    finish: nothingLeft,
    onSettled: (entry) => {
      // A renewal gives time again to who was passed over; nothing else does without changes.
      if (entry.changes === undefined && entry.result.type !== 'lease-renew') return;
      for (const election of log.elections.all()) {
        const { grant } = election;
        if (grant === undefined) checkVacant(entry, election);
        else if (grant.index === entry.index) checkTurn(entry, election, grant);
      }
    },
  };
}
