import { conflictBetween } from './kv-between.js';
import type { Component } from './kv-components.js';
import { componentsOf, keysOfTxn } from './kv-components.js';
import { describeKv } from './kv-describe.js';
import { Evidence } from './kv-evidence.js';
import { hintOf, isKvRead } from './kv-hints.js';
import type { KvInput, KvOperation, KvOutput, KvVanish } from './kv-operations.js';
import { possibleActions, shownResults } from './kv-operations.js';
import type { KvState } from './kv-state.js';
import { describeState, emptyState, coversState, hashState } from './kv-state.js';
import { choicesOfKv, stepKv, vanishingOf } from './kv-step.js';
import type { Model, Partition } from './model.js';

export type KeyValueModel = Model<KvState, KvInput, KvOutput, KvVanish>;

/**
 * raftd's keys: put, get, delete and compare … then … else … with versions and revisions, from an
 * empty store. Judged by key, or by the keys that transactions join; `kv-between.ts` is what these
 * parts need of each other. Along the order, each change has a revision above all before it, and no
 * answer shows an older state than the one before.
 *
 * Answers may leave out versions and revisions; what they do show has to fit. An unknown put has
 * an unknown revision: it is kept as a range, narrowed by later answers; what one of them tells of
 * one change bounds all others, by the number of changes between (`kv-draft.ts`).
 *
 * An operation that was refused has no place in a history. A range read is a `txn` of gets, a
 * deletion of a range one of deletes, over all keys that the workload has there.
 */
export const keyValueModel: KeyValueModel = {
  name: 'key-value',
  partition: (history) => componentsOf(history).map(toPartition),
  conflict: conflictBetween,
  init: ({ operations }) => emptyState(keysOf(operations), { counts: showsCounts(operations) }),
  step: stepKv,
  choices: choicesOfKv,
  isRead: isKvRead,
  unasked: vanishingOf,
  // A change has its rank as its revision; an answer without one has half more.
  fits: ({ revision }, rank) => revision < Math.ceil(rank),
  covers: coversState,
  words: ({ records }) => records.length,
  hash: hashState,
  describe: describeKv,
  describeState,
};

function toPartition({ keys, operations }: Component): Partition<KvInput, KvOutput> {
  const evidence = new Evidence(operations);
  const settled = operations.filter(mayChange).map((operation) => evidence.settled(operation));
  return {
    name: keys.length === 0 ? 'no key' : keys.join(', '),
    operations: settled,
    hints: settled.map(hintOf),
  };
}

/** A read of unknown outcome proves nothing. */
function mayChange(operation: KvOperation): boolean {
  if (operation.output !== undefined) return true;
  return possibleActions(operation).some(({ type }) => type !== 'get');
}

function keysOf(operations: readonly KvOperation[]): readonly string[] {
  const keys = new Set<string>();
  for (const { input } of operations) {
    if (input.type !== 'txn') keys.add(input.key);
    else for (const key of keysOfTxn(input)) keys.add(key);
  }
  return [...keys];
}

function showsCounts(operations: readonly KvOperation[]): boolean {
  return operations.some(hasCounts);
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
