import type { History, Operation } from './operation.js';

/**
 * What the checked object does when its operations come one after the other. States are immutable.
 * `Input` and `Output` are what histories hold; `Added` is what the system does unasked.
 */
export interface Model<State extends object | string | number, Input, Output, Added = never> {
  readonly name: string;
  /**
   * The parts that can be judged each on its own (P-compositionality): the history is linearizable
   * exactly if every part is. Unknown outcomes that change nothing are best left out here.
   */
  partition(history: History<Input, Output>): readonly Partition<Input, Output>[];
  /**
   * What the parts need of each other, where they are not wholly independent: a conflict that no
   * order of the whole history can have. Sound; it need not find all. Absent: there is none.
   */
  conflict?(history: History<Input, Output>): Conflict<Input, Output> | undefined;
  init(partition: Partition<Input, Output>): State;
  /**
   * The state after `input`, or undefined where this output cannot come of this state. Without an
   * output (unknown outcome): the state if it takes effect; undefined where it would change
   * nothing for sure, as the search also tries to leave it out.
   */
  step(state: State, input: Input, output: Output | undefined, choice: number): State | undefined;
  /**
   * Whatever state this answer comes of, the operation changes nothing in it. Pure speed: the
   * search places such an operation as soon as it fits, and never reconsiders. Absent: false.
   */
  isRead?(input: Input, output: Output): boolean;
  /** How many states may come of it: `choice` runs from 0. Absent: one. */
  choices?(input: Input, output: Output | undefined): number;
  /**
   * What may happen in this state without any operation, such as the end of a lease: at any time
   * from `fromMs` on, or never. `choice` runs from 0 to the first that is undefined.
   */
  unasked?(state: State, choice: number): Unasked<State, Added> | undefined;
  /** False: no operation of this rank (see `Hint`) can ever follow. Absent: always true. */
  fits?(state: State, rank: number): boolean;
  /**
   * Whatever may follow in `other` may follow in `state`: such as when they are equal. Only ever
   * asked of states after the same known outcomes.
   */
  covers(state: State, other: State): boolean;
  /** Roughly, of memory and of reading in each step; the same for all states. Absent: 1. */
  words?(state: State): number;
  /** 32 bits; the same for a state and one that it covers. */
  hash(state: State): number;
  describe(input: Input | Added, output: Output | undefined): string;
  describeState(state: State): string;
}

export interface Conflict<Input, Output> {
  /** It cannot stand after this one, and it has to. */
  readonly operation: Operation<Input, Output>;
  readonly after: Operation<Input, Output>;
  /** What the other one shows, in words. */
  readonly state: string;
}

export interface Unasked<State, Added> {
  readonly state: State;
  /** True time, ms. */
  readonly fromMs: number;
  /** For people: it stands in the orders that a verdict shows. */
  readonly input: Added;
}

export interface Partition<Input, Output> {
  /** Key, keys or lock: for people. */
  readonly name: string;
  /** Any order. */
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
