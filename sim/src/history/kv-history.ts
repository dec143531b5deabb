import { type ByteString, utf8ByteString } from '@raftd/protocol';
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
import type { HistoryContext } from './checker.js';

/** A call of the library that reads or writes keys, and what came of it. */
interface KvCall {
  readonly client: string;
  readonly operation: number;
  readonly call: Call;
  readonly callMs: number;
  returned: { readonly atMs: number; readonly answer: Answer } | undefined;
  /** It did not happen, or it has no effect and no answer: it has no place in the history. */
  isOut: boolean;
}

/**
 * What clients saw of the keys. Refused calls and failed reads are left out; writes of unknown
 * outcome, those of killed clients too, stay open. Stale reads promise no order.
 */
export class KvHistory {
  readonly #context: HistoryContext;
  readonly #calls = new Map<number, KvCall>();
  readonly #keys = new Set<string>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  follow(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      if (call.type === 'other' || (call.type === 'get' && call.stale)) return;
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

  operations(): readonly KvOperation[] {
    const operations: KvOperation[] = [];
    for (const made of this.#calls.values()) {
      if (made.isOut || (made.returned === undefined && isRead(made.call))) continue;
      const input = this.#inputOf(made.call);
      if (input === undefined) continue;
      const answer = made.returned?.answer;
      operations.push({
        id: made.operation,
        process: made.client,
        callMs: made.callMs,
        returnMs: made.returned?.atMs,
        input,
        output: answer === undefined ? undefined : outputOf(input, answer),
      });
    }
    return operations;
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

  /** Undefined: it touches nothing. */
  #inputOf(call: Call): KvInput | undefined {
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
          then: [...call.reads.map(toGet), ...call.writes.map((write) => this.#put(write))],
          else: [],
        };
      case 'range':
        return this.#overRange(call, toGet);
      case 'delete-range':
        return this.#overRange(call, (key) => ({ type: 'delete', key }));
      case 'other':
        return undefined;
      default:
        return call satisfies never;
    }
  }

  /** One action for each key that the workload has there. */
  #overRange(
    { start, end }: { readonly start: string; readonly end: string },
    toAction: (key: string) => KvAction,
  ): KvInput | undefined {
    const keys = [...this.#keys].filter((key) => key >= start && key < end).sort(byText);
    if (keys.length === 0) return undefined;
    return { type: 'txn', compare: [], then: keys.map(toAction), else: [] };
  }

  /** The log tells whether the key was bound to a lease, and since when that may have taken it. */
  #put({ key, value }: { readonly key: string; readonly value: string }): KvPut {
    const versions = this.#context.log.keys.versions(utf8ByteString(key));
    const written: ByteString = utf8ByteString(value);
    const place = versions.findLastIndex(({ record, value: stands }) => {
      return record?.lease !== undefined && stands === written;
    });
    const next = place < 0 ? undefined : versions[place + 1];
    const isTaken = next?.reason === 'lease-expired' || next?.reason === 'lease-revoked';
    if (next === undefined || !isTaken) return { type: 'put', key, value };
    return { type: 'put', key, value, leaseEndsFromMs: next.appliedAtMs };
  }
}

function isRead({ type }: Call): boolean {
  return type === 'get' || type === 'range';
}

function toGet(key: string): KvAction {
  return { type: 'get', key };
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function outputOf(input: KvInput, answer: Answer): KvOutput {
  switch (answer.type) {
    case 'record':
      return { type: 'get', record: shown(answer.record) };
    case 'written':
      return { type: 'put', version: answer.version, revision: answer.revision };
    case 'deleted': {
      const { revision, deleted } = answer;
      if (input.type === 'delete') return { type: 'delete', deleted, revision };
      return { type: 'txn', succeeded: true, results: undefined, revision };
    }
    case 'transacted': {
      const { revision, succeeded, records } = answer;
      const results = succeeded ? resultsOf(input, records) : [];
      return { type: 'txn', succeeded, results, revision };
    }
    case 'page': {
      const byKey = new Map(answer.records.map((record) => [record.key, record]));
      const { revision } = answer;
      const results = gets(input).map((key) => toGetResult(byKey.get(key)));
      return { type: 'txn', succeeded: true, results, revision };
    }
    case 'nothing':
      throw new Error('assertion failed: a call that reads or writes keys has an answer');
    default:
      return answer satisfies never;
  }
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

function gets(input: KvInput): readonly string[] {
  return input.type === 'txn' ? input.then.map(({ key }) => key) : [];
}

function toGetResult(record: SeenRecord | undefined): KvActionOutput {
  return { type: 'get', record: shown(record) };
}

function shown(record: SeenRecord | undefined): KvRecordShown | undefined {
  if (record === undefined) return undefined;
  const { value, version, createRevision, modRevision } = record;
  return { value, version, createRevision, modRevision };
}
