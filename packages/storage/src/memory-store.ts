import type { ClusterIdentity, Entry, HardState, LogWrite } from '@raftd/raft';
import { assert } from './assert.js';
import type { StorageError } from './storage-error.js';
import type { LoadedStore, LogStore } from './store.js';
import { EMPTY_HARD_STATE } from './store.js';
import { assertContinues, assertTermContinues } from './write-check.js';

/**
 * A store that forgets when the process ends: for tests and for replicas embedded in one. It
 * keeps the contract of the durable one: `loaded` never shows a write before its `done`.
 */
export class MemoryStore implements LogStore {
  readonly #incarnation: string;
  #cluster: ClusterIdentity | undefined;
  #hardState: HardState;
  #entries: Entry[];
  #isWriting = false;
  #isClosed = false;
  #whenIdle: (() => void) | undefined = undefined;

  /** `loaded`: what an earlier store held, to start from as after a restart. */
  constructor(incarnation: string, loaded?: LoadedStore) {
    this.#incarnation = loaded?.incarnation ?? incarnation;
    this.#cluster = loaded?.cluster;
    this.#hardState = loaded?.hardState ?? EMPTY_HARD_STATE;
    this.#entries = [...(loaded?.entries ?? [])];
  }

  /** What opening this store anew would find. */
  loaded(): LoadedStore {
    return {
      incarnation: this.#incarnation,
      cluster: this.#cluster,
      hardState: this.#hardState,
      entries: [...this.#entries],
    };
  }

  append(write: LogWrite, done: (error: StorageError | undefined) => void): void {
    this.#assertReady();
    assertContinues({ hardState: this.#hardState, lastIndex: this.#entries.length }, write);
    const kept = (write.truncateFrom ?? this.#entries.length + 1) - 1;
    assertTermContinues(this.#entries[kept - 1]?.term ?? 0, write);
    this.#later(done, () => {
      this.#hardState = write.hardState ?? this.#hardState;
      this.#entries.length = kept;
      for (const entry of write.entries) this.#entries.push(entry);
    });
  }

  saveIdentity(identity: ClusterIdentity, done: (error: StorageError | undefined) => void): void {
    this.#assertReady();
    assert(this.#cluster === undefined, 'the cluster identity is stored once');
    this.#later(done, () => {
      this.#cluster = identity;
    });
  }

  close(done: () => void): void {
    assert(!this.#isClosed, 'closed twice');
    this.#isClosed = true;
    if (this.#isWriting) this.#whenIdle = done;
    else queueMicrotask(done);
  }

  #assertReady(): void {
    assert(!this.#isClosed, 'a write after close');
    assert(!this.#isWriting, 'one write in flight at a time');
  }

  /** Lands as a whole, and then tells; never inside the call. */
  #later(done: (error: StorageError | undefined) => void, land: () => void): void {
    this.#isWriting = true;
    queueMicrotask(() => {
      land();
      this.#isWriting = false;
      done(undefined);
      const whenIdle = this.#whenIdle;
      this.#whenIdle = undefined;
      whenIdle?.();
    });
  }
}
