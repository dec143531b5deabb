import {
  checkInvariants,
  DEFAULT_LIMITS,
  DEFAULT_OPTIONS,
  type ConfirmedRead,
  type Entry,
  type HardState,
  type LogIndex,
  type LogWrite,
  type Message,
  type NodeId,
  Raft,
  type RaftLimits,
  type RaftOptions,
  type Term,
} from '../src/index.js';

export type NodeSettings = Partial<Omit<RaftOptions, 'limits'>> & {
  readonly limits?: Partial<RaftLimits>;
};

export function optionsOf(id: NodeId, settings: NodeSettings = {}): RaftOptions {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits };
  return { ...DEFAULT_OPTIONS, random: () => 0, ...settings, id, limits };
}

export const NO_HARD_STATE: HardState = { term: 0 as Term, votedFor: undefined, promiseMs: 0 };

/** What survives a crash. */
export interface Disk {
  hardState: HardState;
  entries: Entry[];
}

/** One core with a driver that keeps the rules of `Ready`, and a disk that waits to be told. */
export class TestNode {
  readonly id: NodeId;
  readonly voters: readonly NodeId[];
  readonly settings: NodeSettings;
  raft: Raft;
  disk: Disk;
  /** Left the node, in order. */
  sent: Message[] = [];
  applied: Entry[] = [];
  confirmed: ConfirmedRead[] = [];
  aborted: number[] = [];
  #inFlight: { write: LogWrite; after: readonly Message[] } | undefined;

  constructor(
    id: string,
    voters: readonly string[],
    given: { nowMs?: number; disk?: Partial<Disk>; settings?: NodeSettings } = {},
  ) {
    this.id = id as NodeId;
    this.voters = voters as readonly NodeId[];
    this.settings = given.settings ?? {};
    this.disk = { hardState: NO_HARD_STATE, entries: [], ...given.disk };
    this.raft = this.#load(given.nowMs ?? 0);
  }

  #load(nowMs: number): Raft {
    const loaded = { ...this.disk, membership: { voters: this.voters } };
    return new Raft(optionsOf(this.id, this.settings), loaded, nowMs);
  }

  get role(): string {
    return this.raft.state.role.type;
  }

  get term(): number {
    return this.raft.state.hardState.term;
  }

  get commitIndex(): number {
    return this.raft.state.commitIndex;
  }

  /** `1/1 2/1 3/2`: index/term of each entry in memory. */
  get log(): string {
    return describeLog(this.raft.state.log.entries);
  }

  get write(): LogWrite | undefined {
    return this.#inFlight?.write;
  }

  /** Loses memory and whatever write was in flight. */
  restart(nowMs: number): void {
    this.#inFlight = undefined;
    this.sent = [];
    this.applied = [];
    this.raft = this.#load(nowMs);
  }

  step(message: Message, nowMs: number): void {
    this.raft.step(message, nowMs);
    this.pump();
  }

  /** Takes every `Ready` there is. */
  pump(): void {
    checkInvariants(this.raft.state);
    for (let ready = this.raft.ready(); ready !== undefined; ready = this.raft.ready()) {
      if (ready.write !== undefined) {
        this.#inFlight = { write: ready.write, after: ready.messagesAfterWrite };
      }
      this.sent.push(...ready.messages);
      this.applied.push(...ready.committed);
      this.confirmed.push(...ready.confirmedReads);
      this.aborted.push(...ready.abortedReads);
      const last = ready.committed.at(-1);
      if (last !== undefined) this.raft.applied(last.index);
      checkInvariants(this.raft.state);
    }
  }

  /** The write in flight reaches the disk, if there is one. */
  persist(nowMs: number): boolean {
    if (this.#inFlight === undefined) return false;
    const { write, after } = this.#inFlight;
    this.#inFlight = undefined;
    this.disk.hardState = write.hardState ?? this.disk.hardState;
    if (write.truncateFrom !== undefined) this.disk.entries.length = write.truncateFrom - 1;
    this.disk.entries.push(...write.entries);
    this.sent.push(...after);
    this.raft.persisted(write.lastTerm, write.lastIndex, nowMs);
    this.pump();
    return true;
  }

  /** Takes what was sent so far. */
  take(): Message[] {
    const { sent } = this;
    this.sent = [];
    return sent;
  }
}

export function describeLog(entries: readonly Entry[]): string {
  return entries.map((one) => `${one.index}/${one.term}`).join(' ');
}

/** Entries with the given terms, from index 1. */
export function entriesOf(...terms: number[]): Entry[] {
  return terms.map((term, at) => entryOf(at + 1, term));
}

export function entryOf(index: number, term: number, bytes = 1): Entry {
  return {
    index: index as LogIndex,
    term: term as Term,
    kind: 'command',
    clusterTimeMs: 0,
    payload: new Uint8Array(bytes).fill(index % 256),
  };
}

export function hardStateOf(term: number, votedFor?: string, promiseMs = 0): HardState {
  return { term: term as Term, votedFor: votedFor as NodeId | undefined, promiseMs };
}
