import type { ClusterIdentity, Entry, HardState, LogWrite } from '@raftd/raft';
import type { DiskWrite, SimulatedDisk } from './disk.js';

/** What the store held when it was opened. */
export interface SimulatedContent {
  /** Belongs to the disk: another disk, another incarnation. */
  readonly incarnation: string;
  readonly cluster: ClusterIdentity | undefined;
  readonly hardState: HardState;
  readonly entries: readonly Entry[];
}

type Done<Failure> = (error: Failure | undefined) => void;

/** True time at which a write that nothing else completes would be due: never. */
const NEVER_MS = Number.POSITIVE_INFINITY;

/**
 * The store port of the replica over a simulated disk. It keeps the promises of the real one:
 * one write in flight, `done` exactly once and later, and a first error that is final. `Failure`
 * is the error type of the port that it stands in for.
 */
export class SimulatedStore<Failure extends Error = Error> {
  readonly #disk: SimulatedDisk;
  readonly #incarnation: string;
  /** Runs the completion of a write, some time after the call that asked for it returned. */
  readonly #later: (complete: () => void) => void;
  #failure: Failure | undefined;
  #failNext: Failure | undefined;
  #isBusy = false;
  #isClosed = false;
  #onClosed: (() => void) | undefined;

  constructor(
    disk: SimulatedDisk,
    options: { readonly incarnation: string; readonly later: (complete: () => void) => void },
  ) {
    this.#disk = disk;
    this.#incarnation = options.incarnation;
    this.#later = options.later;
  }

  /** What is durable: what a node starts from. */
  load(): SimulatedContent {
    const { hardState, entries, identity } = this.#disk.durable;
    return {
      incarnation: this.#incarnation,
      cluster: identity,
      hardState,
      entries: entries.slice(),
    };
  }

  append(write: LogWrite, done: Done<Failure>): void {
    this.#submit({ type: 'log', write }, done);
  }

  saveIdentity(identity: ClusterIdentity, done: Done<Failure>): void {
    this.#submit({ type: 'identity', identity }, done);
  }

  /** The next write fails with this, and nothing works from then on. */
  failNext(failure: Failure): void {
    this.#failNext = failure;
  }

  close(done: () => void): void {
    if (this.#isClosed) throw new Error('a store is closed once');
    this.#isClosed = true;
    if (this.#isBusy) this.#onClosed = done;
    else this.#later(done);
  }

  #submit(content: DiskWrite, done: Done<Failure>): void {
    if (this.#isClosed) throw new Error('a closed store takes no write');
    if (this.#isBusy) throw new Error('one write in flight at a time');
    this.#isBusy = true;
    const failure = this.#failure ?? this.#failNext;
    if (failure !== undefined) {
      this.#failure = failure;
      this.#later(() => {
        this.#finish(done, failure);
      });
      return;
    }
    this.#disk.append(content, NEVER_MS, () => {
      this.#finish(done, undefined);
    });
    this.#later(() => {
      this.#disk.completeNext();
    });
  }

  #finish(done: Done<Failure>, failure: Failure | undefined): void {
    this.#isBusy = false;
    done(failure);
    this.#onClosed?.();
    this.#onClosed = undefined;
  }
}
