import { checkLinearizable } from './check.js';
import type { HistoryFileLimits } from './history-file.js';
import { DEFAULT_HISTORY_FILE_LIMITS } from './history-file.js';
import { readHistory } from './history-reader.js';
import { keyValueModel } from './key-value.js';
import type { Model } from './model.js';
import type { Operation } from './operation.js';
import { registerModel } from './register.js';
import type { CheckLimits, NotLinearizable, Verdict } from './verdict.js';
import { DEFAULT_CHECK_LIMITS } from './verdict.js';

export interface HistoryReport {
  readonly model: string;
  readonly operations: number;
  readonly partitions: number;
  readonly verdict: Verdict;
  /** For people: several lines, the verdict first. */
  readonly text: string;
}

/** Judges a history file. Throws a `HistoryFileError` if it cannot be read. */
export function checkHistoryText(
  text: string,
  limits: CheckLimits = DEFAULT_CHECK_LIMITS,
  fileLimits: HistoryFileLimits = DEFAULT_HISTORY_FILE_LIMITS,
): HistoryReport {
  const file = readHistory(text, fileLimits);
  return file.model === 'register'
    ? report(registerModel(file.initial), file.history, limits)
    : report(keyValueModel, file.history, limits);
}

function report<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  history: readonly Operation<Input, Output>[],
  limits: CheckLimits,
): HistoryReport {
  const verdict = checkLinearizable(model, history, limits);
  const partitions = model.partition(history).length;
  const size = `${counted(history.length, 'operation')} in ${counted(partitions, 'partition')}`;
  const text = `${model.name}: ${size}: ${describeVerdict(model, verdict)}`;
  return { model: model.name, operations: history.length, partitions, verdict, text };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** A sentence and, where there is no order, the evidence: several lines. */
export function describeVerdict<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  verdict: Verdict<Input | Added, Output>,
): string {
  switch (verdict.type) {
    case 'linearizable':
      return 'linearizable';
    case 'undecided':
      return [
        `undecided: ${verdict.steps} steps were not enough for ${verdict.partition}`,
        'Nothing is proved either way. Record a shorter history, give each write a value of its',
        'own, keep unknown outcomes few and transactions to few keys, and try again.',
      ].join('\n');
    case 'not-linearizable':
      return ['not linearizable', ...evidence(model, verdict)].join('\n');
    default:
      return verdict satisfies never;
  }
}

/** The end of a prefix: what is before was no obstacle. */
const SHOWN = 12;

function evidence<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  verdict: NotLinearizable<Input | Added, Output>,
): readonly string[] {
  const line = (operation: Operation<Input | Added, Output>): string =>
    describeOperation(model, operation);
  const lines = [
    `in ${verdict.partition}, the first operation that cannot be placed:`,
    `  ${line(verdict.firstUnplaceable)}`,
  ];
  verdict.longestPrefixes.forEach((prefix, at) => {
    const skipped = Math.max(0, prefix.length - SHOWN);
    lines.push(`after the longest order without it, number ${at + 1} (${prefix.length} long):`);
    if (skipped > 0) lines.push(`  … ${skipped} before`);
    lines.push(...prefix.slice(skipped).map((operation) => `  ${line(operation)}`));
    lines.push(`  state: ${verdict.states[at] ?? ''}`);
  });
  return lines;
}

function describeOperation<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  operation: Operation<Input | Added, Output>,
): string {
  const { id, process, callMs, returnMs, input, output } = operation;
  const what = model.describe(input, output);
  if (id < 0) return `${process}: ${what}`;
  return `#${id} ${process} [${callMs}, ${returnMs ?? 'open'}] ${what}`;
}
