import { assertNever } from './assert.js';
import type { ClientCommand, Operation } from './commands.js';
import { holds } from './compares.js';
import { revisionAfter, type Entry } from './entry.js';
import { deleteKey, deleteKeyRange, keysInRange, putKey, putRefusal } from './kv.js';
import { limitExceeded, refused } from './refusals.js';
import { recordBytes } from './reply-size.js';
import type { CommandResult, OperationResult, Refusal } from './results.js';
import type { State } from './state.js';
import type { ByteString, LeaseId, Settings } from './types.js';

type Transaction = Extract<ClientCommand, { type: 'txn' }>;

/**
 * compare … then … else …: all or nothing, one revision (C25). Whatever could refuse an operation
 * is found before the first one runs.
 */
export function onTxn(
  state: State,
  entry: Entry,
  settings: Settings,
  command: Transaction,
): CommandResult {
  const succeeded = command.compares.every((compare) => holds(state, compare));
  const operations = succeeded ? command.success : command.failure;
  const refusal =
    operationsRefusal(state, settings, operations) ?? replyRefusal(state, settings, operations);
  if (refusal !== undefined) return refused(refusal);
  const results = operations.map((operation) => execute(state, entry, settings, operation));
  return { type: 'txn', revision: revisionAfter(state, entry), succeeded, results };
}

/**
 * Counts on the safe side: a key that two operations touch counts twice, and one that an earlier
 * operation of the same transaction takes from a lease still counts there.
 */
function operationsRefusal(
  state: State,
  settings: Settings,
  operations: readonly Operation[],
): Refusal | undefined {
  let touched = 0;
  const attaching = new Map<LeaseId, number>();
  for (const operation of operations) {
    if (operation.type === 'put') {
      const before = operation.lease === undefined ? 0 : (attaching.get(operation.lease) ?? 0);
      const refusal = putRefusal(state, settings, operation, before);
      if (refusal !== undefined) return refusal;
      if (operation.lease !== undefined) attaching.set(operation.lease, before + 1);
    }
    touched +=
      operation.type === 'delete-range'
        ? keysInRange(state, operation, settings.keysPerEntryMax + 1).keys.length
        : 1;
    if (touched > settings.keysPerEntryMax) return limitExceeded('keysPerEntryMax', settings);
  }
  return undefined;
}

/** A get returns what stands there now or what an earlier operation of the transaction put. */
function replyRefusal(
  state: State,
  settings: Settings,
  operations: readonly Operation[],
): Refusal | undefined {
  let bytes = 0;
  const changed = new Map<ByteString, number>();
  for (const operation of operations) {
    const { type } = operation;
    if (type === 'put') changed.set(operation.key, recordBytes(operation));
    else if (type === 'delete') changed.set(operation.key, 0);
    else if (type === 'get') {
      const record = state.keys.get(operation.key);
      const bytesNow = record === undefined ? 0 : recordBytes(record);
      bytes += changed.get(operation.key) ?? bytesNow;
    }
    if (bytes > settings.txnReplyBytesMax) return limitExceeded('txnReplyBytesMax', settings);
  }
  return undefined;
}

function execute(
  state: State,
  entry: Entry,
  settings: Settings,
  operation: Operation,
): OperationResult {
  switch (operation.type) {
    case 'put':
      return { type: 'put', version: putKey(state, entry, operation).version };
    case 'delete':
      return { type: 'delete', deleted: deleteKey(state, entry, operation.key, 'user') ? 1 : 0 };
    case 'delete-range': {
      const { deleted, more } = deleteKeyRange(state, entry, operation, settings.keysPerEntryMax);
      return { type: 'delete-range', deleted, more };
    }
    case 'get':
      return { type: 'get', record: state.keys.get(operation.key) };
    /* v8 ignore next */
    default:
      return assertNever(operation);
  }
}
