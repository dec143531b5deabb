import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import type { ElectionState, GrantState, WaitingState } from './election-table.js';
import { at } from './sentence.js';

/**
 * C5: whoever is first in line among those whose lease has time left is granted in the very entry
 * that makes room (or that gives the waiting time again), and nobody out of turn. C6: whoever was
 * withdrawn stands no more, though its campaign may still have been on its way.
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

  /** By lease and campaign. */
  const withdrawn = new Set<string>();

  const checkGhost = (entry: CanonicalEntry): void => {
    const command = entry.logged?.command;
    if (command?.type === 'withdraw' && entry.result.type === 'withdraw') {
      withdrawn.add(`${command.lease} ${command.campaignId}`);
    }
    if (command?.type !== 'campaign' || !withdrawn.has(`${command.lease} ${command.campaignId}`)) {
      return;
    }
    for (const event of entry.changes?.events ?? []) {
      if (event.type !== 'queued' && event.type !== 'granted') continue;
      const who = event.type === 'queued' ? event.campaignId : event.leader.holder;
      if (who !== command.campaignId) continue;
      const what = `entry ${entry.index} (${at(entry.appliedAtMs)}) let ${command.campaignId}`;
      broken('C6', `${what} stand for ${command.election}, though it had been withdrawn`);
    }
  };

  return {
    ids: ['C5', 'C6'],
    wants: [],
    observe: () => undefined,
    finish: nothingLeft,
    onSettled: (entry) => {
      checkGhost(entry);
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
