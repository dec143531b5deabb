import type { ResourceWrite } from '../storm/events.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

/**
 * L3: what a resource accepts carries tokens that never decrease, none below the highest it has
 * seen; and it refuses nobody who holds the newest.
 */
export function resourceGuard({ probe, broken }: HistoryContext): StormChecker {
  /** The write with the highest token, accepted or not, by election. */
  const highest = new Map<string, { readonly write: ResourceWrite; readonly atMs: number }>();

  const onWrite = (write: ResourceWrite): void => {
    const { client, election, token, accepted } = write;
    const seen = highest.get(election);
    const isStale = seen !== undefined && token < seen.write.token;
    if (!isStale) highest.set(election, { write, atMs: probe.trueMs });
    if (accepted !== isStale) return;
    const what = `the resource of ${election} ${accepted ? 'accepted' : 'refused'} token ${token}`;
    if (isStale) {
      const newer = `token ${seen.write.token} of ${seen.write.client} (${at(seen.atMs)})`;
      broken('L3', `${what} from ${client} (${at(probe.trueMs)}) after it had seen ${newer}`);
    } else {
      broken('L3', `${what} from ${client} (${at(probe.trueMs)}) though it had seen none above`);
    }
  };

  return {
    ids: ['L3'],
    wants: ['resource-write'],
    observe: (event) => {
      if (event.type === 'resource-write') onWrite(event);
    },
    finish: nothingLeft,
  };
}
