import type { Violation } from '../scope.js';

/** A whole cluster, by the numbers of its parts. Never changed. */
export interface ClusterState {
  /** By position: the node state. */
  readonly nodes: readonly number[];
  /** Messages that may still arrive, in the order of sending. */
  readonly sent: readonly number[];
  /** At `term · nodes + position`: 1 + the position of whom that node ever voted for, or 0. */
  readonly votes: readonly number[];
  /** By term: 1 + the position of who ever led it, or 0. */
  readonly leaders: readonly number[];
  /** What any node ever reported committed, from index 1 on. */
  readonly committed: readonly CommittedEntry[];
  /** By position. */
  readonly crashes: readonly number[];
  readonly slowWrites: number;
  readonly campaigns: number;
  readonly values: number;
  readonly beats: number;
  readonly silences: number;
  readonly broken: Violation | undefined;
}

export interface CommittedEntry {
  readonly code: number;
  /** The term of the node that reported it first. */
  readonly committedIn: number;
}
