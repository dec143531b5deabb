import { Fields, HistoryFileError, ValuePool } from './history-fields.js';
import type { HistoryFile, HistoryFileLimits } from './history-file.js';
import { DEFAULT_HISTORY_FILE_LIMITS, HISTORY_FORMAT, HISTORY_VERSION } from './history-file.js';
import type {
  KvAction,
  KvActionOutput,
  KvCompare,
  KvInput,
  KvOperation,
  KvOutput,
  KvTxn,
} from './kv-operations.js';
import type { Operation } from './operation.js';
import type { RegisterInput, RegisterOutput } from './register.js';

/** Throws a `HistoryFileError` that names line, field and limit. */
export function readHistory(
  text: string,
  limits: HistoryFileLimits = DEFAULT_HISTORY_FILE_LIMITS,
): HistoryFile {
  const lines = toLines(text, limits);
  const [header, ...operations] = lines;
  if (header === undefined) throw new HistoryFileError(1, 'the file', 'is empty');
  header.oneOf('format', [HISTORY_FORMAT]);
  const version = header.count('version');
  if (version !== HISTORY_VERSION) header.fail('version', `is not ${HISTORY_VERSION}`);
  const model = header.oneOf('model', ['register', 'key-value']);
  if (model === 'key-value') {
    header.end();
    return { model, history: operations.map(toKvOperation) };
  }
  const initial = header.optionalValue('initial');
  header.end();
  const history = operations.map((fields) =>
    toOperation(fields, toRegisterInput(fields), toRegisterOutput),
  );
  return { model, initial, history };
}

function toLines(text: string, limits: HistoryFileLimits): readonly Fields[] {
  const values = new ValuePool();
  const lines: Fields[] = [];
  withoutMark(text)
    .split('\n')
    .forEach((content, index) => {
      const line = index + 1;
      if (content.trim() === '') return;
      const { lineCharsMax, operationsMax } = limits;
      if (content.length > lineCharsMax) {
        throw new HistoryFileError(line, 'the line', `is longer than ${lineCharsMax} characters`);
      }
      if (lines.length > operationsMax) {
        throw new HistoryFileError(line, 'the file', `has more than ${operationsMax} operations`);
      }
      lines.push(new Fields(parse(content, line), { line, path: '', limits, values }));
    });
  return lines;
}

/** Of the byte order, which some editors put in front. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parse(content: string, line: number): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new HistoryFileError(line, 'the line', 'is not JSON');
  }
}

/** What all operations have; `output` reads what is left: the result. */
function toOperation<Input, Output>(
  fields: Fields,
  input: Input,
  toOutput: (input: Input, fields: Fields) => Output,
): Operation<Input, Output> {
  const process = fields.name('process');
  const callMs = fields.time('call');
  const returnMs = fields.optionalTime('return');
  if (returnMs !== undefined && returnMs < callMs) fields.fail('return', 'is before the call');
  const output = returnMs === undefined ? undefined : toOutput(input, fields);
  if (returnMs === undefined && fields.has('result')) fields.fail('result', 'has no return');
  fields.end();
  return { id: fields.line, process, callMs, returnMs, input, output };
}

function toRegisterInput(fields: Fields): RegisterInput {
  const type = fields.oneOf('operation', ['read', 'write', 'cas']);
  switch (type) {
    case 'read':
      return { type };
    case 'write':
      return { type, value: fields.value('value') };
    case 'cas':
      return { type, expected: fields.value('expected'), value: fields.value('value') };
    default:
      return type satisfies never;
  }
}

function toRegisterOutput({ type }: RegisterInput, fields: Fields): RegisterOutput {
  if (type === 'write') {
    fields.optionalObject('result')?.end();
    return { type };
  }
  const result = fields.object('result');
  const output: RegisterOutput =
    type === 'read'
      ? { type, value: result.value('value') }
      : { type, swapped: result.boolean('swapped') };
  result.end();
  return output;
}

function toKvOperation(fields: Fields): KvOperation {
  const type = fields.oneOf('operation', ['put', 'get', 'delete', 'txn']);
  return toOperation(fields, type === 'txn' ? toTxn(fields) : toAction(fields, type), toKvOutput);
}

const ACTIONS = ['put', 'get', 'delete'] as const;

function toAction(fields: Fields, type: KvAction['type']): KvAction {
  const key = fields.name('key');
  if (type !== 'put') return { type, key };
  const value = fields.value('value');
  return { type, key, value, leaseEndsFromMs: fields.optionalTime('leaseEndsFrom') };
}

function toTxn(fields: Fields): KvTxn {
  const actions = (field: string): readonly KvAction[] =>
    fields.list(field).map((step) => {
      const action = toAction(step, step.oneOf('operation', ACTIONS));
      step.end();
      return action;
    });
  const compare = fields.list('compare').map(toCompare);
  return { type: 'txn', compare, then: actions('then'), else: actions('else') };
}

const COUNTS = ['version', 'create-revision', 'mod-revision'] as const;

function toCompare(fields: Fields): KvCompare {
  const key = fields.name('key');
  const target = fields.oneOf('target', ['value', ...COUNTS]);
  const operator = fields.oneOf('operator', ['=', '!=', '<', '>']);
  const compare: KvCompare =
    target === 'value'
      ? { key, target, operator, operand: fields.value('operand') }
      : { key, target, operator, operand: fields.count('operand') };
  fields.end();
  return compare;
}

function toKvOutput(input: KvInput, fields: Fields): KvOutput {
  if (input.type === 'txn') return toTxnOutput(input, fields.object('result'));
  const mayBeAbsent = input.type !== 'get' && !fields.has('result');
  if (mayBeAbsent) return toMissingOutput(input);
  const result = fields.object('result');
  const revision = result.optionalCount('revision');
  const output = { ...toResult(input.type, result), revision };
  result.end();
  return output;
}

function toMissingOutput({ type }: KvAction): KvOutput {
  return type === 'delete' ? { type } : { type: 'put' };
}

function toTxnOutput(input: KvTxn, result: Fields): KvOutput {
  const succeeded = result.boolean('succeeded');
  const revision = result.optionalCount('revision');
  const isShown = result.has('results');
  const steps = result.list('results');
  const asked = succeeded ? input.then : input.else;
  if (isShown && steps.length !== asked.length) {
    result.fail('results', `has ${steps.length} items for ${asked.length} steps`);
  }
  const results = steps.map((step, at) => {
    const type = step.oneOf('operation', ACTIONS);
    const wanted = asked[at]?.type;
    if (type !== wanted) step.fail('operation', `is ${type}, and that of the step is ${wanted}`);
    const shown = toResult(type, step);
    step.end();
    return shown;
  });
  result.end();
  return { type: 'txn', succeeded, results: isShown ? results : undefined, revision };
}

function toResult(type: KvAction['type'], result: Fields): KvActionOutput {
  switch (type) {
    case 'put':
      return { type, version: result.optionalCount('version') };
    case 'delete': {
      const deleted = result.optionalCount('deleted');
      if ((deleted ?? 0) > 1) result.fail('deleted', 'is not 0 or 1');
      return { type, deleted };
    }
    case 'get': {
      if (!result.boolean('found')) return { type, record: undefined };
      const record = {
        value: result.value('value'),
        version: result.optionalCount('version'),
        createRevision: result.optionalCount('createRevision'),
        modRevision: result.optionalCount('modRevision'),
      };
      return { type, record };
    }
    default:
      return type satisfies never;
  }
}
