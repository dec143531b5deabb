import { utf8ByteString } from '@raftd/protocol';
import type {
  KvAction,
  KvActionOutput,
  KvInput,
  KvOperation,
  KvOutput,
  KvPut,
  KvRecordShown,
} from '../linearizability/index.js';
import type { Answer, Call, SeenRecord, StormEvent } from '../storm/events.js';
import type { CanonicalEntry } from './canonical-log.js';
import type { HistoryContext } from './checker.js';
import type { KeyVersion } from './key-table.js';
import { type DeletedKeys, type LoggedDelete, UnclaimedDeletes } from './unclaimed-deletes.js';

/** A call of the library that reads or writes keys, and what came of it. */
interface KvCall {
  readonly client: string;
  readonly operation: number;
  readonly call: Call;
  readonly callMs: number;
  returned: Returned | undefined;
  /** It did not happen, or it has no effect and no answer: it has no place in the history. */
  isOut: boolean;
}

interface Returned {
  readonly atMs: number;
  readonly answer: Answer;
}

/** Parts of one call get ids of their own, apart from all ids of calls. */
const PART = 1_000_000;

/** The call that an operation of the history is, or is a part of. */
export function callOf(id: number): number {
  return id % PART;
}

/**
 * What clients saw of the keys. Refused calls and failed reads are left out. Stale reads promise no
 * order.
 *
 * The log serves as an oracle, as in etcd's robustness tests, to cut the search short: a write of
 * unknown outcome (its client may be dead) was done before its first apply anywhere, or, if no
 * entry ever wrote its value, not at all. Deletes of unknown outcome share out the deletes in the
 * log that nobody claims; one that is left over had no effect.
 *
 * A range falls into one read a key, all at the one revision that was answered: revisions are the
 * order of changes, so that nothing is lost, and keys stay apart that no transaction joins.
 */
export class KvHistory {
  readonly #context: HistoryContext;
  readonly #calls = new Map<number, KvCall>();
  readonly #keys = new Set<string>();
  readonly #unclaimed = new UnclaimedDeletes();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  follow(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      if (isOfNoModel(call)) return;
      const callMs = this.#context.probe.trueMs;
      const made = { client, operation, call, callMs, returned: undefined, isOut: false };
      this.#calls.set(operation, made);
      this.#noteKeys(call);
    } else if (event.type === 'operation-returned') {
      const made = this.#calls.get(event.operation);
      if (made === undefined) return;
      const { outcome } = event;
      if (outcome.type === 'answered') {
        made.returned = { atMs: this.#context.probe.trueMs, answer: outcome.answer };
      } else made.isOut = outcome.class !== 'indeterminate' || isRead(made.call);
    }
  }

  followEntry(entry: CanonicalEntry): void {
    this.#unclaimed.follow(entry);
  }

  /** Once, at the end: unknown deletes take what is theirs. */
  operations(): readonly KvOperation[] {
    const operations: KvOperation[] = [];
    const claimed = this.#claimedRevisions();
    for (const made of this.#calls.values()) {
      if (made.isOut) continue;
      if (made.returned !== undefined) this.#addAnswered(operations, made, made.returned);
      else if (isDelete(made.call)) this.#addUnknownDelete(operations, made, claimed);
      else if (!isRead(made.call)) this.#addUnknown(operations, made);
    }
    return operations;
  }

  /** After `operations`: a delete of the log that no call of any client can have done. */
  deleteTooMany(): LoggedDelete | undefined {
    return this.#unclaimed.leftOver(this.#claimedRevisions());
  }

  #claimedRevisions(): ReadonlySet<number> {
    const claimed = new Set<number>();
    for (const { returned } of this.#calls.values()) {
      const answer = returned?.answer;
      // An answer that deleted nothing names the revision that it saw.
      if (answer?.type === 'deleted' && answer.deleted > 0) claimed.add(answer.revision);
    }
    return claimed;
  }

  #noteKeys(call: Call): void {
    if (call.type === 'get' || call.type === 'put' || call.type === 'delete') {
      this.#keys.add(call.key);
    } else if (call.type === 'transact') {
      for (const { key } of call.compares) this.#keys.add(key);
      for (const key of call.reads) this.#keys.add(key);
      for (const { key } of call.writes) this.#keys.add(key);
    }
  }

  #addAnswered(operations: KvOperation[], made: KvCall, { atMs, answer }: Returned): void {
    const { call } = made;
    if (answer.type === 'page' && call.type === 'range') {
      const seen = new Map(answer.records.map((record) => [record.key, record]));
      const { revision } = answer;
      this.#keysIn(call).forEach((key, part) => {
        const output = { type: 'get', record: shown(seen.get(key)), revision } as const;
        operations.push(toOperation(made, part + 1, { type: 'get', key }, { atMs, output }));
      });
    } else {
      const isCut = answer.type === 'deleted' && answer.more === true;
      const last = isCut ? lastOf([...this.#deletedAt(answer.revision)]) : undefined;
      const input = this.#inputOf(call, last);
      if (input === undefined) return;
      operations.push(toOperation(made, 0, input, { atMs, output: this.#outputOf(input, answer) }));
    }
  }

  #addUnknown(operations: KvOperation[], made: KvCall): void {
    const { call } = made;
    const input = this.#inputOf(call);
    if (input === undefined) return;
    const written = firstWrite(call);
    const version = written === undefined ? undefined : this.#versionOf(written);
    if (version?.record === undefined) return;
    const { revision, appliedAtMs } = version;
    const output: KvOutput =
      input.type === 'txn'
        ? { type: 'txn', succeeded: true, revision }
        : { type: 'put', version: version.record.version, revision };
    const atMs = Math.max(made.callMs, appliedAtMs);
    operations.push(toOperation(made, 0, input, { atMs, output }));
  }

  #addUnknownDelete(operations: KvOperation[], made: KvCall, claimed: ReadonlySet<number>): void {
    const { call } = made;
    const asked = deletedKeys(call);
    const done = asked && this.#unclaimed.take(asked, made.callMs, claimed);
    if (done === undefined) return;
    const input = this.#inputOf(call, done.more ? lastOf(done.keys) : undefined);
    if (input === undefined) return;
    const { revision, appliedAtMs: atMs } = done;
    const output = this.#deletedOutput(input, { revision, deleted: done.keys.length });
    operations.push(toOperation(made, 0, input, { atMs, output }));
  }

  /**
   * Undefined: it touches nothing, or falls into parts. `last`: where a delete of a range ended, as
   * one entry may not touch more.
   */
  #inputOf(call: Call, last?: string): KvInput | undefined {
    switch (call.type) {
      case 'get':
      case 'delete':
        return { type: call.type, key: call.key };
      case 'put':
        return this.#put(call);
      case 'transact':
        return {
          type: 'txn',
          compare: call.compares.map(({ key, version: operand }) => {
            return { key, target: 'version', operator: '=', operand } as const;
          }),
          then: [
            ...call.reads.map((key): KvAction => ({ type: 'get', key })),
            ...call.writes.map((write) => this.#put(write)),
          ],
          else: [],
        };
      case 'delete-range': {
        const keys = this.#keysIn(call).filter((key) => last === undefined || key <= last);
        const deletes = keys.map((key): KvAction => ({ type: 'delete', key }));
        return { type: 'txn', compare: [], then: deletes, else: [] };
      }
      case 'range':
      case 'odd-transaction':
      case 'fence-advance':
      case 'look':
      case 'other':
        return undefined;
      default:
        return call satisfies never;
    }
  }

  /** The log tells whether the key was bound to a lease, and since when that may have taken it. */
  #put(write: Write): KvPut {
    const { key, value } = write;
    const version = this.#versionOf(write);
    if (version?.record?.lease === undefined) return { type: 'put', key, value };
    const versions = this.#context.log.keys.versions(version.key);
    const next = versions[versions.indexOf(version) + 1];
    const isTaken = next?.reason === 'lease-expired' || next?.reason === 'lease-revoked';
    if (next === undefined || !isTaken) return { type: 'put', key, value };
    return { type: 'put', key, value, leaseEndsFromMs: next.appliedAtMs };
  }

  #versionOf({ key, value }: Write): KeyVersion | undefined {
    return this.#context.log.keys.written(utf8ByteString(key), utf8ByteString(value));
  }

  #outputOf(input: KvInput, answer: Answer): KvOutput {
    switch (answer.type) {
      case 'record':
        return { type: 'get', record: shown(answer.record) };
      case 'written':
        return { type: 'put', version: answer.version, revision: answer.revision };
      case 'deleted':
        return this.#deletedOutput(input, answer);
      case 'transacted': {
        const { revision, succeeded, records } = answer;
        const results = succeeded ? resultsOf(input, records) : [];
        return { type: 'txn', succeeded, results, revision };
      }
      case 'steps':
      case 'page':
      case 'elections':
      case 'leases':
      case 'nothing':
        throw new Error('assertion failed: the answer of a call that is one operation');
      default:
        return answer satisfies never;
    }
  }

  /** Which keys of a range were there to delete, the log tells. */
  #deletedOutput(
    input: KvInput,
    { revision, deleted }: { readonly revision: number; readonly deleted: number },
  ): KvOutput {
    if (input.type !== 'txn') return { type: 'delete', deleted, revision };
    const gone = this.#deletedAt(deleted === 0 ? 0 : revision);
    const results = input.then.map(({ key }) => {
      return { type: 'delete', deleted: gone.has(key) ? 1 : 0 } as const;
    });
    return { type: 'txn', succeeded: true, results, revision };
  }

  #deletedAt(revision: number): ReadonlySet<string> {
    const gone = new Set<string>();
    for (const event of this.#context.log.keys.changesAt(revision)?.events ?? []) {
      if (event.type === 'delete') gone.add(event.key);
    }
    return gone;
  }

  /** All that the workload has there. */
  #keysIn({ start, end }: { readonly start: string; readonly end: string }): readonly string[] {
    return [...this.#keys].filter((key) => key >= start && key < end).sort(byText);
  }
}

interface Write {
  readonly key: string;
  readonly value: string;
}

function toOperation(
  { operation, client: process, callMs }: KvCall,
  part: number,
  input: KvInput,
  { atMs: returnMs, output }: { readonly atMs: number; readonly output: KvOutput },
): KvOperation {
  const id = part * PART + operation;
  return { id, process, callMs, returnMs, input, output };
}

/** A stale read may show anything that ever was; others are on keys of their own, or on none. */
function isOfNoModel(call: Call): boolean {
  switch (call.type) {
    case 'odd-transaction':
    case 'fence-advance':
    case 'look':
    case 'other':
      return true;
    case 'get':
      return call.stale;
    default:
      return false;
  }
}

function isDelete({ type }: Call): boolean {
  return type === 'delete' || type === 'delete-range';
}

function deletedKeys(call: Call): DeletedKeys | undefined {
  if (call.type === 'delete') return { start: utf8ByteString(call.key), end: undefined };
  if (call.type !== 'delete-range') return undefined;
  return { start: utf8ByteString(call.start), end: utf8ByteString(call.end) };
}

/** One operation writes all of its values, or none. */
function firstWrite(call: Call): Write | undefined {
  if (call.type === 'put') return call;
  return call.type === 'transact' ? call.writes[0] : undefined;
}

function isRead({ type }: Call): boolean {
  return type === 'get' || type === 'range';
}

function lastOf(keys: readonly string[]): string | undefined {
  return keys.toSorted(byText).at(-1);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Reads come first in a transaction, and nothing is told of its puts. */
function resultsOf(
  input: KvInput,
  records: readonly (SeenRecord | undefined)[],
): readonly KvActionOutput[] {
  if (input.type !== 'txn') return [];
  return input.then.map((action, position) =>
    action.type === 'get' ? toGetResult(records[position]) : ({ type: 'put' } as const),
  );
}

function toGetResult(record: SeenRecord | undefined): KvActionOutput {
  return { type: 'get', record: shown(record) };
}

function shown(record: SeenRecord | undefined): KvRecordShown | undefined {
  if (record === undefined) return undefined;
  const { value, version, createRevision, modRevision } = record;
  return { value, version, createRevision, modRevision };
}
