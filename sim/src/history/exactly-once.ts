import { utf8ByteString } from '@raftd/protocol';
import type { Answer, Call, OperationReturned, StormEvent } from '../storm/events.js';
import { type CanonicalEntry, type EntryReader, wasTurnedAway } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import type { KeyVersion } from './key-table.js';
import { isSameContent } from './same-content.js';
import { at, describeCommand } from './sentence.js';

interface Asked {
  readonly client: string;
  readonly operation: number;
  readonly call: Call;
  /** Names of what it would write. */
  readonly writes: readonly string[];
  /** How it ended without effect, once that was told. */
  denied: string | undefined;
}

/** A key and a value that one operation alone writes, in characters of one byte. */
export function writeName(key: string, value: string): string {
  return `${key}\0${value}`;
}

/**
 * I14: a write takes effect at most once, over retries and fail-over; exactly once, and as it was
 * told, if it was answered; and never if its client was told that it did not happen. It is bound to
 * the lease that was asked for. A request that comes again, of any kind, gets its first answer.
 * (Deletes have no value that names them: `linearizability.ts` counts them at the end.)
 */
export class ExactlyOnce implements StormChecker, EntryReader {
  readonly ids = ['I14'] as const;
  readonly wants = ['operation-invoked', 'operation-returned'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #asked = new Map<number, Asked>();
  readonly #writers = new Map<string, Asked>();
  readonly #written = new Map<string, KeyVersion>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      const writes = writesOf(call);
      if (writes === undefined) return;
      const asked: Asked = { client, operation, call, writes, denied: undefined };
      this.#asked.set(operation, asked);
      for (const name of writes) this.#writers.set(name, asked);
    } else if (event.type === 'operation-returned') this.#onReturned(event);
  }

  onEntry(entry: CanonicalEntry): void {
    const { index, appliedAtMs, result, firstResult, changes } = entry;
    if (firstResult === undefined) return;
    const again = `entry ${index}, ${describeCommand(entry.logged)}, (${at(appliedAtMs)})`;
    if (changes !== undefined) {
      const what = `${changes.events.length} changes at revision ${changes.revision}`;
      this.#broken(`${again} is a repeated request and took effect again: ${what}`);
    } else if (!wasTurnedAway(result) && !isSameContent(result, firstResult)) {
      this.#broken(`${again} is a repeated request and was not answered as at first`);
    }
  }

  onSettled(entry: CanonicalEntry): void {
    for (const event of entry.changes?.events ?? NO_EVENTS) {
      if (event.type !== 'put') continue;
      const version = this.#context.log.keys.current(event.record.key);
      // A transaction may delete what it has put: then nothing was written.
      if (version?.record !== undefined) this.#onWritten(version);
    }
  }

  #onWritten(version: KeyVersion): void {
    const name = writeName(version.key, version.value);
    const earlier = this.#written.get(name);
    const asked = this.#writers.get(name);
    this.#written.set(name, version);
    if (earlier !== undefined && earlier.index !== version.index) {
      const and = `by ${where(earlier)} and again by ${where(version)}`;
      this.#broken(`${describeWrite(version, asked)} was written ${and}`);
    }
    if (asked !== undefined) this.#expectBound(version, asked);
    if (asked?.denied === undefined) return;
    const told = `after its client was told: ${asked.denied}`;
    this.#broken(`${describeWrite(version, asked)} was written by ${where(version)}, ${told}`);
  }

  #expectBound(version: KeyVersion, { client, operation, call }: Asked): void {
    const bound = version.record?.lease;
    const asked = call.type === 'put' ? call.lease : undefined;
    if (bound === asked) return;
    const what = `${version.key} = ${version.value} was written by ${where(version)}`;
    const wanted = `${client} (operation ${operation}) asked for ${asked ?? 'no lease'}`;
    this.#broken(`${what} bound to ${bound ?? 'no lease'}; ${wanted}`);
  }

  #onReturned({ operation, outcome }: OperationReturned): void {
    const asked = this.#asked.get(operation);
    if (asked === undefined) return;
    this.#asked.delete(operation);
    if (outcome.type === 'answered') this.#onAnswered(asked, outcome.answer);
    else if (outcome.class !== 'indeterminate') {
      this.#onDenied(asked, `${outcome.class}, ${outcome.code}`);
    }
  }

  #onAnswered(asked: Asked, answer: Answer): void {
    if (answer.type === 'written') {
      const { revision, version } = answer;
      for (const name of asked.writes) this.#expectWritten(asked, name, revision, version);
    } else if (answer.type === 'transacted') {
      if (!answer.succeeded) return this.#onDenied(asked, 'a comparison failed');
      const { revision } = answer;
      for (const name of asked.writes) this.#expectWritten(asked, name, revision, undefined);
    } else if (answer.type === 'deleted') this.#expectDeleted(asked, answer);
  }

  #expectWritten(asked: Asked, name: string, revision: number, version: number | undefined): void {
    const written = this.#written.get(name);
    const stands = written?.record?.version;
    if (written?.revision === revision && (version === undefined || version === stands)) return;
    const answer = version === undefined ? `${revision}` : `${revision}, version ${version}`;
    const told = `was answered revision ${answer} at ${at(this.#context.probe.trueMs)}`;
    const log =
      written === undefined
        ? 'no node has applied it'
        : `in the log it stands at revision ${written.revision}, version ${stands ?? 0}`;
    this.#broken(`the write ${by(asked)} ${told}; ${log}`);
  }

  /** An answer that nothing was there tells a state, which linearizability judges. */
  #expectDeleted(asked: Asked, answer: Extract<Answer, { readonly type: 'deleted' }>): void {
    const { revision, deleted } = answer;
    if (deleted === 0) return;
    const changes = this.#context.log.keys.changesAt(revision)?.events ?? NO_EVENTS;
    let found = 0;
    for (const event of changes) {
      if (event.type === 'delete' && event.reason === 'user' && isInScope(asked.call, event.key)) {
        found += 1;
      }
    }
    if (found === deleted) return;
    const told = `was answered ${deleted} deleted at revision ${revision}`;
    this.#broken(`the delete ${by(asked)} ${told}; in the log that revision deletes ${found}`);
  }

  #onDenied(asked: Asked, how: string): void {
    asked.denied = how;
    for (const name of asked.writes) {
      const written = this.#written.get(name);
      if (written === undefined) continue;
      const told = `was told at ${at(this.#context.probe.trueMs)}: ${how}`;
      this.#broken(`the write ${by(asked)} ${told}; but ${where(written)} wrote it`);
    }
  }

  #broken(sentence: string): void {
    this.#context.broken('I14', sentence);
  }
}

const NO_EVENTS = [] as const;
const NO_WRITES: readonly string[] = [];

/** Undefined: it writes nothing. */
function writesOf(call: Call): readonly string[] | undefined {
  switch (call.type) {
    case 'put':
      return [nameOf(call)];
    case 'transact':
      return call.writes.map(nameOf);
    case 'delete':
    case 'delete-range':
      return NO_WRITES;
    default:
      return undefined;
  }
}

function nameOf({ key, value }: { readonly key: string; readonly value: string }): string {
  return writeName(utf8ByteString(key), utf8ByteString(value));
}

function by({ client, operation }: Asked): string {
  return `of ${client} (operation ${operation})`;
}

function describeWrite({ key, value }: KeyVersion, asked: Asked | undefined): string {
  return `${key} = ${value}${asked === undefined ? '' : ` ${by(asked)}`}`;
}

function where({ index, revision, appliedAtMs }: KeyVersion): string {
  return `entry ${index} (revision ${revision}, ${at(appliedAtMs)})`;
}

function isInScope(call: Call, key: string): boolean {
  if (call.type === 'delete') return utf8ByteString(call.key) === key;
  if (call.type !== 'delete-range') return false;
  return key >= utf8ByteString(call.start) && key < utf8ByteString(call.end);
}
