import { mix } from './hash.js';
import type { Hint, Model, Partition } from './model.js';
import type { History, Operation } from './operation.js';
import { isUnknown } from './operation.js';
import type { Value } from './value.js';
import { describeValue, hashValue, UNSEEN } from './value.js';

export type RegisterInput =
  | { readonly type: 'read' }
  | { readonly type: 'write'; readonly value: Value }
  /** Writes `value` if the register holds `expected`. */
  | { readonly type: 'cas'; readonly expected: Value; readonly value: Value };

export type RegisterOutput =
  | { readonly type: 'read'; readonly value: Value }
  | { readonly type: 'write' }
  | { readonly type: 'cas'; readonly swapped: boolean };

interface Register {
  readonly value: Value;
}

/** One register that is read, written, and compared-and-set. */
export function registerModel(
  initial: Value = null,
): Model<Register, RegisterInput, RegisterOutput> {
  return {
    name: 'register',
    partition: (history) => (history.length === 0 ? [] : [onlyPartition(history, initial)]),
    init: () => ({ value: initial }),
    step,
    isRead: (_input, output) =>
      output.type === 'read' || (output.type === 'cas' && !output.swapped),
    covers: (state, other) => state.value === other.value,
    hash: (state) => mix(1, hashValue(state.value)),
    describe,
    describeState: ({ value }) => `the register holds ${describeValue(value)}`,
  };
}

function step(
  state: Register,
  input: RegisterInput,
  output: RegisterOutput | undefined,
): Register | undefined {
  switch (input.type) {
    case 'read':
      return output?.type === 'read' && output.value === state.value ? state : undefined;
    case 'write':
      return { value: input.value };
    case 'cas': {
      const isEqual = input.expected === state.value;
      if (output?.type === 'cas' && output.swapped !== isEqual) return undefined;
      if (isEqual) return { value: input.value };
      return output === undefined ? undefined : state;
    }
    default:
      return input satisfies never;
  }
}

export type RegisterOperation = Operation<RegisterInput, RegisterOutput>;

/**
 * What the answers tell of unknown outcomes. A value that one operation alone can have written was
 * written before the first answer that shows it; values that nobody saw are all alike.
 */
function onlyPartition(
  history: History<RegisterInput, RegisterOutput>,
  initial: Value,
): Partition<RegisterInput, RegisterOutput> {
  const shownAt = firstShown(history);
  const expected = new Set<Value>([initial]);
  const writers = new Map<Value, number>();
  for (const { input } of history) {
    if (input.type === 'cas') expected.add(input.expected);
    if (input.type !== 'read') writers.set(input.value, (writers.get(input.value) ?? 0) + 1);
  }
  const effective = history.filter((it) => !isUnknown(it) || it.input.type !== 'read');
  const operations = effective.map((operation): RegisterOperation => {
    const { input, callMs } = operation;
    if (!isUnknown(operation) || input.type === 'read') return operation;
    const returnMs = shownAt.get(input.value);
    if (returnMs === undefined) {
      const isHidden = !expected.has(input.value);
      return isHidden ? { ...operation, input: { ...input, value: UNSEEN } } : operation;
    }
    const isSure = writers.get(input.value) === 1 && input.value !== initial && returnMs >= callMs;
    if (!isSure) return operation;
    const output = input.type === 'cas' ? ({ type: 'cas', swapped: true } as const) : WRITTEN;
    return { ...operation, returnMs, output };
  });
  return { name: 'register', operations, hints: operations.map(hintOf) };
}

const WRITTEN: RegisterOutput = { type: 'write' };

function firstShown(history: History<RegisterInput, RegisterOutput>): ReadonlyMap<Value, number> {
  const shownAt = new Map<Value, number>();
  for (const { output, returnMs } of history) {
    if (output?.type !== 'read' || returnMs === undefined) continue;
    shownAt.set(output.value, Math.min(returnMs, shownAt.get(output.value) ?? Infinity));
  }
  return shownAt;
}

function hintOf({ input, returnMs }: RegisterOperation): Hint | undefined {
  return returnMs === undefined ? { likeness: JSON.stringify(input) } : undefined;
}

function describe(input: RegisterInput, output: RegisterOutput | undefined): string {
  switch (input.type) {
    case 'read':
      return `read() → ${output?.type === 'read' ? describeValue(output.value) : 'unknown'}`;
    case 'write':
      return `write(${describeValue(input.value)}) → ${output === undefined ? 'unknown' : 'ok'}`;
    case 'cas': {
      const outcome = output?.type === 'cas' ? (output.swapped ? 'swapped' : 'refused') : 'unknown';
      return `cas(${describeValue(input.expected)}, ${describeValue(input.value)}) → ${outcome}`;
    }
    default:
      return input satisfies never;
  }
}
