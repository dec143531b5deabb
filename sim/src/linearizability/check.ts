import type { Conflict, Hint, Model, Partition } from './model.js';
import type { History, Operation } from './operation.js';
import type { SearchEnd } from './search.js';
import { Search } from './search.js';
import type { CheckLimits, NotLinearizable, Verdict } from './verdict.js';
import { DEFAULT_CHECK_LIMITS } from './verdict.js';

/** So many partitions may spend all of their steps. */
const PARTITIONS_SPENT_MAX = 20;

/**
 * Is there an order of the operations, each between its call and its return, in which the model
 * gives every output? Throws a RangeError on a history that cannot be one: an id twice, a return
 * before its call, an output without a return.
 */
export function checkLinearizable<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  history: History<Input, Output>,
  limits: CheckLimits = DEFAULT_CHECK_LIMITS,
): Verdict<Input | Added, Output> {
  checkHistory(history);
  const partitions = model.partition(history);
  let steps = 0;
  let work = 0;
  let undecided: Verdict<Input | Added, Output> | undefined;
  for (const partition of partitions) {
    const left = limits.stepsMax * PARTITIONS_SPENT_MAX - work;
    const stepsMax = Math.min(limits.stepsMax, left);
    const search = new Search(model, partition, { ...limits, stepsMax });
    const end: SearchEnd = search.run();
    steps += search.steps;
    work += search.work;
    if (end === 'none') return explain(model, partition, { limits, search, history });
    if (end === 'spent') {
      undecided ??= { type: 'undecided', partition: partition.name, steps: search.steps };
    }
  }
  const conflict = model.conflict?.(history);
  if (conflict !== undefined) return betweenParts(conflict, steps);
  return undecided ?? { type: 'linearizable', partitions: partitions.length, steps };
}

function betweenParts<Input, Output>(
  { operation, after, state }: Conflict<Input, Output>,
  steps: number,
): NotLinearizable<Input, Output> {
  return {
    type: 'not-linearizable',
    partition: 'all parts together',
    firstUnplaceable: operation,
    longestPrefixes: [[after]],
    states: [state],
    steps,
  };
}

/**
 * Searches once more, now that it is known which dead ends are worth keeping. Ranks blame what has
 * to wait for the culprit; without them the search gets as far as the culprit itself, and takes
 * longer, so it may not come to its end. Operations are shown
 * as they were recorded, except for an unknown one that answers prove to have had an outcome and
 * that has no place for it.
 */
function explain<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
  partition: Partition<Input, Output>,
  first: {
    readonly limits: CheckLimits;
    readonly search: Search<State, Input, Output, Added>;
    readonly history: History<Input, Output>;
  },
): NotLinearizable<Input | Added, Output> {
  const { limits, search: ranked } = first;
  const plain = { ...partition, hints: partition.hints?.map(withoutRank) };
  const unranked = new Search(model, plain, limits);
  const isBetter = unranked.run() === 'none';
  const { reach } = isBetter ? unranked : ranked;
  const search = new Search(model, isBetter ? plain : partition, limits);
  search.run(reach);
  const stuck = search.ownerOf(reach.entry);
  const recorded = new Map<number, Operation<Input | Added, Output>>();
  for (const operation of first.history) recorded.set(operation.id, operation);
  return {
    type: 'not-linearizable',
    partition: partition.name,
    firstUnplaceable: stuck,
    longestPrefixes: search.prefixes.map(({ operations }) =>
      operations.map((operation) => recorded.get(operation.id) ?? operation),
    ),
    states: search.prefixes.map(({ state }) => model.describeState(state)),
    steps: ranked.steps,
  };
}

function withoutRank(hint: Hint | undefined): Hint | undefined {
  return hint === undefined ? undefined : { likeness: hint.likeness };
}

function checkHistory(history: History<unknown, unknown>): void {
  const ids = new Set<number>();
  for (const { id, callMs, returnMs, output } of history) {
    const name = `operation ${id}`;
    if (!Number.isSafeInteger(id) || id < 0) throw new RangeError(`${name}: ids count from 0`);
    if (ids.has(id)) throw new RangeError(`${name} is there twice`);
    ids.add(id);
    if (!Number.isFinite(callMs)) throw new RangeError(`${name} is called at no time`);
    if ((returnMs === undefined) !== (output === undefined)) {
      throw new RangeError(`${name} has an output and no return, or a return and no output`);
    }
    if (returnMs === undefined) continue;
    if (!(returnMs >= callMs && returnMs < Infinity)) {
      throw new RangeError(`${name} returns before it is called, or never`);
    }
  }
}
