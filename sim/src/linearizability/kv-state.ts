import { mix } from './hash.js';
import type { KvRecord } from './kv-record.js';
import { ABSENT, coversRecord, isPresent } from './kv-record.js';
import type { RevisionRange } from './kv-revisions.js';
import { isExact } from './kv-revisions.js';
import { describeValue, hashValue } from './value.js';

/** The keys of one partition, and where each has its record. */
export type KvSlots = ReadonlyMap<string, number>;

export interface KvState {
  readonly slots: KvSlots;
  /** One a key. */
  readonly records: readonly KvRecord[];
  /** At least this revision has been reached. */
  readonly revision: number;
  /** How many changes there were. */
  readonly changes: number;
  /** False: no answer shows a version or a revision, so none is kept. */
  readonly counts: boolean;
}

export function emptyState(
  keys: readonly string[],
  { counts }: { readonly counts: boolean },
): KvState {
  const slots = new Map(keys.map((key, slot) => [key, slot]));
  return { slots, records: keys.map(() => ABSENT), revision: 0, changes: 0, counts };
}

/** A lower revision and wider ranges refuse nothing more; apart from that, the same state. */
export function coversState(state: KvState, other: KvState): boolean {
  if (state === other) return true;
  if (state.revision > other.revision) return false;
  for (let slot = 0; slot < state.records.length; slot += 1) {
    if (!coversRecord(state.records[slot] ?? ABSENT, other.records[slot] ?? ABSENT)) return false;
  }
  return isTiedNoMore(state, other);
}

/**
 * Uncertain revisions are tied to each other and to the store's by the changes between them. What
 * is certain has bounded the others already.
 */
function isTiedNoMore(state: KvState, other: KvState): boolean {
  let least = 0;
  let most = Infinity;
  const note = (range: RevisionRange, otherRange: RevisionRange): void => {
    if (isExact(range)) return;
    const further = other.changes - otherRange.change - (state.changes - range.change);
    least = Math.max(least, further);
    most = Math.min(most, further);
  };
  for (let slot = 0; slot < state.records.length; slot += 1) {
    const record = state.records[slot] ?? ABSENT;
    if (isExact(record.modified) && isExact(record.created)) continue;
    const otherRecord = other.records[slot] ?? ABSENT;
    note(record.modified, otherRecord.modified);
    note(record.created, otherRecord.created);
  }
  return least <= most;
}

export function hashState({ records }: KvState): number {
  let hash = 0;
  for (const { version, value } of records) hash = mix(mix(hash, version), hashValue(value));
  return hash;
}

export function describeState(state: KvState): string {
  const parts = [...state.slots].map(([key, slot]) => {
    const record = state.records[slot] ?? ABSENT;
    if (!isPresent(record)) return `${key} is absent`;
    const { modified, version, value } = record;
    const counts = state.counts
      ? ` (version ${version}, modified at ${describeRange(modified)})`
      : '';
    return `${key} = ${describeValue(value)}${counts}`;
  });
  if (state.counts) parts.push(`revision ${state.revision} or later`);
  return parts.length === 0 ? 'no key' : parts.join('; ');
}

function describeRange({ min, max }: RevisionRange): string {
  if (min === max) return String(min);
  return max === Infinity ? `${min} or later` : `${min} to ${max}`;
}
