/**
 * - `DATA_LOCKED`: another process (or another store of this one) has the directory open.
 * - `DATA_UNWRITABLE`: the directory cannot be created, read or written.
 * - `DATA_OF_OTHER_NODE`: the directory belongs to another node id.
 * - `DATA_FORMAT_UNKNOWN`: written by a version with another format.
 * - `DATA_DAMAGED`: something this node had acknowledged is lost or altered. The node must not
 *   vote or acknowledge again under its old identity.
 * - `DISK_FULL`, `DISK_FAILED`: a write or a sync failed; what is on disk is unknown until the
 *   directory is opened anew.
 */
export type StorageErrorCode =
  | 'DATA_LOCKED'
  | 'DATA_UNWRITABLE'
  | 'DATA_OF_OTHER_NODE'
  | 'DATA_FORMAT_UNKNOWN'
  | 'DATA_DAMAGED'
  | 'DISK_FULL'
  | 'DISK_FAILED';

/** An operating error of the store. The message says what happened and what to do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

/** `fact`: what is wrong and where; the way back is the same for every kind of damage. */
export function damaged(fact: string, cause?: unknown): StorageError {
  return new StorageError(
    'DATA_DAMAGED',
    `${fact}. This node must not vote on what is left: leave the other nodes running, ` +
      'move its data directory away and bring it back as a new member, never under its old ' +
      'identity',
    cause === undefined ? {} : { cause },
  );
}
