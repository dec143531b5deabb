import {
  byteString,
  type ByteString,
  type ChangeEvent,
  type CommandResult,
  type Compare,
  type KeyRecord,
  type LoggedCommand,
  type Operation,
  type OperationResult,
  type Revision,
} from '@raftd/protocol';
import type { KeyTable } from './key-table.js';

type Command = LoggedCommand['command'];

/** A command that reads or writes keys. */
export type KeyCommand = Extract<
  Command,
  { readonly type: 'put' | 'delete' | 'delete-range' | 'txn' }
>;

/** What an entry must change, and answer. */
export interface KeyEffects {
  readonly events: readonly ChangeEvent[];
  readonly result: CommandResult;
}

export function isKeyCommand(command: Command): command is KeyCommand {
  const { type } = command;
  return type === 'put' || type === 'delete' || type === 'delete-range' || type === 'txn';
}

/**
 * What a command that is not refused does to the keys that `table` has: told anew from DESIGN
 * section 6, without any code of the machine. `entryMax`: keys that one entry may touch.
 */
export function keyEffects(table: KeyTable, command: KeyCommand, entryMax: number): KeyEffects {
  const draft = new Draft(table, entryMax);
  if (command.type !== 'txn') {
    const told = draft.run(command);
    const { revision, events } = draft;
    return { events, result: { ...told, revision } as CommandResult };
  }
  const succeeded = isEveryTrue(table, command.compares);
  const results = (succeeded ? command.success : command.failure).map((one) => draft.run(one));
  const { revision, events } = draft;
  return { events, result: { type: 'txn', revision, succeeded, results } };
}

export function isEveryTrue(table: KeyTable, compares: readonly Compare[]): boolean {
  return compares.every((compare) => isTrue(table, compare));
}

/** The keys as they would be in the middle of an entry. */
class Draft {
  readonly events: ChangeEvent[] = [];
  readonly #table: KeyTable;
  readonly #entryMax: number;
  readonly #next: Revision;
  /** What this entry has made of keys; undefined: deleted. */
  readonly #made = new Map<ByteString, KeyRecord | undefined>();

  constructor(table: KeyTable, entryMax: number) {
    this.#table = table;
    this.#entryMax = entryMax;
    this.#next = (table.lastRevision + 1) as Revision;
  }

  /** All changes of one entry have one revision; an entry that changes nothing has the last. */
  get revision(): Revision {
    return this.events.length === 0 ? ((this.#next - 1) as Revision) : this.#next;
  }

  run(operation: Operation): OperationResult {
    switch (operation.type) {
      case 'get':
        return { type: 'get', record: this.#at(operation.key) };
      case 'put':
        return { type: 'put', version: this.#put(operation) };
      case 'delete':
        return { type: 'delete', deleted: this.#delete(operation.key) };
      case 'delete-range': {
        const { start, end } = operation;
        const there = this.#keysIn(start, end);
        const taken = there.slice(0, this.#entryMax);
        for (const key of taken) this.#delete(key);
        const more = there.length > taken.length;
        return { type: 'delete-range', deleted: taken.length, more };
      }
      default:
        return operation satisfies never;
    }
  }

  #at(key: ByteString): KeyRecord | undefined {
    return this.#made.has(key) ? this.#made.get(key) : this.#table.current(key)?.record;
  }

  #put({ key, value, lease }: Extract<Operation, { readonly type: 'put' }>): number {
    const before = this.#at(key);
    const version = (before?.version ?? 0) + 1;
    const createRevision = before?.createRevision ?? this.#next;
    const record = { key, value, createRevision, modRevision: this.#next, version, lease };
    this.#made.set(key, record);
    this.events.push({ type: 'put', record });
    return version;
  }

  #delete(key: ByteString): 0 | 1 {
    if (this.#at(key) === undefined) return 0;
    this.#made.set(key, undefined);
    this.events.push({ type: 'delete', key, reason: 'user' });
    return 1;
  }

  #keysIn(start: ByteString, end: ByteString | undefined): readonly ByteString[] {
    const known = new Set(this.#table.keysIn(start, end));
    for (const key of this.#made.keys()) {
      if (key >= start && (end === undefined || key < end)) known.add(key);
    }
    return [...known].filter((key) => this.#at(key) !== undefined).sort(byBytes);
  }
}

/** A missing key has the numbers 0, and a value like no other. */
function isTrue(table: KeyTable, compare: Compare): boolean {
  const record = table.current(compare.key)?.record;
  switch (compare.target) {
    case 'value':
      if (record === undefined) return compare.operator === '!=';
      return isInOrder(byteString(record.value), compare.operator, byteString(compare.operand));
    case 'version':
      return isInOrder(record?.version ?? 0, compare.operator, compare.operand);
    case 'create-revision':
      return isInOrder(record?.createRevision ?? 0, compare.operator, compare.operand);
    case 'mod-revision':
      return isInOrder(record?.modRevision ?? 0, compare.operator, compare.operand);
    default:
      return compare satisfies never;
  }
}

function isInOrder<Item extends string | number>(
  one: Item,
  operator: Compare['operator'],
  other: Item,
): boolean {
  switch (operator) {
    case '=':
      return one === other;
    case '!=':
      return one !== other;
    case '<':
      return one < other;
    case '>':
      return one > other;
    default:
      return operator satisfies never;
  }
}

function byBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
