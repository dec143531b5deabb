import type {
  KvAction,
  KvActionOutput,
  KvCompare,
  KvInput,
  KvOutput,
  KvRecordShown,
  KvVanish,
} from './kv-operations.js';
import { describeValue } from './value.js';

export function describeKv(input: KvInput | KvVanish, output: KvOutput | undefined): string {
  if (input.type === 'vanish') return `the lease of ${describeAction(input.put)} ends`;
  const at = output?.revision === undefined ? '' : ` @${output.revision}`;
  if (input.type !== 'txn') {
    const result = output?.type === 'txn' ? undefined : output;
    return `${describeAction(input)} → ${describeResult(result)}${at}`;
  }
  const compares = input.compare.map(describeCompare).join(' and ');
  const then = input.then.map(describeAction).join(', ');
  const otherwise = input.else.map(describeAction).join(', ');
  const asked = `if (${compares}) then [${then}] else [${otherwise}]`;
  if (output?.type !== 'txn') return `${asked} → unknown`;
  const results = (output.results ?? []).map(describeResult).join(', ');
  return `${asked} → ${output.succeeded ? 'then' : 'else'} [${results}]${at}`;
}

function describeAction(action: KvAction): string {
  if (action.type === 'put') return `put(${action.key}, ${describeValue(action.value)})`;
  return `${action.type}(${action.key})`;
}

function describeCompare({ key, target, operator, operand }: KvCompare): string {
  return `${target}(${key}) ${operator} ${describeValue(operand)}`;
}

function describeResult(result: KvActionOutput | undefined): string {
  switch (result?.type) {
    case 'put':
      return result.version === undefined ? 'ok' : `version ${result.version}`;
    case 'get':
      return result.record === undefined ? 'absent' : describeShown(result.record);
    case 'delete':
      return result.deleted === undefined ? 'ok' : `deleted ${result.deleted}`;
    default:
      return 'unknown';
  }
}

function describeShown({ value, version, createRevision, modRevision }: KvRecordShown): string {
  const counts = [
    version === undefined ? [] : [`version ${version}`],
    createRevision === undefined ? [] : [`created at ${createRevision}`],
    modRevision === undefined ? [] : [`modified at ${modRevision}`],
  ].flat();
  return describeValue(value) + (counts.length === 0 ? '' : ` (${counts.join(', ')})`);
}
