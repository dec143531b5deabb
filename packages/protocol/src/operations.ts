import type { Compare, CompareOperator, Guard, LeaseId, Operation } from '@raftd/coordinator';
import { assertNever } from './assert.js';
import { bytesOf } from './byte-string.js';
import { exceeded, invalid } from './decoded.js';
import {
  bound,
  bytes,
  choice,
  expectLength,
  key,
  list,
  name,
  natural,
  optional,
  packToken,
  row,
  taggedRow,
  token,
  unknownTag,
} from './fields.js';
import type { WireLimits } from './limits.js';
import { OPERATION } from './tags.js';

/** The parts that commands share: operations, comparisons, guards. */

export function packOperation(operation: Operation): readonly unknown[] {
  switch (operation.type) {
    case 'put':
      return [OPERATION.put, bytesOf(operation.key), operation.value, operation.lease];
    case 'delete':
      return [OPERATION.delete, bytesOf(operation.key)];
    case 'delete-range': {
      const end = operation.end === undefined ? undefined : bytesOf(operation.end);
      return [OPERATION['delete-range'], bytesOf(operation.start), end];
    }
    case 'get':
      return [OPERATION.get, bytesOf(operation.key)];
    default:
      return assertNever(operation);
  }
}

export function readOperation(value: unknown, limits: WireLimits): Operation {
  const fields = taggedRow(value, 'operation');
  switch (fields[0]) {
    case OPERATION.put:
      expectLength(fields, 'put', 4);
      return {
        type: 'put',
        key: key(fields[1], 'key', limits.keyBytesMax),
        value: bytes(fields[2], 'value', limits.valueBytesMax),
        lease: optionalLease(fields[3], limits),
      };
    case OPERATION.delete:
      expectLength(fields, 'delete', 2);
      return { type: 'delete', key: key(fields[1], 'key', limits.keyBytesMax) };
    case OPERATION['delete-range']:
      expectLength(fields, 'delete-range', 3);
      return {
        type: 'delete-range',
        start: bound(fields[1], 'start', limits.keyBytesMax),
        end: optional(fields[2], (end) => bound(end, 'end', limits.keyBytesMax)),
      };
    case OPERATION.get:
      expectLength(fields, 'get', 2);
      return { type: 'get', key: key(fields[1], 'key', limits.keyBytesMax) };
    default:
      throw unknownTag('operation', fields[0]);
  }
}

export function leaseId(value: unknown, limits: WireLimits): LeaseId {
  return name<LeaseId>(value, 'lease', limits.nameCharsMax);
}

export function optionalLease(value: unknown, limits: WireLimits): LeaseId | undefined {
  return value === null ? undefined : leaseId(value, limits);
}

const TARGETS: readonly Compare['target'][] = [
  'value',
  'version',
  'create-revision',
  'mod-revision',
];
const OPERATORS: readonly CompareOperator[] = ['=', '!=', '<', '>'];

export function packCompare(compare: Compare): readonly unknown[] {
  const target = TARGETS.indexOf(compare.target);
  const operator = OPERATORS.indexOf(compare.operator);
  return [target, bytesOf(compare.key), operator, compare.operand];
}

export function readCompare(value: unknown, limits: WireLimits): Compare {
  const fields = row(value, 'compare', 4);
  const target = choice(fields[0], 'target', TARGETS);
  const shared = {
    key: key(fields[1], 'key', limits.keyBytesMax),
    operator: choice(fields[2], 'operator', OPERATORS),
  };
  if (target === 'value') {
    return { target, ...shared, operand: bytes(fields[3], 'operand', limits.valueBytesMax) };
  }
  return { target, ...shared, operand: natural(fields[3], 'operand') };
}

export function packGuard(guard: Guard): readonly unknown[] {
  return [guard.election, packToken(guard.token)];
}

const NO_GUARDS: readonly Guard[] = [];

export function readGuards(value: unknown, limits: WireLimits): readonly Guard[] {
  if (Array.isArray(value) && value.length === 0) return NO_GUARDS;
  return list(value, 'guards', limits.txnOperationsMax, (item) => {
    const fields = row(item, 'guard', 2);
    return {
      election: name(fields[0], 'election', limits.nameCharsMax),
      token: token(fields[1], 'token'),
    };
  });
}

/** Both branches of a transaction; the limit is on their sum. */
export function readBranches(
  success: unknown,
  failure: unknown,
  limits: WireLimits,
): { readonly success: readonly Operation[]; readonly failure: readonly Operation[] } {
  if (!Array.isArray(success)) throw invalid('success', 'must be an array');
  if (!Array.isArray(failure)) throw invalid('failure', 'must be an array');
  const operations = success.length + failure.length;
  if (operations > limits.txnOperationsMax) {
    throw exceeded('operations', limits.txnOperationsMax, operations);
  }
  const read = (item: unknown): Operation => readOperation(item, limits);
  return {
    success: list(success, 'success', limits.txnOperationsMax, read),
    failure: list(failure, 'failure', limits.txnOperationsMax, read),
  };
}
