/** What `npm run sim` ends with; a contract that scripts rely on. */
export const EXIT: SimExitCodes = {
  ok: 0,
  gate: 1,
  usage: 2,
  assertion: 127,
  liveness: 128,
  correctness: 129,
};

export interface SimExitCodes {
  readonly ok: number;
  /**
   * No invariant broke, but a gate did: too slow, too few faults, a planted bug missed; or nobody
   * knows, as the search for an order of a history gave up.
   */
  readonly gate: number;
  /** Bad arguments, or a file that is not what it should be. */
  readonly usage: number;
  /** An assertion of the code itself, or a crash. */
  readonly assertion: number;
  /** Nothing wrong was done, but what had to happen did not. */
  readonly liveness: number;
  /** A checker found something that must never be. */
  readonly correctness: number;
}

export type ExitClass = 'gate' | 'assertion' | 'liveness' | 'correctness';

/** The class of a failure, from the id of the checker that found it. */
export function exitClassOf(checker: string): ExitClass {
  switch (checker) {
    case 'undecided':
      return 'gate';
    case 'assertion':
    // What explore calls an exception that no assertion threw.
    case 'crash':
      return 'assertion';
    case 'liveness':
      return 'liveness';
    default:
      return 'correctness';
  }
}

export function exitCodeOf(checker: string): number {
  return EXIT[exitClassOf(checker)];
}
