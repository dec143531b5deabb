import type { Message } from './messages.js';
import type { Entry, HardState, LogIndex, Term } from './types.js';

/**
 * One synced batch: everything in it becomes durable together or not at all. At most one is in
 * flight; what queues meanwhile becomes the next (group commit).
 */
export interface LogWrite {
  /** Present when term, vote or promise changed since the last write. */
  readonly hardState: HardState | undefined;
  /** Entries at and above this index are removed before `entries` are added. */
  readonly truncateFrom: LogIndex | undefined;
  /** Contiguous; the first is at `truncateFrom`, or right after the last one written. */
  readonly entries: readonly Entry[];
  /** Identify the completion: last index of the log as this write leaves it, and its term. */
  readonly lastIndex: LogIndex;
  readonly lastTerm: Term;
}

/** A linearizable read that may be served once `index` is applied. §6.4 */
export interface ConfirmedRead {
  readonly readId: number;
  readonly index: LogIndex;
}

/** What the driver must do, field by field. It obeys; it never decides. */
export interface Ready {
  /**
   * To make durable in one synced batch; then call `persisted(lastTerm, lastIndex)`. Undefined
   * while an earlier write is in flight or when there is nothing to write.
   */
  readonly write: LogWrite | undefined;
  /** May leave at once, beside the write (§10.2.1). */
  readonly messages: readonly Message[];
  /** Must not leave before `write` is durable: grants, acknowledgements, own campaigns. */
  readonly messagesAfterWrite: readonly Message[];
  /** To apply, in order, each exactly once; then call `applied(index)`. */
  readonly committed: readonly Entry[];
  /** Reads confirmed by a quorum round; serve each once its index is applied. */
  readonly confirmedReads: readonly ConfirmedRead[];
  /** Reads that can no longer be confirmed here: the leader stepped down. */
  readonly abortedReads: readonly number[];
}
