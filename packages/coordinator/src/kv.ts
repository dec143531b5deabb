import type { DeleteOperation, DeleteRangeOperation, PutOperation } from './commands.js';
import { revisionAfter, type Entry } from './entry.js';
import type { EndReason } from './events.js';
import { capacityReached, invalidArgument, refused } from './refusals.js';
import type { CommandResult, Refusal } from './results.js';
import type { State } from './state.js';
import type { ByteString, KeyRecord, LeaseId, Settings } from './types.js';

export function onPut(
  state: State,
  entry: Entry,
  settings: Settings,
  operation: PutOperation,
): CommandResult {
  const refusal = putRefusal(state, settings, operation, 0);
  if (refusal !== undefined) return refused(refusal);
  const record = putKey(state, entry, operation);
  return { type: 'put', revision: entry.revision, version: record.version };
}

export function onDelete(state: State, entry: Entry, operation: DeleteOperation): CommandResult {
  const deleted = deleteKey(state, entry, operation.key, 'user') ? 1 : 0;
  return { type: 'delete', revision: revisionAfter(state, entry), deleted };
}

/** Deletes up to an entry's limit and says whether there is `more`: the caller repeats. */
export function onDeleteRange(
  state: State,
  entry: Entry,
  settings: Settings,
  operation: DeleteRangeOperation,
): CommandResult {
  const { deleted, more } = deleteKeyRange(state, entry, operation, settings.keysPerEntryMax);
  return { type: 'delete-range', revision: revisionAfter(state, entry), deleted, more };
}

/**
 * Why this put must not happen. `attaching`: keys that earlier operations of the same transaction
 * bind to the same lease.
 */
export function putRefusal(
  state: State,
  settings: Settings,
  operation: PutOperation,
  attaching: number,
): Refusal | undefined {
  if (operation.key === '') return invalidArgument('key', 'must not be empty');
  if (operation.lease === undefined) return undefined;
  const lease = state.leases.get(operation.lease);
  if (lease === undefined) return { code: 'LEASE_NOT_FOUND', lease: operation.lease };
  if (lease.ending) return { code: 'LEASE_ENDING', lease: operation.lease };
  if (lease.keys.has(operation.key)) return undefined;
  const isFull = lease.keys.size + attaching >= settings.keysPerLeaseMax;
  return isFull ? capacityReached('keysPerLeaseMax', settings) : undefined;
}

/** After `putRefusal` only. A put without a lease takes the key from the lease it had. */
export function putKey(state: State, entry: Entry, operation: PutOperation): KeyRecord {
  const { key, value, lease } = operation;
  const previous = state.keys.get(key);
  const record: KeyRecord = {
    key,
    value,
    createRevision: previous === undefined ? entry.revision : previous.createRevision,
    modRevision: entry.revision,
    version: previous === undefined ? 1 : previous.version + 1,
    lease,
  };
  state.keys.set(key, record);
  if (previous?.lease !== lease) {
    detach(state, key, previous?.lease);
    if (lease !== undefined) state.leases.get(lease)?.keys.add(key);
  }
  entry.events.push({ type: 'put', record });
  return record;
}

export function deleteKey(state: State, entry: Entry, key: ByteString, reason: EndReason): boolean {
  const record = state.keys.get(key);
  if (record === undefined) return false;
  state.keys.delete(key);
  detach(state, key, record.lease);
  entry.events.push({ type: 'delete', key, reason });
  return true;
}

export function deleteKeyRange(
  state: State,
  entry: Entry,
  operation: DeleteRangeOperation,
  max: number,
): { readonly deleted: number; readonly more: boolean } {
  const { keys, more } = keysInRange(state, operation, max);
  for (const key of keys) deleteKey(state, entry, key, 'user');
  return { deleted: keys.length, more };
}

/** The first `max` keys of [start, end). */
export function keysInRange(
  state: State,
  range: { readonly start: ByteString; readonly end: ByteString | undefined },
  max: number,
): { readonly keys: readonly ByteString[]; readonly more: boolean } {
  const keys: ByteString[] = [];
  for (const [key] of state.keys.entries(range.start)) {
    if (range.end !== undefined && key >= range.end) break;
    if (keys.length === max) return { keys, more: true };
    keys.push(key);
  }
  return { keys, more: false };
}

function detach(state: State, key: ByteString, lease: LeaseId | undefined): void {
  if (lease !== undefined) state.leases.get(lease)?.keys.delete(key);
}
