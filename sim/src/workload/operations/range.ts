import type { RangePage } from '@raftd/client';
import type { Outcome } from '../diary.js';
import { ALL_KEYS } from '../names.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { sawRevision, seenRecord } from './seen.js';

/** Some readers turn small pages: all of them show the state of the first. */
const SMALL_PAGES_PERCENT = 40;
const SMALL_PAGE = 3;

export function range(worker: Worker): Promise<Outcome<RangePage>> {
  const limit = worker.dice.percent(SMALL_PAGES_PERCENT) ? SMALL_PAGE : undefined;
  return worker.diary.record(
    () => ({ type: 'range', ...ALL_KEYS }),
    () => worker.client.rangeAll(ALL_KEYS, { ...callOptions(worker), limit }),
    ({ revision, records }) => {
      sawRevision(worker, revision);
      return { type: 'page', revision, records: records.map(seenRecord) };
    },
  );
}
