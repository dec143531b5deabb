import type { History } from './operation.js';

/**
 * What the checked object does when its operations come one after the other. States are immutable.
 * `Input` and `Output` are what histories hold; a model may add inputs of its own (`Added`) for
 * what the system does unasked.
 */
export interface Model<State extends object | string | number, Input, Output, Added = never> {
  readonly name: string;
  /**
   * The parts that can be judged each on its own (P-compositionality): the history is linearizable
   * exactly if every part is.
   */
  partition(history: History<Input, Output>): readonly Partition<Input | Added, Output>[];
  init(partition: Partition<Input | Added, Output>): State;
  /**
   * The state after `input`, or undefined where this output cannot come of this state. Without an
   * output (unknown outcome): the state if it takes effect; undefined where it would change
   * nothing for sure, as the search also tries to leave it out.
   */
  step(
    state: State,
    input: Input | Added,
    output: Output | undefined,
    choice: number,
  ): State | undefined;
  /** How many states may come of it: `choice` runs from 0. Absent: one. */
  choices?(input: Input | Added, output: Output | undefined): number;
  /**
   * Whatever may follow in `other` may follow in `state`: such as when they are equal. Only ever
   * asked of states after the same known outcomes.
   */
  covers(state: State, other: State): boolean;
  /** 32 bits; the same for a state and one that it covers. */
  hash(state: State): number;
  describe(input: Input | Added, output: Output | undefined): string;
  describeState(state: State): string;
}

export interface Partition<Input, Output> {
  /** Key, keys or lock: for people. */
  readonly name: string;
  /** Any order. Operations that the model added have ids below 0. */
  readonly operations: History<Input, Output>;
  /**
   * One an operation: what is known of its place in the order, as the model's own steps would
   * find out, only later. Pure speed: leaving the hints out changes no verdict.
   */
  readonly hints?: readonly (Hint | undefined)[] | undefined;
}

export interface Hint {
  /** No operation takes its place before all known outcomes of lower rank have theirs. */
  readonly rank?: number | undefined;
  /**
   * Unknown outcomes of one likeness do the same to every state: the search takes them by time of
   * call, as trying all their subsets would find nothing else.
   */
  readonly likeness?: string | undefined;
}
