import type { Operation } from './operation.js';

export type Verdict<Input = unknown, Output = unknown> =
  | { readonly type: 'linearizable'; readonly partitions: number; readonly steps: number }
  | NotLinearizable<Input, Output>
  | {
      readonly type: 'undecided';
      readonly partition: string;
      /** Spent on this partition. */
      readonly steps: number;
    };

export interface NotLinearizable<Input = unknown, Output = unknown> {
  readonly type: 'not-linearizable';
  readonly partition: string;
  /**
   * No order gets past its return: the history up to there has one, with it there is none. Of an
   * unknown outcome, return and output are those that other answers prove.
   */
  readonly firstUnplaceable: Operation<Input, Output>;
  /**
   * The longest orders that end where `firstUnplaceable` should have had its place, at most
   * `prefixesMax` of them. What the system did unasked stands among them as
   * an operation of process `cluster` with an id below 0.
   */
  readonly longestPrefixes: readonly (readonly Operation<Input, Output>[])[];
  /** The state after each of them, in words. */
  readonly states: readonly string[];
  readonly steps: number;
}

/** All bounds are counts, never time: a verdict is the same on every machine. */
export interface CheckLimits {
  /**
   * Steps of the model in one partition, or as much work of other kind, such as comparing with what
   * was tried before; beyond: `undecided`. All partitions together: 20 times that.
   */
  readonly stepsMax: number;
  /** 32-bit words of cached configurations in one partition; beyond: `undecided`. */
  readonly cacheWordsMax: number;
  readonly prefixesMax: number;
}

export const DEFAULT_CHECK_LIMITS: CheckLimits = {
  stepsMax: 2_000_000,
  cacheWordsMax: 32 * 1024 * 1024,
  prefixesMax: 4,
};
