/**
 * What a run can end with. `checker` names who found it: an invariant's id (`S10`, `L4`,
 * `linearizability`), `liveness`, `assertion` (the code's own, or a crash) or `determinism`.
 */
export interface StormFailure {
  readonly checker: string;
  /** One sentence for people. */
  readonly sentence: string;
  /** True time at which it was found. */
  readonly atMs: number;
}
