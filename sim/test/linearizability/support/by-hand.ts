import type { Operation } from '../../../src/linearizability/index.js';

/** [process, call, return (undefined: unknown), input, output]. */
export type Line<Input, Output> = readonly [
  process: string,
  callMs: number,
  returnMs: number | undefined,
  input: Input,
  output: Output | undefined,
];

/** Histories written by hand; the id is the place in the list. */
export function byHand<Input, Output>(
  ...lines: readonly Line<Input, Output>[]
): readonly Operation<Input, Output>[] {
  return lines.map(([process, callMs, returnMs, input, output], id) => ({
    id,
    process,
    callMs,
    returnMs,
    input,
    output,
  }));
}
