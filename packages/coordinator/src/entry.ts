import type { ChangeEvent } from './events.js';
import type { Election, State } from './state.js';
import type { Revision } from './types.js';

/** The log entry being applied: its time, and the changes it has made so far. */
export interface Entry {
  /** Cluster time of the entry, already the maximum of all before it. */
  readonly timeMs: number;
  /** Of every change the entry makes: one revision an entry. */
  readonly revision: Revision;
  readonly events: ChangeEvent[];
  /** Elections this entry touched: each is settled before the entry ends (grants.ts). */
  touched: Set<Election> | undefined;
}

export function beginEntry(state: State): Entry {
  return {
    timeMs: state.clusterTimeMs,
    revision: (state.revision + 1) as Revision,
    events: [],
    touched: undefined,
  };
}

/** What a reply names: the entry's own revision, or the present one if it changed nothing. */
export function revisionAfter(state: State, entry: Entry): Revision {
  return entry.events.length > 0 ? entry.revision : state.revision;
}
