import type { LogIndex, NodeId, Term } from '@raftd/raft';
import type { ClusterProbe } from '../world/cluster-probe.js';
import type { Applied, Crashed, ReadAnswered, Sent, Stepped, WriteDone } from '../world/events.js';
import type { WriteStarted } from '../world/events.js';
import type { ChainHash } from '../world/log-mirror.js';

/**
 * Ids as in the scenario catalogues: S… one node, between nodes, reads and leases; C… coordinator
 * and client. I… and L… are verification.md's own. `undecided`: a checker could not tell.
 */
export type InvariantId = `${'S' | 'C' | 'I' | 'L'}${number}` | 'linearizability' | 'undecided';

/** A sentence about Raft that did not hold. */
export class InvariantBroken extends Error {
  readonly invariant: InvariantId;

  constructor(invariant: InvariantId, sentence: string) {
    super(`${invariant}: ${sentence}`);
    this.name = 'InvariantBroken';
    this.invariant = invariant;
  }
}

/** One entry that some node reported committed, remembered for ever. */
export interface CommittedEntry {
  readonly index: LogIndex;
  readonly term: Term;
  readonly chain: ChainHash;
  /** The term of the node that reported it first: the term it was committed in. */
  readonly committedIn: Term;
}

/** History that several checkers read; it outlives every restart. */
export interface History {
  /** Position i holds index i + 1. */
  readonly committed: CommittedEntry[];
  readonly leaders: Map<Term, NodeId>;
}

export function emptyHistory(): History {
  return { committed: [], leaders: new Map() };
}

/**
 * One checker: handlers for the events it cares about, and whatever history it needs of its own.
 * A handler throws `InvariantBroken`. The cluster is read, never changed.
 */
export interface Invariant {
  readonly id: InvariantId;
  /** Promises something only as long as all clocks keep their bound. */
  readonly restsOnClocks?: true;
  onStepped?(event: Stepped, cluster: ClusterProbe): void;
  onSent?(event: Sent, cluster: ClusterProbe): void;
  onWriteStarted?(event: WriteStarted, cluster: ClusterProbe): void;
  onWriteDone?(event: WriteDone, cluster: ClusterProbe): void;
  onApplied?(event: Applied, cluster: ClusterProbe): void;
  onReadAnswered?(event: ReadAnswered, cluster: ClusterProbe): void;
  onCrashed?(event: Crashed, cluster: ClusterProbe): void;
}

/** What the files here export. */
export type CreateInvariant = (history: History) => Invariant;

export function becameLeader(event: Stepped): boolean {
  if (event.after.role !== 'leader') return false;
  return event.before?.role !== 'leader' || event.before.term !== event.after.term;
}
