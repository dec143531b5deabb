import type { Operation } from '../../../src/linearizability/index.js';
import type { RandomStream } from '../../../src/world/random.js';
import type { Twin } from './twin.js';
import { pick } from './twin.js';

interface Pending<Input, Output> {
  readonly id: number;
  readonly process: string;
  readonly callMs: number;
  readonly input: Input;
  output: Output | undefined;
}

export interface HistoryShape {
  readonly operationsMax: number;
  readonly processes: number;
  /** In percent of operations. */
  readonly unknownChance: number;
}

/** Linearizable by construction: each operation runs on the twin between its call and return. */
export function randomHistory<State, Input, Output>(
  twin: Twin<State, Input, Output>,
  random: RandomStream,
  { operationsMax, processes, unknownChance }: HistoryShape,
): Operation<Input, Output>[] {
  const history: Operation<Input, Output>[] = [];
  const pending: Pending<Input, Output>[] = [];
  const idle = Array.from({ length: processes }, (_, at) => `p${at}`);
  let state = twin.initial;
  let nowMs = 0;
  let id = 0;
  while (id < operationsMax || pending.length > 0) {
    // Often the same time twice: a return and a call at one time are concurrent.
    nowMs += random.percent(70) ? 1 : 0;
    const mayCall = id < operationsMax && idle.length > 0;
    if (mayCall && (pending.length === 0 || random.percent(45))) {
      const process = idle.shift() as string;
      const input = twin.draw(random, process, state, nowMs);
      pending.push({ id, process, callMs: nowMs, input, output: undefined });
      id += 1;
      continue;
    }
    const one = pick(random, pending);
    if (one.output === undefined && !random.percent(unknownChance / 2)) {
      const done = twin.run(state, one.input, random, nowMs);
      ({ state } = done);
      one.output = done.output;
      if (random.percent(50)) continue;
    }
    pending.splice(pending.indexOf(one), 1);
    const { process, callMs, input } = one;
    const isUnknown = one.output === undefined || random.percent(unknownChance / 2);
    const returnMs = isUnknown ? undefined : nowMs;
    const output = isUnknown ? undefined : one.output;
    history.push({ id: one.id, process, callMs, returnMs, input, output });
    idle.push(isUnknown ? `${process}'` : process);
  }
  return history;
}

/** The same history with one answer changed; undefined: no answer can be. */
export function withOneChange<State, Input, Output>(
  twin: Twin<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  random: RandomStream,
): Operation<Input, Output>[] | undefined {
  const known = history.filter(({ output }) => output !== undefined);
  if (known.length === 0) return undefined;
  const victim = pick(random, known);
  const output = twin.changed(victim.output as Output, random);
  if (output === undefined) return undefined;
  return history.map((operation) => (operation === victim ? { ...operation, output } : operation));
}
