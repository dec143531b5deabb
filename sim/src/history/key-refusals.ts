import type { LeaseId, Operation, RefusalCode, Settings } from '@raftd/protocol';
import type { CanonicalLog } from './canonical-log.js';
import { isEveryTrue, type KeyCommand } from './key-effects.js';

/** What this file knows of: others are for other checkers, or never happen here. */
export const KEY_REFUSALS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'LEASE_NOT_FOUND',
  'LEASE_ENDING',
  'CAPACITY_REACHED',
  'LIMIT_EXCEEDED',
]);

type Tables = Pick<CanonicalLog, 'keys' | 'leases'>;

/**
 * Why a command on keys, whose guards hold, must be refused: told from the tables alone. Nothing of
 * it is done then. A transaction counts on the safe side: what two steps touch counts twice.
 */
export function keyRefusal(
  tables: Tables,
  command: KeyCommand,
  settings: Settings,
): RefusalCode | undefined {
  if (command.type === 'put') return putRefusal(tables, command, settings, 0);
  if (command.type !== 'txn') return undefined;
  const steps = isEveryTrue(tables.keys, command.compares) ? command.success : command.failure;
  let touched = 0;
  const bound = new Map<LeaseId, number>();
  for (const step of steps) {
    if (step.type === 'put' && step.lease !== undefined) {
      const before = bound.get(step.lease) ?? 0;
      const refusal = putRefusal(tables, step, settings, before);
      if (refusal !== undefined) return refusal;
      bound.set(step.lease, before + 1);
    }
    touched += weightOf(tables, step);
    if (touched > settings.keysPerEntryMax) return 'LIMIT_EXCEEDED';
  }
  return undefined;
}

function putRefusal(
  { keys, leases }: Tables,
  { key, lease: id }: Extract<Operation, { readonly type: 'put' }>,
  { keysPerLeaseMax }: Settings,
  boundBefore: number,
): RefusalCode | undefined {
  if (id === undefined) return undefined;
  const lease = leases.get(id);
  if (lease === undefined) return 'LEASE_NOT_FOUND';
  if (lease.isEnding) return 'LEASE_ENDING';
  if (keys.current(key)?.record?.lease === id) return undefined;
  return keys.countOn(id) + boundBefore >= keysPerLeaseMax ? 'CAPACITY_REACHED' : undefined;
}

function weightOf({ keys }: Tables, step: Operation): number {
  if (step.type !== 'delete-range') return 1;
  const there = keys.keysIn(step.start, step.end);
  return there.filter((key) => keys.current(key)?.record !== undefined).length;
}
