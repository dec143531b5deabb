import type { HistoryFile } from './history-file.js';
import { HISTORY_FORMAT, HISTORY_VERSION } from './history-file.js';
import type { KvAction, KvActionOutput, KvInput, KvOutput } from './kv-operations.js';
import type { Operation } from './operation.js';
import type { RegisterOperation } from './register.js';

/** The inverse of `readHistory`; ids are not kept. */
export function writeHistory(file: HistoryFile): string {
  const head = { format: HISTORY_FORMAT, version: HISTORY_VERSION, model: file.model };
  const lines: object[] =
    file.model === 'register'
      ? [{ ...head, initial: file.initial }, ...file.history.map(registerLine)]
      : [head, ...file.history.map(kvLine)];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function registerLine(operation: RegisterOperation): object {
  const { output } = operation;
  switch (output?.type) {
    case 'read':
      return toLine(operation, { value: output.value });
    case 'cas':
      return toLine(operation, { swapped: output.swapped });
    default:
      return toLine(operation, undefined);
  }
}

function kvLine(operation: Operation<KvInput, KvOutput>): object {
  const { input, output } = operation;
  const result = output === undefined ? undefined : kvResult(output);
  if (input.type !== 'txn') return toLine({ ...operation, input: toAction(input) }, result);
  const steps = { then: input.then.map(toStep), else: input.else.map(toStep) };
  const asked = { ...input, ...steps };
  return toLine({ ...operation, input: asked }, result);
}

function toLine(
  { process, callMs, returnMs, input }: Operation<{ readonly type: string }, unknown>,
  result: object | undefined,
): object {
  const { type: operation, ...fields } = input;
  return { process, operation, ...fields, call: callMs, return: returnMs, result };
}

function toAction(action: KvAction): { readonly type: string } {
  if (action.type !== 'put') return action;
  const { leaseEndsFromMs: leaseEndsFrom, ...fields } = action;
  return { ...fields, leaseEndsFrom } as { readonly type: string };
}

function toStep(action: KvAction): object {
  const { type: operation, ...fields } = toAction(action);
  return { operation, ...fields };
}

function kvResult(output: KvOutput): object {
  if (output.type !== 'txn') return { ...shown(output), revision: output.revision };
  const { succeeded, revision, results } = output;
  const steps = results?.map((result) => ({ operation: result.type, ...shown(result) }));
  return { succeeded, revision, results: steps };
}

function shown(result: KvActionOutput): object {
  if (result.type === 'put') return { version: result.version };
  if (result.type === 'delete') return { deleted: result.deleted };
  return result.record === undefined ? { found: false } : { found: true, ...result.record };
}
