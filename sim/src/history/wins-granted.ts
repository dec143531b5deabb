import type { LeadershipWon } from '../storm/events.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/**
 * L10: leadership starts only on a grant that the state machine made: election, campaign, lease
 * and token stand in the log before the client knows them. (K-044: nothing is ever inferred.)
 */
export function winsGranted({ log, probe, broken }: HistoryContext): StormChecker {
  const onWon = ({ client, election, token, holder, lease }: LeadershipWon): void => {
    const grant = log.elections.grantOf(token);
    const isSame =
      grant?.election === election && grant.campaignId === holder && grant.lease === lease;
    if (isSame) return;
    const what = `${client} won ${election} with token ${token} (${at(probe.trueMs)})`;
    if (grant === undefined) {
      broken('L10', `${what}, which no applied entry has granted`);
      return;
    }
    const granted = `${grant.election} to ${grant.campaignId} on lease ${grant.lease}`;
    broken('L10', `${what} as ${holder} on lease ${lease}; the log granted it for ${granted}`);
  };

  return {
    ids: ['L10'],
    wants: ['leadership-won'],
    observe: (event) => {
      if (event.type === 'leadership-won') onWon(event);
    },
    finish: nothingLeft,
  };
}
