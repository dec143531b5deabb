/**
 * One call of one process and what came of it. Times are ms of true time, whatever the process's
 * own clock showed.
 */
export interface Operation<Input, Output> {
  /** Unique in its history. */
  readonly id: number;
  readonly process: string;
  readonly callMs: number;
  /** Undefined: nobody knows whether it took effect. It stays open to the end of the history. */
  readonly returnMs: number | undefined;
  readonly input: Input;
  /** Undefined exactly when `returnMs` is. */
  readonly output: Output | undefined;
}

export type History<Input, Output> = readonly Operation<Input, Output>[];

/** What happens unasked, such as the end of a lease, is done by this process. */
export const CLUSTER_PROCESS = 'cluster';

export function isUnknown({ returnMs }: Operation<unknown, unknown>): boolean {
  return returnMs === undefined;
}
