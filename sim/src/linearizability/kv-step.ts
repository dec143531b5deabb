import type {
  KvAction,
  KvActionOutput,
  KvInput,
  KvOutput,
  KvTxn,
  KvVanish,
} from './kv-operations.js';
import type { KvRecord, RevisionRange } from './kv-record.js';
import {
  ABSENT,
  cappedAt,
  exactly,
  holds,
  isPresent,
  learn,
  matchShown,
  vanishesFrom,
} from './kv-record.js';
import type { Unasked } from './model.js';
import type { KvState } from './kv-state.js';
import { recordOf } from './kv-state.js';

/** The choices of a transaction of unknown outcome. */
const THEN = 0;

export function stepKv(
  state: KvState,
  input: KvInput,
  output: KvOutput | undefined,
  choice: number,
): KvState | undefined {
  if (input.type !== 'txn') {
    const result = output?.type === 'txn' ? undefined : output;
    return act(state, [input], { results: [result], isKnown: result !== undefined, output });
  }
  const txn = output?.type === 'txn' ? output : undefined;
  const succeeded = txn?.succeeded ?? choice === THEN;
  const compared = compare(state, input, { succeeded });
  if (compared === undefined) return undefined;
  const actions = succeeded ? input.then : input.else;
  return act(compared, actions, { results: txn?.results, isKnown: txn !== undefined, output });
}

export function choicesOfKv(input: KvInput, output: KvOutput | undefined): number {
  return input.type === 'txn' && output === undefined ? 2 : 1;
}

interface Told {
  readonly results: readonly (KvActionOutput | undefined)[] | undefined;
  readonly isKnown: boolean;
  readonly output: KvOutput | undefined;
}

/** All actions at one revision; undefined: not with this answer, or nothing changed unseen. */
function act(state: KvState, actions: readonly KvAction[], told: Told): KvState | undefined {
  if (!isAnswerTo(actions, told.results)) return undefined;
  const { counts } = state;
  const revision = told.output?.revision;
  const changes = isChange(state, actions);
  if (!changes && !told.isKnown) return undefined;
  if (revision !== undefined && revision < state.revision + (changes ? 1 : 0)) return undefined;
  const records = state.records.slice();
  if (revision !== undefined) capAll(records, changes ? revision - 1 : revision);
  const entry = entryRange(state, revision);
  let seen = revision ?? (changes && counts ? state.revision + 1 : state.revision);
  for (let at = 0; at < actions.length; at += 1) {
    const action = actions[at] as KvAction;
    const slot = state.keys.indexOf(action.key);
    const before = records[slot] ?? ABSENT;
    const after = perform(before, action, told.results?.[at], { entry, counts });
    if (after === undefined) return undefined;
    records[slot] = after;
    if (counts && after.modified.min > seen) seen = after.modified.min;
  }
  return { keys: state.keys, records, revision: seen, counts };
}

function isAnswerTo(actions: readonly KvAction[], results: Told['results']): boolean {
  if (results === undefined) return true;
  if (results.length !== actions.length) return false;
  for (let at = 0; at < actions.length; at += 1) {
    const result = results[at];
    if (result !== undefined && result.type !== actions[at]?.type) return false;
  }
  return true;
}

/** A delete after a put of the same transaction changes something, but so did the put. */
function isChange(state: KvState, actions: readonly KvAction[]): boolean {
  for (const action of actions) {
    if (action.type === 'put') return true;
    if (action.type === 'delete' && isPresent(recordOf(state, action.key))) return true;
  }
  return false;
}

function capAll(records: KvRecord[], max: number): void {
  for (let slot = 0; slot < records.length; slot += 1) {
    records[slot] = cappedAt(records[slot] ?? ABSENT, max);
  }
}

function entryRange(state: KvState, revision: number | undefined): RevisionRange {
  if (revision !== undefined) return exactly(revision);
  return { min: state.counts ? state.revision + 1 : 0, max: Infinity };
}

function perform(
  record: KvRecord,
  action: KvAction,
  result: KvActionOutput | undefined,
  { entry, counts }: { readonly entry: RevisionRange; readonly counts: boolean },
): KvRecord | undefined {
  switch (action.type) {
    case 'put': {
      const version = counts ? record.version + 1 : 1;
      const shown = result?.type === 'put' ? result.version : undefined;
      if (shown !== undefined && shown !== version) return undefined;
      const created = isPresent(record) ? record.created : entry;
      const leased = action.leaseEndsFromMs === undefined ? undefined : action;
      return { value: action.value, version, created, modified: entry, leased };
    }
    case 'delete': {
      const shown = result?.type === 'delete' ? result.deleted : undefined;
      if (shown !== undefined && shown !== (isPresent(record) ? 1 : 0)) return undefined;
      return ABSENT;
    }
    case 'get':
      if (result?.type !== 'get') return record;
      if (result.record === undefined) return isPresent(record) ? undefined : record;
      return matchShown(record, result.record);
    default:
      return action satisfies never;
  }
}

/** The state, and what it teaches of uncertain revisions that the comparisons came out so. */
function compare(
  state: KvState,
  { compare: compares }: KvTxn,
  { succeeded }: { readonly succeeded: boolean },
): KvState | undefined {
  if (compares.length === 0) return succeeded ? state : undefined;
  const outcomes = compares.map((it) => holds(recordOf(state, it.key), it));
  const open = outcomes.filter((outcome) => outcome === undefined).length;
  if (succeeded ? outcomes.includes(false) : !outcomes.includes(false) && open === 0) {
    return undefined;
  }
  // Which of several open comparisons failed is not known, nor whether one did at all.
  const teaches = open > 0 && (succeeded || (open === 1 && !outcomes.includes(false)));
  if (!teaches) return state;
  const records = [...state.records];
  for (let at = 0; at < compares.length; at += 1) {
    const it = compares[at];
    if (it === undefined || outcomes[at] !== undefined) continue;
    const slot = state.keys.indexOf(it.key);
    const learnt = learn(records[slot] ?? ABSENT, it, { held: succeeded });
    if (learnt === undefined) return undefined;
    records[slot] = learnt;
  }
  return { ...state, records };
}

/** Each key that is bound to a lease may vanish with it. */
export function vanishingOf(
  state: KvState,
  choice: number,
): Unasked<KvState, KvVanish> | undefined {
  let leasedBefore = 0;
  for (const [slot, record] of state.records.entries()) {
    const { leased } = record;
    if (leased === undefined || leasedBefore++ < choice) continue;
    const revision = state.counts ? state.revision + 1 : state.revision;
    return {
      state: { ...state, records: state.records.with(slot, ABSENT), revision },
      fromMs: vanishesFrom(record),
      input: { type: 'vanish', put: leased },
    };
  }
  return undefined;
}
