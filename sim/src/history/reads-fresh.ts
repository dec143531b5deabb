import { type ByteString, utf8ByteString } from '@raftd/protocol';
import type { Answer, Call, OperationReturned, SeenRecord, StormEvent } from '../storm/events.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import type { KeyVersion } from './key-table.js';
import { at } from './sentence.js';

interface AskedRead {
  readonly client: string;
  readonly operation: number;
  readonly call: Call;
  readonly askedAtMs: number;
  /** What some node had applied when it was asked: older is stale. */
  readonly floorRevision: number;
}

/**
 * I12: a read shows nothing older than what was applied anywhere when it was asked. Every read, a
 * stale one too, shows records that some entry really made. A range shows one revision, whole.
 */
export class ReadsFresh implements StormChecker {
  readonly ids = ['I12'] as const;
  readonly wants = ['operation-invoked', 'operation-returned'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #asked = new Map<number, AskedRead>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      if (call.type !== 'get' && call.type !== 'range' && call.type !== 'transact') return;
      const { probe, log } = this.#context;
      const isStale = call.type === 'get' && call.stale;
      const floorRevision = isStale ? 0 : log.keys.lastRevision;
      const asked = { client, operation, call, askedAtMs: probe.trueMs, floorRevision };
      this.#asked.set(operation, asked);
    } else if (event.type === 'operation-returned') this.#onReturned(event);
  }

  #onReturned({ operation, outcome }: OperationReturned): void {
    const asked = this.#asked.get(operation);
    if (asked === undefined) return;
    this.#asked.delete(operation);
    if (outcome.type === 'answered') this.#onAnswered(asked, outcome.answer);
  }

  #onAnswered(asked: AskedRead, answer: Answer): void {
    const { call } = asked;
    if (call.type === 'get' && answer.type === 'record') {
      this.#checkGet(asked, utf8ByteString(call.key), answer.record);
    } else if (call.type === 'range' && answer.type === 'page') {
      this.#checkPage(asked, utf8ByteString(call.start), utf8ByteString(call.end), answer);
    } else if (call.type === 'transact' && answer.type === 'transacted') {
      this.#checkTransacted(asked, call, answer);
    }
  }

  /** Its reads come before its writes, which make the revision that is answered. */
  #checkTransacted(
    asked: AskedRead,
    call: Extract<Call, { readonly type: 'transact' }>,
    { revision, succeeded, records }: Extract<Answer, { readonly type: 'transacted' }>,
  ): void {
    const told = `the transaction ${by(asked)} was answered revision ${revision}`;
    this.#checkRevision(asked, told, revision);
    if (!succeeded) return;
    const readAt = call.writes.length === 0 ? revision : revision - 1;
    records.forEach((record, position) => {
      const key = call.reads[position];
      if (key !== undefined) this.#checkAt(asked, utf8ByteString(key), readAt, record);
    });
  }

  #checkRevision(asked: AskedRead, told: string, revision: number): void {
    if (revision >= asked.floorRevision) return;
    const floor = `revision ${asked.floorRevision} was applied when it was asked`;
    this.#broken(`${told}, but ${floor} (${at(asked.askedAtMs)})`);
  }

  #checkGet(asked: AskedRead, key: ByteString, seen: SeenRecord | undefined): void {
    if (seen !== undefined) return this.#checkSeen(asked, key, seen);
    const { keys } = this.#context.log;
    const floor = keys.versionAt(key, asked.floorRevision);
    if (floor?.record === undefined) return;
    const wasAbsent = keys
      .versions(key)
      .some(({ revision, record }) => record === undefined && revision > floor.revision);
    if (!wasAbsent) this.#stale(asked, key, 'nothing', floor);
  }

  #checkSeen(asked: AskedRead, key: ByteString, seen: SeenRecord): void {
    const { keys } = this.#context.log;
    const version = keys.versionAt(key, seen.modRevision);
    if (version === undefined || !isSame(version, seen)) {
      this.#unreal(asked, key, describe(seen));
      return;
    }
    const floor = keys.versionAt(key, asked.floorRevision);
    if (floor === undefined || seen.modRevision >= floor.revision) return;
    this.#stale(asked, key, describe(seen), floor);
  }

  #checkPage(
    asked: AskedRead,
    start: ByteString,
    end: ByteString,
    { revision, records }: Extract<Answer, { readonly type: 'page' }>,
  ): void {
    const { keys } = this.#context.log;
    const told = `range [${start}, ${end}) ${by(asked)} showed revision ${revision}`;
    this.#checkRevision(asked, told, revision);
    let next = 0;
    for (const key of keys.keysIn(start, end)) {
      const version = keys.versionAt(key, revision);
      const seen = records[next];
      if (version?.record === undefined) continue;
      next += 1;
      if (seen !== undefined && isSame(version, seen)) continue;
      const instead = seen === undefined ? 'nothing more' : describe(seen);
      this.#broken(`${told} with ${instead} where ${describeVersion(version)} stands`);
    }
    if (records.length <= next) return;
    this.#broken(`${told} with ${records.length} records, there are ${next}`);
  }

  #checkAt(
    asked: AskedRead,
    key: ByteString,
    revision: number,
    seen: SeenRecord | undefined,
  ): void {
    const version = this.#context.log.keys.versionAt(key, revision);
    if (seen === undefined ? version?.record === undefined : isSame(version, seen)) return;
    const shown = seen === undefined ? 'nothing' : describe(seen);
    const told = `the transaction ${by(asked)} read ${shown} at ${key}`;
    this.#broken(`${told}, where at revision ${revision} ${describeVersion(version)} stands`);
  }

  #stale(asked: AskedRead, key: ByteString, shown: string, floor: KeyVersion): void {
    const read = `the read ${by(asked)} of ${key}, asked at ${at(asked.askedAtMs)},`;
    const newer = `${describeVersion(floor)} was applied at ${at(floor.appliedAtMs)} already`;
    this.#broken(`${read} showed ${shown}; ${newer}`);
  }

  #unreal(asked: AskedRead, key: ByteString, shown: string): void {
    this.#broken(`the read ${by(asked)} of ${key} showed ${shown}, which no entry ever made`);
  }

  #broken(sentence: string): void {
    this.#context.broken('I12', sentence);
  }
}

export function isSame(version: KeyVersion | undefined, seen: SeenRecord): boolean {
  const record = version?.record;
  if (version === undefined || record === undefined) return false;
  return (
    record.modRevision === seen.modRevision &&
    record.version === seen.version &&
    record.createRevision === seen.createRevision &&
    record.lease === seen.lease &&
    record.key === utf8ByteString(seen.key) &&
    version.value === utf8ByteString(seen.value)
  );
}

export function describe({ key, value, version, modRevision, lease }: SeenRecord): string {
  return `${key} = ${value} (version ${version}, revision ${modRevision}${onLease(lease)})`;
}

export function describeVersion(version: KeyVersion | undefined): string {
  if (version === undefined) return 'no such key';
  const { key, record, revision } = version;
  if (record === undefined) return `${key} deleted (revision ${revision})`;
  const lease = onLease(record.lease);
  return `${key} = ${version.value} (version ${record.version}, revision ${revision}${lease})`;
}

export function onLease(lease: string | undefined): string {
  return lease === undefined ? '' : `, on lease ${lease}`;
}

function by({ client, operation }: AskedRead): string {
  return `of ${client} (operation ${operation})`;
}
