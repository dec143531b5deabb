import type { Exploration, Violation } from '../explore/scope.js';
import type { Hunt } from './bug.js';
import type { HuntOrders, HuntResult } from './orders.js';
import { isCatch } from './orders.js';

/** The exhaustive search of one scope, up to its first violation: a shortest one. */
export function huntByScope(
  hunt: Hunt,
  search: () => Exploration,
  caughtBy: HuntOrders['caughtBy'],
): HuntResult {
  const startedAt = process.cpuUsage();
  const { states, violations } = search();
  const used = process.cpuUsage(startedAt);
  const [violation] = violations;
  const found = violation !== undefined && isCatch(caughtBy, violation.invariant);
  return {
    hunt,
    found,
    tried: states,
    first: undefined,
    seed: undefined,
    checker: found ? violation.invariant : undefined,
    sentence: violation?.sentence,
    cpuSeconds: (used.user + used.system) / 1e6,
    trace: violation?.trace,
    others: violation === undefined || found ? {} : otherCatch(violation),
  };
}

function otherCatch({ invariant, sentence }: Violation): HuntResult['others'] {
  return { [invariant]: { times: 1, seed: undefined, sentence } };
}
