import type { Component } from './kv-components.js';
import { componentsOf } from './kv-components.js';
import { describeKv } from './kv-describe.js';
import { Evidence } from './kv-evidence.js';
import { hintOf } from './kv-hints.js';
import type {
  KvAction,
  KvInput,
  KvOperation,
  KvOutput,
  KvPut,
  KvStep,
  KvVanish,
} from './kv-operations.js';
import { possibleActions, shownResults } from './kv-operations.js';
import type { KvState } from './kv-state.js';
import { describeState, emptyState, coversState, hashState } from './kv-state.js';
import { choicesOfKv, stepKv } from './kv-step.js';
import type { Model, Partition } from './model.js';
import { CLUSTER_PROCESS } from './operation.js';

export type KeyValueModel = Model<KvState, KvInput, KvOutput, KvVanish>;

/**
 * raftd's keys: put, get, delete and compare … then … else … with versions and revisions, from an
 * empty store. Judged by key, or by the keys that transactions join. Along the order, each change
 * has a revision above all before it, and no answer shows an older state than the one before.
 *
 * Answers may leave out versions and revisions; what they do show has to fit. An unknown put has
 * an unknown revision: it is kept as a range, narrowed by later answers. Where several uncertain
 * revisions depend on each other the range may be wider than need be: such a history may pass
 * that should not, none fails that should pass.
 *
 * An operation that was refused has no place in a history. A range read is a `txn` of gets, a
 * deletion of a range one of deletes, over all keys that the workload has there.
 */
export const keyValueModel: KeyValueModel = {
  name: 'key-value',
  partition: (history) => componentsOf(history).map(toPartition),
  init: ({ operations }) => emptyState(keysOf(operations), { counts: showsCounts(operations) }),
  step: stepKv,
  choices: choicesOfKv,
  covers: coversState,
  hash: hashState,
  describe: describeKv,
  describeState,
};

function toPartition({ keys, operations }: Component): Partition<KvInput | KvVanish, KvOutput> {
  const evidence = new Evidence(operations);
  const settled = operations.map((operation) => ownPuts(evidence.settled(operation)));
  const added = settled.flatMap(leasedPuts).map(toVanish);
  const hints = settled.map(hintOf);
  return { name: keys.join(', '), operations: [...settled, ...added], hints };
}

/** The end of a lease names its put by identity, which a caller may have used twice. */
function ownPuts(operation: KvOperation): KvOperation {
  const { input } = operation;
  if (!possibleActions(operation).some(isLeased)) return operation;
  if (input.type !== 'txn') return { ...operation, input: { ...input } };
  const then = input.then.map((action) => ({ ...action }));
  const otherwise = input.else.map((action) => ({ ...action }));
  return { ...operation, input: { ...input, then, else: otherwise } };
}

function isLeased(action: KvAction): boolean {
  return action.type === 'put' && action.leaseEndsFromMs !== undefined;
}

function leasedPuts(operation: KvOperation): readonly { put: KvPut; callMs: number }[] {
  return possibleActions(operation).flatMap((put) => {
    if (put.type !== 'put' || put.leaseEndsFromMs === undefined) return [];
    return [{ put, callMs: Math.max(put.leaseEndsFromMs, operation.callMs) }];
  });
}

/** It may happen at any time from the end of the lease on, or never. */
function toVanish(
  { put, callMs }: { readonly put: KvPut; readonly callMs: number },
  index: number,
): KvStep {
  const id = -1 - index;
  const input: KvVanish = { type: 'vanish', put };
  return { id, process: CLUSTER_PROCESS, callMs, returnMs: undefined, input, output: undefined };
}

function keysOf(operations: readonly KvStep[]): readonly string[] {
  const keys = new Set<string>();
  for (const { input } of operations) {
    if (input.type === 'vanish') continue;
    const named = input.type === 'txn' ? [...input.compare, ...input.then, ...input.else] : [input];
    for (const { key } of named) keys.add(key);
  }
  return [...keys];
}

function showsCounts(operations: readonly KvStep[]): boolean {
  return operations.some((operation) => isKvOperation(operation) && hasCounts(operation));
}

function isKvOperation(operation: KvStep): operation is KvOperation {
  return operation.input.type !== 'vanish';
}

function hasCounts(operation: KvOperation): boolean {
  const { input, output } = operation;
  if (output?.revision !== undefined) return true;
  if (input.type === 'txn' && input.compare.some(({ target }) => target !== 'value')) return true;
  return shownResults(operation).some(({ result }) => {
    if (result?.type === 'put') return result.version !== undefined;
    if (result?.type !== 'get' || result.record === undefined) return false;
    const { version, createRevision, modRevision } = result.record;
    return version !== undefined || createRevision !== undefined || modRevision !== undefined;
  });
}
