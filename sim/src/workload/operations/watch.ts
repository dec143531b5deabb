import type { WatchEvent } from '@raftd/client';
import type { WatchEventSeen } from '../diary.js';
import { EVERYTHING, keysBetween } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { follow } from './observe.js';
import { sawRevision, seenRecord } from './seen.js';

type Watch = Extract<ClientOperation, { readonly type: 'watch' }>;

const EVERYTHING_PERCENT = 30;
const FROM_THE_PAST_PERCENT = 30;
const PAST_REVISIONS = 60;

/** Changes of keys for a while; sometimes from a revision that is over already. */
export async function watch(worker: Worker, operation: Watch): Promise<void> {
  const { client, diary, dice } = worker;
  const everything = dice.percent(EVERYTHING_PERCENT);
  const keys = everything ? EVERYTHING : keysBetween(operation.from, operation.to);
  const isFromPast = dice.percent(FROM_THE_PAST_PERCENT) && worker.revisionSeen > 0;
  const past = worker.revisionSeen - Math.floor(dice.next() * PAST_REVISIONS);
  const fromRevision = isFromPast ? Math.max(1, past) : undefined;
  const number = diary.watchOpened({ type: 'keys', ...keys, fromRevision });
  const onOpened = (from: number): void => diary.watchStands(number, from);
  await follow(worker, number, operation, async (signal, see) => {
    for await (const event of client.watch(keys, { signal, fromRevision, onOpened })) {
      sawRevision(worker, event.revision);
      see(seen(event));
    }
  });
}

function seen(event: WatchEvent): WatchEventSeen {
  const { revision } = event;
  if (event.type === 'put') return { type: 'put', revision, record: seenRecord(event.record) };
  return { type: 'delete', revision, key: event.keyText, reason: event.reason };
}
