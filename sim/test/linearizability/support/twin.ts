import type { Operation } from '../../../src/linearizability/index.js';
import type { RandomStream } from '../../../src/world/random.js';

/**
 * The obviously right twin of a model: one object in one concrete state, which runs operations to
 * make histories and, in the brute-force checker, says what may have happened.
 */
export interface Twin<State, Input, Output> {
  readonly initial: State;
  draw(random: RandomStream, process: string, state: State, nowMs: number): Input;
  /** Runs it: what the object really does at this time. */
  run(
    state: State,
    input: Input,
    random: RandomStream,
    nowMs: number,
  ): { readonly state: State; readonly output: Output };
  /**
   * All states in which the object may be once the operation has taken effect with the output that
   * is recorded (any, if unknown), at any time up to `untilMs`.
   */
  after(state: State, operation: Operation<Input, Output>, untilMs: number): readonly State[];
  /** An answer with one thing in it changed; undefined: there is nothing to change. */
  changed(output: Output, random: RandomStream): Output | undefined;
}

export function pick<T>(random: RandomStream, things: readonly T[]): T {
  return things[Math.floor(random.next() * things.length)] as T;
}
