import type { ClusterIdentity, Entry, HardState, LogIndex, LogWrite } from '@raftd/raft';
import { NO_TERM } from '@raftd/raft';

/** What survives a power cut. */
export interface Durable {
  readonly hardState: HardState;
  readonly entries: readonly Entry[];
  /** Undefined until one was saved. */
  readonly identity: ClusterIdentity | undefined;
}

/** One synced batch: all of it lands, or nothing. */
export type DiskWrite =
  | { readonly type: 'log'; readonly write: LogWrite }
  | { readonly type: 'identity'; readonly identity: ClusterIdentity };

interface PendingWrite {
  readonly content: DiskWrite;
  readonly dueMs: number;
  readonly done: () => void;
}

const EMPTY_HARD_STATE: HardState = { term: NO_TERM, votedFor: undefined, promiseMs: 0 };

/** Completed writes that a disk which lies about its cache may still lose. */
const LYING_CACHE_WRITES = 3;

/**
 * A disk that tells synced from unsynced data: a write is durable only once it completes. A
 * crash loses what was not completed, except that the write in flight may have landed without
 * anybody having been told. One write is atomic, as the store's batch is.
 */
export class SimulatedDisk {
  #hardState: HardState = EMPTY_HARD_STATE;
  #identity: ClusterIdentity | undefined;
  readonly #entries: Entry[] = [];
  readonly #pending: PendingWrite[] = [];
  readonly #cache: DiskWrite[] = [];
  readonly #lies: boolean;

  /** A lying disk acknowledges before anything is safe: a planted fault for the checkers. */
  constructor(options: { readonly lies: boolean } = { lies: false }) {
    this.#lies = options.lies;
  }

  /** What is durable now. A live view: read it, never keep it. */
  get durable(): Durable {
    return { hardState: this.#hardState, entries: this.#entries, identity: this.#identity };
  }

  get hardState(): HardState {
    return this.#hardState;
  }

  get lastIndex(): number {
    return this.#entries.length;
  }

  entryAt(index: LogIndex): Entry | undefined {
    return this.#entries[index - 1];
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  get nextDueMs(): number | undefined {
    return this.#pending[0]?.dueMs;
  }

  append(content: DiskWrite, dueMs: number, done: () => void): void {
    this.#pending.push({ content, dueMs, done });
  }

  /** Completes the oldest write: it is durable, and its owner is told. */
  completeNext(): void {
    const pending = this.#pending.shift();
    if (pending === undefined) return;
    this.#land(pending.content);
    pending.done();
  }

  /**
   * Power cut. `landed`: how many of the writes in flight had reached the disk, oldest first,
   * although nobody was told. Returns how many are gone.
   */
  crash(landed: number): number {
    for (const pending of this.#pending.splice(0, landed)) this.#land(pending.content);
    const lost = this.#cache.length + this.#pending.length;
    this.#cache.length = 0;
    this.#pending.length = 0;
    return lost;
  }

  /** Another disk with what is durable here; what a lying one keeps in its cache is not. */
  copy(): SimulatedDisk {
    const copy = new SimulatedDisk({ lies: this.#lies });
    copy.#hardState = this.#hardState;
    copy.#identity = this.#identity;
    copy.#entries.push(...this.#entries);
    return copy;
  }

  /** Damage: one bit of the payload of an entry, or of its cluster time where it has none. */
  flipBit(index: LogIndex): void {
    const entry = this.entryAt(index);
    if (entry === undefined) throw new Error(`no entry ${index} to damage`);
    const payload = entry.payload.slice();
    const at = payload.length >> 1;
    payload[at] = (payload[at] ?? 0) ^ 1;
    const clusterTimeMs = entry.clusterTimeMs + (payload.length === 0 ? 1 : 0);
    this.#entries[index - 1] = { ...entry, payload, clusterTimeMs };
  }

  /** Damage: what the last write added to the log is gone. */
  loseFrom(index: LogIndex): void {
    this.#entries.length = Math.min(this.#entries.length, index - 1);
  }

  /** Damage for planted faults: the hard state comes back altered. */
  alterHardState(change: Partial<HardState>): void {
    this.#hardState = { ...this.#hardState, ...change };
  }

  /** Damage for planted faults: the last entry is gone, without a trace. */
  loseLastEntry(): void {
    this.#entries.pop();
  }

  #land(content: DiskWrite): void {
    if (!this.#lies) {
      this.#apply(content);
      return;
    }
    this.#cache.push(content);
    if (this.#cache.length <= LYING_CACHE_WRITES) return;
    const oldest = this.#cache.shift();
    if (oldest !== undefined) this.#apply(oldest);
  }

  #apply(content: DiskWrite): void {
    if (content.type === 'identity') {
      this.#identity = content.identity;
      return;
    }
    const { hardState, truncateFrom, entries } = content.write;
    if (hardState !== undefined) this.#hardState = hardState;
    if (truncateFrom !== undefined) this.#entries.length = truncateFrom - 1;
    for (const entry of entries) {
      if (entry.index !== this.#entries.length + 1) {
        throw new Error(`write leaves a gap: ${entry.index} after ${this.#entries.length}`);
      }
      this.#entries.push(entry);
    }
  }
}
