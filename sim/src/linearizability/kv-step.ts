import { KvDraft } from './kv-draft.js';
import type {
  KvAction,
  KvActionOutput,
  KvInput,
  KvOutput,
  KvRecordShown,
  KvTxn,
  KvVanish,
} from './kv-operations.js';
import { ABSENT, holds, isPresent, isShownAs, taughtBy, vanishesFrom } from './kv-record.js';
import { exactly } from './kv-revisions.js';
import type { KvState } from './kv-state.js';
import type { Unasked } from './model.js';

/** The first choice of a transaction of unknown outcome; the others are how `else` came about. */
const THEN = 0;

export function stepKv(
  state: KvState,
  input: KvInput,
  output: KvOutput | undefined,
  choice: number,
): KvState | undefined {
  const draft = new KvDraft(state);
  if (input.type !== 'txn') {
    const result = output?.type === 'txn' ? undefined : output;
    return act(draft, [input], { results: [result], isKnown: result !== undefined, output });
  }
  const txn = output?.type === 'txn' ? output : undefined;
  const succeeded = txn?.succeeded ?? choice === THEN;
  const isPossible = succeeded
    ? allHold(draft, input)
    : oneFails(draft, input, txn === undefined ? choice - 1 : choice);
  if (!isPossible) return undefined;
  const actions = succeeded ? input.then : input.else;
  return act(draft, actions, { results: txn?.results, isKnown: txn !== undefined, output });
}

export function choicesOfKv(input: KvInput, output: KvOutput | undefined): number {
  if (input.type !== 'txn') return 1;
  if (output?.type === 'txn') return output.succeeded ? 1 : failuresOf(input);
  return 1 + failuresOf(input);
}

/** Which comparison was the first to fail matters where it tells of a revision. */
function failuresOf({ compare }: KvTxn): number {
  if (compare.length < 2) return 1;
  let telling = 0;
  for (const { target } of compare) {
    if (target === 'mod-revision' || target === 'create-revision') telling += 1;
  }
  return telling < 2 ? 1 : compare.length;
}

interface Told {
  readonly results: readonly (KvActionOutput | undefined)[] | undefined;
  readonly isKnown: boolean;
  readonly output: KvOutput | undefined;
}

/** All actions at one revision; undefined: not with this answer, or nothing changed unseen. */
function act(draft: KvDraft, actions: readonly KvAction[], told: Told): KvState | undefined {
  if (!isAnswerTo(actions, told.results)) return undefined;
  const changes = isChange(draft, actions);
  if (!changes && !told.isKnown) return undefined;
  if (!draft.begin(changes, told.output?.revision)) return undefined;
  for (let at = 0; at < actions.length; at += 1) {
    if (!perform(draft, actions[at] as KvAction, told.results?.[at])) return undefined;
  }
  return draft.state();
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
function isChange(draft: KvDraft, actions: readonly KvAction[]): boolean {
  for (const action of actions) {
    if (action.type === 'put') return true;
    if (action.type === 'delete' && isPresent(draft.recordOf(action.key))) return true;
  }
  return false;
}

/** False: not with this result. */
function perform(draft: KvDraft, action: KvAction, result: KvActionOutput | undefined): boolean {
  const record = draft.recordOf(action.key);
  switch (action.type) {
    case 'put': {
      const version = draft.counts ? record.version + 1 : 1;
      const shown = result?.type === 'put' ? result.version : undefined;
      if (shown !== undefined && shown !== version) return false;
      const { entry } = draft;
      const created = isPresent(record) ? record.created : entry;
      const leased = action.leaseEndsFromMs === undefined ? undefined : action;
      draft.put(action.key, { value: action.value, version, created, modified: entry, leased });
      return true;
    }
    case 'delete': {
      const shown = result?.type === 'delete' ? result.deleted : undefined;
      if (shown !== undefined && shown !== (isPresent(record) ? 1 : 0)) return false;
      if (record !== ABSENT) draft.put(action.key, ABSENT);
      return true;
    }
    case 'get':
      if (result?.type !== 'get') return true;
      if (result.record === undefined) return !isPresent(record);
      return shows(draft, action.key, result.record);
    default:
      return action satisfies never;
  }
}

/** The key as an answer shows it, and what that tells; false: it is not so. */
function shows(draft: KvDraft, key: string, shown: KvRecordShown): boolean {
  const { createRevision, modRevision } = shown;
  const record = draft.recordOf(key);
  if (!isShownAs(record, shown)) return false;
  const { created, modified } = record;
  return (
    (createRevision === undefined || draft.learn(exactly(created.change, createRevision))) &&
    (modRevision === undefined || draft.learn(exactly(modified.change, modRevision)))
  );
}

function allHold(draft: KvDraft, { compare }: KvTxn): boolean {
  for (const it of compare) {
    const record = draft.recordOf(it.key);
    const outcome = holds(record, it);
    if (outcome === false) return false;
    if (outcome === undefined && !draft.learn(taughtBy(record, it, true))) return false;
  }
  return true;
}

/** Where it is not known which one fails, it is the one chosen, and none before it. */
function oneFails(draft: KvDraft, { compare }: KvTxn, choice: number): boolean {
  const outcomes = compare.map((it) => holds(draft.recordOf(it.key), it));
  if (outcomes.includes(false)) return choice === 0;
  const first = outcomes.indexOf(undefined);
  if (first === -1) return false;
  const isOnly = first === outcomes.lastIndexOf(undefined);
  if (isOnly && choice > 0) return false;
  const failing = isOnly ? first : choice;
  if (outcomes[failing] !== undefined) return false;
  for (let at = first; at <= failing; at += 1) {
    const it = compare[at];
    if (it === undefined || outcomes[at] !== undefined) continue;
    const taught = taughtBy(draft.recordOf(it.key), it, at !== failing);
    if (!draft.learn(taught)) return false;
  }
  return true;
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
    const one = state.counts ? 1 : 0;
    const revision = state.revision + one;
    const changes = state.changes + one;
    return {
      state: { ...state, records: state.records.with(slot, ABSENT), revision, changes },
      fromMs: vanishesFrom(record),
      input: { type: 'vanish', put: leased },
    };
  }
  return undefined;
}
