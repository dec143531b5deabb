import {
  byteString,
  type CommandResult,
  type KeyRecord,
  type LoggedCommand,
  type OperationResult,
  utf8ByteString,
} from '@raftd/protocol';
import { describeOutcome } from '../story/describe-call.js';
import type {
  Answer,
  AskedCompare,
  AskedStep,
  Call,
  OperationReturned,
  SeenRecord,
  SeenStep,
  StormEvent,
} from '../storm/events.js';
import type { CanonicalEntry, EntryReader } from './canonical-log.js';
import type { HistoryContext, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { at } from './sentence.js';

type Judged = Extract<Call, { readonly type: 'odd-transaction' | 'delete-range' }>;
type Command = LoggedCommand['command'];
type Txn = Extract<Command, { readonly type: 'txn' }>;

interface Asked {
  readonly client: string;
  readonly operation: number;
  readonly call: Judged;
  /** What was applied when it was asked: it is done later. */
  readonly floorIndex: number;
}

/**
 * I14, for what has no value of its own in the log: a transaction in the whole of its language, and
 * a delete of a range, were done as their client asked and answered as they were applied, step by
 * step. Whether that was right, I15 says. Calls that ask for the same and are told the same may
 * stand for each other.
 */
export class AnswersAsApplied implements StormChecker, EntryReader {
  readonly ids = ['I14'] as const;
  readonly wants = ['operation-invoked', 'operation-returned'] as const;
  readonly finish: () => void = nothingLeft;
  readonly #context: HistoryContext;
  readonly #asked = new Map<number, Asked>();
  /** Those entries that such a call can be. */
  readonly #done: CanonicalEntry[] = [];

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  observe(event: StormEvent): void {
    if (event.type === 'operation-invoked') {
      const { client, operation, call } = event;
      if (call.type !== 'odd-transaction' && call.type !== 'delete-range') return;
      const floorIndex = this.#context.log.lastIndex;
      this.#asked.set(operation, { client, operation, call, floorIndex });
    } else if (event.type === 'operation-returned') this.#onReturned(event);
  }

  onEntry(entry: CanonicalEntry): void {
    const { type } = entry.result;
    if (entry.isRepeat) return;
    if (type === 'txn' || type === 'delete-range') this.#done.push(entry);
  }

  #onReturned({ operation, outcome }: OperationReturned): void {
    const asked = this.#asked.get(operation);
    if (asked === undefined) return;
    this.#asked.delete(operation);
    if (outcome.type === 'answered') this.#onAnswered(asked, outcome.answer);
  }

  #onAnswered({ client, operation, call, floorIndex }: Asked, answer: Answer): void {
    let alike: CanonicalEntry | undefined;
    for (let place = this.#done.length - 1; place >= 0; place -= 1) {
      const entry = this.#done[place];
      if (entry === undefined || entry.index <= floorIndex) break;
      if (!isAskedBy(entry.logged?.command, call)) continue;
      if (isToldBy(entry.result, answer)) return;
      alike = entry;
    }
    const told = `was told at ${at(this.#context.probe.trueMs)}: ${tell(answer)}`;
    const log =
      alike === undefined
        ? 'no node has applied what it asked for since it was asked'
        : `entry ${alike.index} (${at(alike.appliedAtMs)}) did it, and came out otherwise`;
    const which = `the ${call.type} of ${client} (operation ${operation})`;
    this.#context.broken('I14', `${which} ${told}; ${log}`);
  }
}

function tell(answer: Answer): string {
  return describeOutcome({ type: 'answered', answer });
}

function isAskedBy(command: Command | undefined, call: Judged): boolean {
  if (call.type === 'delete-range') {
    return command?.type === 'delete-range' && isSameRange(command, call);
  }
  return (
    command?.type === 'txn' &&
    isAlike(command.compares, call.compares, isSameCompare) &&
    isAlike(command.success, call.then, isSameStep) &&
    isAlike(command.failure, call.otherwise, isSameStep)
  );
}

function isSameCompare(one: Txn['compares'][number], asked: AskedCompare): boolean {
  if (one.key !== utf8ByteString(asked.key) || one.operator !== asked.operator) return false;
  if (one.target !== 'value' || asked.target !== 'value') {
    return one.target === asked.target && one.operand === asked.operand;
  }
  return byteString(one.operand) === utf8ByteString(asked.operand);
}

function isSameStep(one: Txn['success'][number], asked: AskedStep): boolean {
  if (one.type === 'delete-range' || asked.type === 'delete-range') {
    return one.type === 'delete-range' && asked.type === one.type && isSameRange(one, asked);
  }
  if (one.type !== asked.type || one.key !== utf8ByteString(asked.key)) return false;
  if (one.type !== 'put' || asked.type !== 'put') return true;
  return byteString(one.value) === utf8ByteString(asked.value) && one.lease === asked.lease;
}

function isSameRange(
  one: { readonly start: string; readonly end: string | undefined },
  asked: { readonly start: string; readonly end: string },
): boolean {
  return one.start === utf8ByteString(asked.start) && one.end === utf8ByteString(asked.end);
}

function isToldBy(result: CommandResult, answer: Answer): boolean {
  if (result.type === 'delete-range' && answer.type === 'deleted') {
    const { revision, deleted, more } = answer;
    return result.revision === revision && result.deleted === deleted && result.more === more;
  }
  return (
    result.type === 'txn' &&
    answer.type === 'steps' &&
    result.revision === answer.revision &&
    result.succeeded === answer.succeeded &&
    isAlike(result.results, answer.steps, isSameResult)
  );
}

function isSameResult(one: OperationResult, seen: SeenStep): boolean {
  switch (one.type) {
    case 'put':
      return seen.type === 'put' && one.version === seen.version;
    case 'delete':
      return seen.type === 'delete' && one.deleted === seen.deleted;
    case 'delete-range':
      return seen.type === one.type && one.deleted === seen.deleted && one.more === seen.more;
    case 'get':
      return seen.type === 'get' && isSameRecord(one.record, seen.record);
    default:
      return one satisfies never;
  }
}

function isSameRecord(one: KeyRecord | undefined, seen: SeenRecord | undefined): boolean {
  if (one === undefined || seen === undefined) return one === seen;
  return (
    one.key === utf8ByteString(seen.key) &&
    byteString(one.value) === utf8ByteString(seen.value) &&
    one.version === seen.version &&
    one.createRevision === seen.createRevision &&
    one.modRevision === seen.modRevision &&
    one.lease === seen.lease
  );
}

function isAlike<One, Other>(
  ones: readonly One[],
  others: readonly Other[],
  isSame: (one: One, other: Other) => boolean,
): boolean {
  return (
    ones.length === others.length &&
    ones.every((one, place) => {
      const other = others[place];
      return other !== undefined && isSame(one, other);
    })
  );
}
