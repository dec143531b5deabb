import { mix } from './hash.js';
import type { KvRecord } from './kv-record.js';
import { ABSENT, coversRecord, isPresent } from './kv-record.js';
import { describeValue, hashValue } from './value.js';

/** The keys of one partition. */
export interface KvState {
  readonly keys: readonly string[];
  /** One a key. */
  readonly records: readonly KvRecord[];
  /** At least this revision has been reached. */
  readonly revision: number;
  /** False: no answer shows a version or a revision, so none is kept. */
  readonly counts: boolean;
}

export function emptyState(
  keys: readonly string[],
  { counts }: { readonly counts: boolean },
): KvState {
  return { keys, records: keys.map(() => ABSENT), revision: 0, counts };
}

export function recordOf(state: KvState, key: string): KvRecord {
  return state.records[state.keys.indexOf(key)] ?? ABSENT;
}

/** A lower revision and wider ranges refuse nothing more; apart from that, the same state. */
export function coversState(state: KvState, other: KvState): boolean {
  if (state === other) return true;
  if (state.revision > other.revision) return false;
  for (let slot = 0; slot < state.records.length; slot += 1) {
    if (!coversRecord(state.records[slot] ?? ABSENT, other.records[slot] ?? ABSENT)) return false;
  }
  return true;
}

export function hashState({ records }: KvState): number {
  let hash = 0;
  for (const { version, value } of records) hash = mix(mix(hash, version), hashValue(value));
  return hash;
}

export function describeState(state: KvState): string {
  const parts = state.keys.map((key, slot) => {
    const record = state.records[slot] ?? ABSENT;
    if (!isPresent(record)) return `${key} is absent`;
    const { modified, version, value } = record;
    const counts = state.counts
      ? ` (version ${version}, modified at ${describeRange(modified)})`
      : '';
    return `${key} = ${describeValue(value)}${counts}`;
  });
  return parts.join('; ') + (state.counts ? `; revision ${state.revision} or later` : '');
}

function describeRange({ min, max }: KvRecord['modified']): string {
  if (min === max) return String(min);
  return max === Infinity ? `${min} or later` : `${min} to ${max}`;
}
