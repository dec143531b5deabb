/** A Raft term: a positive integer once an election was held, 0 before. §3.3 */
export type Term = number & { readonly brand: 'Term' };

/** Position of an entry in the log, from 1; 0 is the position before the first entry. */
export type LogIndex = number & { readonly brand: 'LogIndex' };

/** Name of a node, unique in its cluster and never reused by another machine's data. */
export type NodeId = string & { readonly brand: 'NodeId' };

export const NO_TERM: Term = 0 as Term;
export const NO_INDEX: LogIndex = 0 as LogIndex;

/**
 * What an entry is for. `no-op`: proposed by the core at election (§6.4) or by the driver to
 * carry time; its payload is empty. `command`: opaque bytes for the state machine. Configuration
 * entries join this union with membership change.
 */
export type EntryKind = 'no-op' | 'command';

/**
 * One entry of the replicated log. `payload` is opaque here and must never be mutated after
 * it was handed over: disk, peers and apply share the same bytes.
 */
export interface Entry {
  readonly index: LogIndex;
  readonly term: Term;
  readonly kind: EntryKind;
  /** The leader's cluster time when it appended, ms; never decreases along a log. */
  readonly clusterTimeMs: number;
  readonly payload: Uint8Array;
}

/** What a node must never forget: one record, always written in one synced batch. */
export interface HardState {
  readonly term: Term;
  readonly votedFor: NodeId | undefined;
  /**
   * The longest lease promise this node ever echoed to a leader, ms; waited out after a restart,
   * because a restarted node no longer knows whom it promised what (§6.4.1). 0: none.
   */
  readonly promiseMs: number;
}

/** The voters in force. Learners and joint halves join here with membership change. */
export interface Membership {
  readonly voters: readonly NodeId[];
}

/** What a node starts from: exactly what its storage holds, already checked for contiguity. */
export interface LoadedState {
  readonly hardState: HardState;
  /** Contiguous from index 1 (from the snapshot's end once there are snapshots). */
  readonly entries: readonly Entry[];
  readonly membership: Membership;
}

export type Role = 'follower' | 'pre-candidate' | 'candidate' | 'leader';
