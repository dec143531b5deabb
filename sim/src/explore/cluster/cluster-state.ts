import type { Violation } from '../scope.js';

/** A whole cluster, by the numbers of its parts. Never changed. */
export interface ClusterState {
  /** By position: the node state. */
  readonly nodes: readonly number[];
  /**
   * Every message ever sent that the network carries, in the order of sending. None is ever taken
   * out: loss is an infinite delay, and a message may come twice and in any order.
   */
  readonly sent: readonly number[];
  /** By term: 1 + the position of who ever led it, or 0. */
  readonly leaders: readonly number[];
  /** What any node ever reported committed, from index 1 on. */
  readonly committed: readonly CommittedEntry[];
  /** By position. */
  readonly crashes: readonly number[];
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
