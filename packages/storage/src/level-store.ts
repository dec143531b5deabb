import type { ClusterIdentity, HardState, LogWrite } from '@raftd/raft';
import { assert } from './assert.js';
import type { Database, Operation } from './database.js';
import { diskError } from './disk-error.js';
import { IDENTITY_KEY, logKey, SEAL_KEY } from './keys.js';
import type { MarkFile } from './mark.js';
import { encodeDocument, identityChecksum } from './meta.js';
import type { LogPoint } from './run.js';
import { RunEncoder } from './run.js';
import type { RunIndex } from './run-index.js';
import type { Seal } from './seal.js';
import { encodeSeal } from './seal.js';
import type { StorageError } from './storage-error.js';
import type { LogStore } from './store.js';
import { assertContinues, assertTermContinues } from './write-check.js';

type Done = (error: StorageError | undefined) => void;

/** The durable store of one node; made by `openLevelStorage`, which has checked what it holds. */
export class LevelStore implements LogStore {
  readonly #database: Database;
  readonly #mark: Pick<MarkFile, 'write' | 'sync' | 'close'>;
  readonly #runs: RunIndex;
  readonly #encoder: RunEncoder = new RunEncoder();
  /** State after the last write that was started. */
  #seal: Seal;
  #isWriting = false;
  #isClosed = false;
  /** Set by `close` while a write is in flight. */
  #whenIdle: (() => void) | undefined = undefined;
  #failure: StorageError | undefined = undefined;

  constructor(parts: {
    readonly database: Database;
    readonly mark: Pick<MarkFile, 'write' | 'sync' | 'close'>;
    readonly runs: RunIndex;
    readonly seal: Seal;
  }) {
    this.#database = parts.database;
    this.#mark = parts.mark;
    this.#runs = parts.runs;
    this.#seal = parts.seal;
  }

  append(write: LogWrite, done: Done): void {
    if (!this.#begin(done)) return;
    const { hardState, lastIndex: endBefore } = this.#seal;
    assertContinues({ hardState, lastIndex: endBefore }, write);
    const operations: Operation[] = [];
    let before: LogPoint = { chain: this.#seal.chain, term: this.#seal.lastTerm };
    if (write.truncateFrom !== undefined && write.truncateFrom <= endBefore) {
      try {
        before = this.#runs.truncate(write.truncateFrom, this.#database, operations);
      } catch (cause) {
        this.#fail(cause, 'cutting the log', done);
        return;
      }
    }
    assertTermContinues(before.term, write);
    const encoded = this.#encoder.encode(write.entries, before);
    for (const run of encoded.runs) {
      operations.push({ type: 'put', key: logKey(run.firstIndex), value: run.bytes });
      this.#runs.add(run.firstIndex, run.before);
    }
    this.#write(operations, done, {
      ...this.#seal,
      hardState: write.hardState ?? hardState,
      lastIndex: write.lastIndex,
      lastTerm: write.lastTerm,
      chain: encoded.chain,
    });
  }

  saveIdentity(identity: ClusterIdentity, done: Done): void {
    if (!this.#begin(done)) return;
    assert(this.#seal.identity === 0, 'the cluster identity is stored once');
    const value = encodeDocument(identity);
    this.#write([{ type: 'put', key: IDENTITY_KEY, value }], done, {
      ...this.#seal,
      identity: identityChecksum(value),
    });
  }

  close(done: () => void): void {
    assert(!this.#isClosed, 'closed twice');
    this.#isClosed = true;
    if (this.#isWriting) this.#whenIdle = () => this.#release(done);
    else this.#release(done);
  }

  /** False if the store has failed: then `done` hears of it and nothing else happens. */
  #begin(done: Done): boolean {
    assert(!this.#isClosed, 'a write after close');
    assert(!this.#isWriting, 'one write in flight at a time');
    const failure = this.#failure;
    if (failure !== undefined) {
      queueMicrotask(() => done(failure));
      return false;
    }
    return true;
  }

  /** One synced batch, sealed; then the mark; only then is anyone told. */
  #write(operations: Operation[], done: Done, next: Omit<Seal, 'sequence'>): void {
    this.#isWriting = true;
    const before = this.#seal;
    const seal: Seal = { ...next, sequence: before.sequence + 1 };
    this.#seal = seal;
    const encodedSeal = encodeSeal(seal);
    operations.push({ type: 'put', key: SEAL_KEY, value: encodedSeal });
    this.#database.writeSynced(operations).then(
      () => this.#writeMark(encodedSeal, changesVote(before.hardState, seal.hardState), done),
      (cause: unknown) => this.#fail(cause, 'writing the log', done),
    );
  }

  #writeMark(encodedSeal: Buffer, isVote: boolean, done: Done): void {
    try {
      this.#mark.write(encodedSeal);
    } catch (cause) {
      this.#fail(cause, 'writing the mark file', done);
      return;
    }
    if (!isVote) {
      this.#finish(undefined, done);
      return;
    }
    this.#mark.sync((cause) => {
      if (cause === null) this.#finish(undefined, done);
      else this.#fail(cause, 'syncing the mark file', done);
    });
  }

  #fail(cause: unknown, doing: string, done: Done): void {
    const failure = diskError(cause, doing);
    this.#failure = failure;
    queueMicrotask(() => this.#finish(failure, done));
  }

  #finish(error: StorageError | undefined, done: Done): void {
    this.#isWriting = false;
    const whenIdle = this.#whenIdle;
    this.#whenIdle = undefined;
    done(error);
    whenIdle?.();
  }

  #release(done: () => void): void {
    const release = (): void => {
      this.#mark.close();
      done();
    };
    // Everything acknowledged is synced already; a failure to close has nothing left to lose.
    this.#database.close().then(release, release);
  }
}

/** A new term or vote: messages that rely on it must not leave before the mark has it, too. */
function changesVote(before: HardState, after: HardState): boolean {
  return before.term !== after.term || before.votedFor !== after.votedFor;
}
