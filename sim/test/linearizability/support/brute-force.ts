import type { Operation } from '../../../src/linearizability/index.js';
import type { Twin } from './twin.js';

/**
 * Tries every order of the operations and every subset of the unknown ones, without a cache,
 * partitions or hints.
 */
export function isLinearizable<State, Input, Output>(
  twin: Twin<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): boolean {
  return canFinish(twin, twin.initial, history);
}

function canFinish<State, Input, Output>(
  twin: Twin<State, Input, Output>,
  state: State,
  left: readonly Operation<Input, Output>[],
): boolean {
  const untilMs = Math.min(...left.map(({ returnMs }) => returnMs ?? Infinity));
  if (untilMs === Infinity) return true;
  for (const operation of left) {
    if (operation.callMs > untilMs) continue;
    const rest = left.filter((other) => other !== operation);
    for (const after of twin.after(state, operation, untilMs)) {
      if (canFinish(twin, after, rest)) return true;
    }
  }
  return false;
}
