import type { DeleteRangeResult, DeleteResult, PutResult } from '@raftd/client';
import type { Answer, GuardSeen } from '../../storm/events.js';
import type { Outcome } from '../diary.js';
import { keyName, keysBetween, type NamedRange } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { sawRevision } from './seen.js';

type Put = Extract<ClientOperation, { readonly type: 'put' }>;
type Delete = Extract<ClientOperation, { readonly type: 'delete' }>;
type DeleteRange = Extract<ClientOperation, { readonly type: 'delete-range' }>;

export function put(worker: Worker, { key }: Put): Promise<Outcome<PutResult>> {
  return putPlainly(worker, keyName(key));
}

export function putPlainly(worker: Worker, key: string): Promise<Outcome<PutResult>> {
  return recordPut(worker, { key }, (value) => worker.client.put(key, value, callOptions(worker)));
}

export interface PutTerms {
  readonly key: string;
  readonly guarded?: GuardSeen;
  /** The id of the lease that it is bound to. */
  readonly lease?: string;
}

/** One put, whoever makes it; the value is the operation's number. */
export function recordPut(
  worker: Worker,
  { key, guarded, lease }: PutTerms,
  write: (value: string) => Promise<PutResult>,
): Promise<Outcome<PutResult>> {
  return worker.diary.record(
    (operation) => ({ type: 'put', key, value: String(operation), guarded, lease }),
    (operation) => write(String(operation)),
    ({ revision, version }): Answer => {
      sawRevision(worker, revision);
      return { type: 'written', revision, version };
    },
  );
}

export function deleteKey(worker: Worker, { key }: Delete): Promise<Outcome<DeleteResult>> {
  return deleteNamed(worker, keyName(key));
}

export function deleteNamed(worker: Worker, key: string): Promise<Outcome<DeleteResult>> {
  return worker.diary.record(
    () => ({ type: 'delete', key }),
    () => worker.client.delete(key, callOptions(worker)),
    ({ revision, deleted }) => ({ type: 'deleted', revision, deleted }),
  );
}

export function deleteRange(
  worker: Worker,
  { from, to }: DeleteRange,
): Promise<Outcome<DeleteRangeResult>> {
  return deleteBetween(worker, keysBetween(from, to));
}

export function deleteBetween(
  worker: Worker,
  keys: NamedRange,
): Promise<Outcome<DeleteRangeResult>> {
  return worker.diary.record(
    () => ({ type: 'delete-range', ...keys }),
    () => worker.client.deleteRange(keys, callOptions(worker)),
    ({ revision, deleted, more }) => ({ type: 'deleted', revision, deleted, more }),
  );
}
