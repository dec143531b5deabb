import type { Hint } from './model.js';
import type { KvInput, KvOperation, KvOutput } from './kv-operations.js';
import { possibleActions } from './kv-operations.js';

/**
 * Revisions are the order itself: a change stands at its own, and an answer from a state that
 * nothing changed since stands after the change of its revision and before the next one.
 */
export function hintOf(operation: KvOperation): Hint | undefined {
  const { input, output } = operation;
  if (output === undefined) return { likeness: JSON.stringify(input) };
  if (output.revision === undefined) return undefined;
  const changes = isChange(operation);
  return changes === undefined ? undefined : { rank: output.revision + (changes ? 0 : 0.5) };
}

/** The answer tells that nothing was changed. */
export function isKvRead(input: KvInput, output: KvOutput): boolean {
  if (input.type === 'get') return true;
  if (output.type === 'delete') return output.deleted === 0;
  if (input.type !== 'txn' || output.type !== 'txn') return false;
  const actions = output.succeeded ? input.then : input.else;
  return actions.every(({ type }, position) => {
    const result = output.results?.[position];
    return type === 'get' || (result?.type === 'delete' && result.deleted === 0);
  });
}

/** Undefined: the answer does not tell. */
export function isChange(operation: KvOperation): boolean | undefined {
  const { output } = operation;
  switch (output?.type) {
    case 'put':
      return true;
    case 'delete':
      return output.deleted === undefined ? undefined : output.deleted > 0;
    case 'txn': {
      const actions = possibleActions(operation);
      if (actions.some(({ type }) => type === 'put')) return true;
      if (actions.every(({ type }) => type === 'get')) return false;
      const { results } = output;
      if (results === undefined) return undefined;
      const counts = results.map((it) => (it.type === 'delete' ? it.deleted : 0));
      if (counts.includes(undefined)) return undefined;
      return counts.some((count) => count === 1);
    }
    default:
      return false;
  }
}
