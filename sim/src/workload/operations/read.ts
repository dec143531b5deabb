import type { KeyValue } from '@raftd/client';
import type { Answer } from '../../storm/events.js';
import type { Outcome } from '../diary.js';
import { keyName, leasedKeyName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { sawRevision, seenRecord } from './seen.js';

export type Get = Extract<ClientOperation, { readonly type: 'get' }>;

type Read = Promise<Outcome<KeyValue | undefined>>;

export function get(worker: Worker, { key, stale }: Omit<Get, 'type'>): Read {
  return getNamed(worker, keyName(key), stale);
}

export function getLeased(worker: Worker, { key, stale }: Omit<Get, 'type'>): Read {
  return getNamed(worker, leasedKeyName(key), stale);
}

export function getNamed(worker: Worker, name: string, stale: boolean): Read {
  const consistency = stale ? 'stale' : 'linearizable';
  return worker.diary.record(
    () => ({ type: 'get', key: name, stale }),
    () => worker.client.get(name, { ...callOptions(worker), consistency }),
    (record): Answer => {
      if (record !== undefined) sawRevision(worker, record.modRevision);
      return { type: 'record', record: record === undefined ? undefined : seenRecord(record) };
    },
  );
}
