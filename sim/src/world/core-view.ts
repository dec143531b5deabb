import type { ConfirmedRead, Entry, LogIndex, NodeId, Role, Term } from '@raftd/raft';

/** A leader's knowledge of one follower. */
export interface ProgressView {
  readonly match: LogIndex;
  readonly next: LogIndex;
  readonly inflightMessages: number;
  readonly inflightBytes: number;
  /** Where the oldest append in flight ends; undefined: none is. */
  readonly oldestInflight: LogIndex | undefined;
}

/**
 * What the checkers read of a core. It is an interface of its own, so that a checker's unit test
 * can hand it a violation made by hand.
 */
export interface CoreView {
  readonly term: Term;
  readonly votedFor: NodeId | undefined;
  readonly role: Role;
  readonly leaderId: NodeId | undefined;
  readonly commitIndex: LogIndex;
  readonly appliedIndex: LogIndex;
  readonly lastIndex: LogIndex;
  /** On the node's own clock; undefined where no election timer runs. */
  readonly electionDeadlineMs: number | undefined;
  readonly pendingReads: number;
  /** Of the read that was registered last in this life; 0: none was. */
  readonly lastReadId: number;
  /** Confirmed, and not yet handed over with a `Ready`. */
  readonly confirmedReads: readonly ConfirmedRead[];
  /** As leader: how long after its last input it counts on its lease; undefined: it has none. */
  readonly leaseLeftMs: number | undefined;
  /** Messages that wait for a write. */
  readonly heldMessages: number;
  entryAt(index: LogIndex): Entry | undefined;
  /** Only a leader has progress; it has none about itself. */
  progressOf(peer: NodeId): ProgressView | undefined;
}

/** The part of a view that is worth comparing before and after one input. */
export interface CoreSnapshot {
  readonly term: Term;
  readonly votedFor: NodeId | undefined;
  readonly role: Role;
  readonly leaderId: NodeId | undefined;
  readonly commitIndex: LogIndex;
  readonly appliedIndex: LogIndex;
  readonly lastIndex: LogIndex;
  readonly electionDeadlineMs: number | undefined;
}

export function snapshotOf(view: CoreView): CoreSnapshot {
  return {
    term: view.term,
    votedFor: view.votedFor,
    role: view.role,
    leaderId: view.leaderId,
    commitIndex: view.commitIndex,
    appliedIndex: view.appliedIndex,
    lastIndex: view.lastIndex,
    electionDeadlineMs: view.electionDeadlineMs,
  };
}
