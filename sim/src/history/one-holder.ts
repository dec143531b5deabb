import type { ChangeEvent } from '@raftd/protocol';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/**
 * L2: at every place of the log an election has at most one grant, and a new one comes only after
 * the former has ended; the same revision may do both. C1: every grant stands on a live lease.
 */
export function oneHolder(context: HistoryContext): StormChecker & EntryReader {
  const { log, broken } = context;
  /** Tokens of the elections that this entry has touched so far. */
  const held = new Map<string, bigint | undefined>();

  const current = (election: string): bigint | undefined =>
    held.has(election) ? held.get(election) : log.elections.get(election)?.grant?.token;

  const onChange = (entry: CanonicalEntry, event: ChangeEvent): void => {
    if (event.type === 'granted') {
      const { election, token, holder } = event.leader;
      const former = current(election);
      if (former !== undefined) {
        const second = `entry ${entry.index} granted ${election} to ${holder} with token ${token}`;
        const first = `while the grant with token ${former} had not ended`;
        broken('L2', `${second} (${at(entry.appliedAtMs)}) ${first}`);
      }
      held.set(election, token);
    } else if (event.type === 'ended') {
      const { election, token } = event;
      const former = current(election);
      if (former !== token) {
        const what = `entry ${entry.index} ended the grant of ${election} with token ${token}`;
        broken('L2', `${what} (${at(entry.appliedAtMs)}), current was ${former ?? 'none'}`);
      }
      held.set(election, undefined);
    } else if (event.type === 'ending') {
      const { election, token } = event.leader;
      const former = current(election);
      if (former === token) return;
      const what = `entry ${entry.index} marked token ${token} of ${election} as ending`;
      broken('L2', `${what} (${at(entry.appliedAtMs)}), current was ${former ?? 'none'}`);
    }
  };

  return {
    ids: ['L2', 'C1'],
    wants: [],
    observe: () => undefined,
    finish: nothingLeft,
    onEntry: (entry) => {
      if (entry.changes === undefined) return;
      held.clear();
      for (const event of entry.changes.events) onChange(entry, event);
    },
    onSettled: (entry) => {
      if (entry.changes === undefined && log.leases.endedNow.length === 0) return;
      for (const { grant, name } of log.elections.all()) {
        if (grant === undefined || log.leases.get(grant.lease) !== undefined) continue;
        const ended = log.leases.ended(grant.lease);
        const why =
          ended === undefined ? 'was never granted' : `${ended.reason} at entry ${ended.index}`;
        const who = `${grant.campaignId} holds ${name} with token ${grant.token}`;
        broken('C1', `after entry ${entry.index} ${who}, but its lease ${grant.lease} ${why}`);
      }
    },
  };
}
