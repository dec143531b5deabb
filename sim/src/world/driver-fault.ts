/**
 * Drivers that break their contract with the core on purpose. A suite that cannot tell them from
 * the right one proves nothing, so each must be caught.
 */
export type DriverFault =
  /** The disk acknowledges what a crash can still lose (fsync off). */
  | 'lying-disk'
  /** Grants and acknowledgements leave beside the write, not behind it. */
  | 'messages-before-write'
  /** The core hears of a completion before there is one. */
  | 'persisted-early'
  /** A restart keeps the term and forgets the vote. */
  | 'vote-forgotten'
  /** A restart forgets the last entry. */
  | 'tail-forgotten'
  /** A restart forgets what it had promised to a leader. */
  | 'promise-forgotten'
  /** Committed entries are applied a second time. */
  | 'applied-twice'
  /** Reads are answered before a quorum confirmed them. */
  | 'read-unconfirmed'
  /** Reads of a lease are answered without asking whether it still holds. */
  | 'lease-unchecked';
