import type { StormEvent } from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/**
 * L1: fencing tokens strictly increase in the order of the log, over the whole run and all
 * elections. A campaign has one token for life: renewals and repeated campaigns tell it, they
 * never mint another.
 */
export function tokensIncrease({ broken }: HistoryContext): StormChecker & EntryReader {
  let last: { readonly token: bigint; readonly index: number } | undefined;
  const tokenOf = new Map<string, bigint>();

  const onGranted = (entry: CanonicalEntry, token: bigint, campaignId: string): void => {
    if (last !== undefined && token <= last.token) {
      const before = `entry ${last.index} had given token ${last.token} before`;
      const now = `entry ${entry.index} granted token ${token} (${at(entry.appliedAtMs)})`;
      broken('L1', `${now}, ${before}`);
    }
    const earlier = tokenOf.get(campaignId);
    if (earlier !== undefined) {
      const twice = `campaign ${campaignId} was granted token ${earlier} and again ${token}`;
      broken('L1', `${twice} by entry ${entry.index} (${at(entry.appliedAtMs)})`);
    }
    last = { token, index: entry.index };
    tokenOf.set(campaignId, token);
  };

  const expectToken = (entry: CanonicalEntry, campaignId: string, token: bigint): void => {
    const granted = tokenOf.get(campaignId);
    if (granted === token) return;
    const told = `entry ${entry.index} (${entry.result.type}) told campaign ${campaignId}`;
    broken('L1', `${told} the token ${token}, it was granted ${granted ?? 'none'}`);
  };

  return {
    ids: ['L1'],
    wants: [],
    observe: (_event: StormEvent) => undefined,
    finish: nothingLeft,
    onEntry: (entry) => {
      for (const event of entry.changes?.events ?? NO_EVENTS) {
        if (event.type === 'granted') onGranted(entry, event.leader.token, event.leader.holder);
      }
      const { result } = entry;
      if (result.type === 'campaign' && result.state.state === 'granted') {
        expectToken(entry, result.state.leader.holder, result.state.leader.token);
      } else if (result.type === 'lease-renew') {
        for (const renewal of result.renewals) {
          if (renewal.outcome !== 'renewed') continue;
          for (const grant of renewal.grants) expectToken(entry, grant.campaignId, grant.token);
        }
      } else if (entry.logged?.command.type === 'initialize' && result.type === 'done') {
        last = { token: entry.logged.command.tokenBase, index: entry.index };
      }
    },
  };
}

const NO_EVENTS = [] as const;
