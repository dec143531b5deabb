import type { ClusterIdentity, Entry, HardState, LogWrite, Term } from '@raftd/raft';
import type { StorageError } from './storage-error.js';

/**
 * The port the replica persists through. One `append` or `saveIdentity` in flight at a time
 * (asserted); each calls its `done` exactly once and never before it returned. The first error
 * is final: every later call fails with it at once, because after a failed write or sync nobody
 * knows what the disk holds. The process then ends and the directory is opened anew.
 */
export interface LogStore {
  /** Makes all of `write` durable in one synced batch, or nothing of it. */
  append(write: LogWrite, done: (error: StorageError | undefined) => void): void;
  /** Stores which cluster this node belongs to, durably; once in the life of a directory. */
  saveIdentity(identity: ClusterIdentity, done: (error: StorageError | undefined) => void): void;
  /** Lets the write in flight finish, then releases the directory. Nothing may follow it. */
  close(done: () => void): void;
}

/** What a store held when it was opened: the state after the last durable batch. */
export interface LoadedStore {
  /** Drawn when the directory was made; a wiped directory gets another one. */
  readonly incarnation: string;
  /** Undefined until `saveIdentity`. */
  readonly cluster: ClusterIdentity | undefined;
  readonly hardState: HardState;
  /** Contiguous from index 1; terms never decrease. A payload may be a view of a larger buffer. */
  readonly entries: readonly Entry[];
}

/** Of a directory in which nothing was written yet. */
export const EMPTY_HARD_STATE: HardState = { term: 0 as Term, votedFor: undefined, promiseMs: 0 };
