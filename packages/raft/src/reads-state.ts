import type { LogIndex } from './types.js';

/** The rounds of heartbeats a leader sends, and the reads that wait for one (§6.4). */
export interface Reads {
  /** Number of the latest round started; from 1 in each term. */
  startedRound: number;
  /** Start the next round with the next `Ready`: reads wait, and none of theirs is under way. */
  roundDue: boolean;
  /** In order of registration, so their rounds never decrease. */
  readonly pending: PendingRead[];
  /** When the rounds `startedRound − sentMs.length + 1 … startedRound` were sent. */
  readonly sentMs: number[];
}

export interface PendingRead {
  readonly readId: number;
  /** The commit index when it was registered. */
  readonly index: LogIndex;
  /** The first round started after its registration: earlier ones prove nothing. */
  readonly round: number;
}

export function makeReads(): Reads {
  return { startedRound: 0, roundDue: false, pending: [], sentMs: [] };
}

export function forkReads(reads: Reads): Reads {
  return { ...reads, pending: reads.pending.slice(), sentMs: reads.sentMs.slice() };
}
