import type {
  Compare,
  CompareOperator,
  Operation,
  OperationResult,
  Revision,
} from '@raftd/protocol';
import { DEFAULT_WIRE_LIMITS } from '@raftd/protocol';
import { type Caller, command, dataCommand } from './caller.js';
import { invalidArgument, limitExceeded } from './errors.js';
import { KeyValue } from './key-value.js';
import { type Bytes, type KeyRange, toKey, toRange, toValue } from './keys.js';
import { type LeaseRef, toGuards, toLeaseId, type WriteOptions } from './kv.js';

/** A missing key has version and revisions 0; it equals no value and differs from every one. */
export type TxnCompare =
  | {
      readonly key: Bytes;
      readonly target: 'value';
      readonly operator: CompareOperator;
      readonly operand: Bytes;
    }
  | {
      readonly key: Bytes;
      readonly target: 'version' | 'create-revision' | 'mod-revision';
      readonly operator: CompareOperator;
      readonly operand: number;
    };

export type TxnOperation =
  | { readonly type: 'put'; readonly key: Bytes; readonly value: Bytes; readonly lease?: LeaseRef }
  | { readonly type: 'get'; readonly key: Bytes }
  | { readonly type: 'delete'; readonly key: Bytes }
  | ({ readonly type: 'delete-range' } & KeyRange);

/** All of `then` if every comparison holds, else all of `else`: one revision either way. */
export interface Txn {
  readonly compare?: readonly TxnCompare[];
  readonly then?: readonly TxnOperation[];
  readonly else?: readonly TxnOperation[];
}

export type TxnOperationResult =
  | Exclude<OperationResult, { readonly type: 'get' }>
  | { readonly type: 'get'; readonly record: KeyValue | undefined };

export interface TxnResult {
  readonly revision: Revision;
  /** Every comparison held: `then` was done; otherwise `else`. */
  readonly succeeded: boolean;
  /** One for each operation that was done, in order. */
  readonly results: readonly TxnOperationResult[];
}

export async function txn(caller: Caller, asked: Txn, options: WriteOptions): Promise<TxnResult> {
  if (!isObject(asked)) throw invalidArgument('txn', 'is not an object');
  const compares = (asked.compare ?? []).map(toCompare);
  const success = (asked.then ?? []).map(toOperation);
  const failure = (asked.else ?? []).map(toOperation);
  const guards = toGuards(options.guard);
  const limit = DEFAULT_WIRE_LIMITS.txnOperationsMax;
  const count = compares.length + success.length + failure.length;
  if (count > limit) throw limitExceeded('txn', limit);
  const body = dataCommand({ type: 'txn', compares, success, failure, guards });
  const { revision, succeeded, results } = await command(caller, 'txn', body, options);
  return { revision, succeeded, results: results.map(toResult) };
}

function isObject(asked: unknown): boolean {
  return typeof asked === 'object' && asked !== null;
}

function toCompare(compare: TxnCompare): Compare {
  const key = toKey(compare.key);
  const { operator } = compare;
  if (compare.target === 'value') {
    return { target: 'value', key, operator, operand: toValue(compare.operand) };
  }
  if (!Number.isSafeInteger(compare.operand) || compare.operand < 0) {
    throw invalidArgument('compare', `${compare.target} is not a number from 0`);
  }
  return { target: compare.target, key, operator, operand: compare.operand };
}

function toOperation(operation: TxnOperation): Operation {
  switch (operation.type) {
    case 'put': {
      const { key, value, lease } = operation;
      return { type: 'put', key: toKey(key), value: toValue(value), lease: toLeaseId(lease) };
    }
    case 'get':
    case 'delete':
      return { type: operation.type, key: toKey(operation.key) };
    case 'delete-range':
      return { type: 'delete-range', ...toRange(operation) };
    default:
      return operation satisfies never;
  }
}

function toResult(result: OperationResult): TxnOperationResult {
  if (result.type !== 'get') return result;
  const { record } = result;
  return { type: 'get', record: record === undefined ? undefined : new KeyValue(record) };
}
