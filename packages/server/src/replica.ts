import {
  type ConfirmedRead,
  type Entry,
  type EntryKind,
  type LogIndex,
  type LogWrite,
  type Message,
  type NodeId,
  NO_INDEX,
  type Proposed,
  type ProposeOptions,
  type Raft,
  type Ready,
  type Role,
  type Term,
} from '@raftd/raft';
import { ApplyQueue } from './apply-queue.js';
import type { ClusterClock } from './cluster-clock.js';
import { NodeFault } from './faults.js';
import type { Ports } from './ports.js';
import type { ReadSource } from './reads.js';

/** A turn that goes on applying what an earlier `Ready` committed. */
const NOTHING_NEW: Ready = {
  write: undefined,
  messages: [],
  messagesAfterWrite: [],
  committed: [],
  confirmedReads: [],
  abortedReads: [],
};

/** What the loop calls, in this order within a turn. */
export interface ReplicaHandlers {
  /** Everything that arrived is in; last chance to ask for reads before the outputs are taken. */
  beforePump(nowMs: number): void;
  /** Throws where the node must stop. */
  apply(entries: readonly Entry[]): void;
  readConfirmed(readId: number): void;
  readAborted(readId: number): void;
  /** Outputs are handed over and applied: role changes, replies, events. */
  afterPump(nowMs: number): void;
  /** The node ends here: whoever waits is told that the outcome is unknown. */
  failed(): void;
}

interface WriteInFlight {
  readonly write: LogWrite;
  readonly messagesAfterWrite: readonly Message[];
}

/**
 * The replica loop: the only code that calls `raft`. Inputs (peer messages, proposals, reads,
 * time, write completions) change the core and mark the turn; one turn runs once all input that
 * is already here has been taken, which is where batches form. A completed write runs its turn
 * at once, so that nothing waits between the disk and the network.
 */
export class Replica implements ReadSource {
  readonly #raft: Raft;
  readonly #ports: Ports;
  readonly #clusterClock: ClusterClock;
  readonly #handlers: ReplicaHandlers;
  #appliedIndex: LogIndex = NO_INDEX;
  #writing: WriteInFlight | undefined;
  readonly #applyQueue = new ApplyQueue();
  /** Confirmed by a quorum, index not applied yet. */
  #confirmed: readonly ConfirmedRead[] = [];
  #turnQueued = false;
  #stopped = false;
  #onIdle: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(raft: Raft, ports: Ports, clusterClock: ClusterClock, handlers: ReplicaHandlers) {
    this.#raft = raft;
    this.#ports = ports;
    this.#clusterClock = clusterClock;
    this.#handlers = handlers;
  }

  // ---- what others may know ----

  get role(): Role {
    return this.#raft.state.role.type;
  }

  get term(): Term {
    return this.#raft.state.hardState.term;
  }

  get commitIndex(): LogIndex {
    return this.#raft.state.commitIndex;
  }

  get appliedIndex(): LogIndex {
    return this.#appliedIndex;
  }

  get leader(): NodeId | undefined {
    return this.#raft.leader();
  }

  /** What is applied here is current but for what is on its way: no restart, no partition. */
  isUpToDate(nowMs: number): boolean {
    return this.#raft.isUpToDate(nowMs);
  }

  /** Cluster time of the last entry of the log, committed or not. */
  get lastStampMs(): number {
    return this.#raft.state.log.entries.at(-1)?.clusterTimeMs ?? 0;
  }

  /** A quorum, this node included, answered within the last election time-out. */
  hearsQuorum(nowMs: number): boolean {
    const { role, membership, options } = this.#raft.state;
    if (role.type !== 'leader') return false;
    const since = nowMs - options.electionTimeoutMs;
    let heard = 1;
    for (const peer of role.progress) if (peer.contactMs >= since) heard += 1;
    return heard * 2 > membership.voters.length;
  }

  // ---- inputs ----

  onMessages(messages: readonly Message[]): void {
    if (this.#stopped) return;
    const nowMs = this.#ports.clock.monotonicMs();
    for (const message of messages) this.#raft.step(message, nowMs);
    this.wake();
  }

  /** Stamps and proposes; only a leader whose cluster clock runs may call it. */
  propose(
    payload: Uint8Array,
    kind: EntryKind,
    nowMs: number,
    options: ProposeOptions = {},
  ): Proposed {
    const clusterTimeMs = this.#clusterClock.read(nowMs);
    const proposed = this.#raft.propose(payload, kind, clusterTimeMs, nowMs, options);
    if (proposed.type === 'accepted') this.wake();
    return proposed;
  }

  readIndex(): ReturnType<ReadSource['readIndex']> {
    const requested = this.#raft.readIndex(this.#ports.clock.monotonicMs());
    return requested.type === 'accepted' ? requested.readId : requested.code;
  }

  leaseReadIndex(): LogIndex | undefined {
    return this.#raft.leaseReadIndex(this.#ports.clock.monotonicMs());
  }

  /** Queues one turn behind the input that is already here. */
  wake(): void {
    if (this.#turnQueued || this.#stopped) return;
    this.#turnQueued = true;
    this.#ports.timers.defer(this.#queuedTurn);
  }

  /** Takes no more input; `done` once no write is in flight. */
  stop(done: () => void): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#writing === undefined) done();
    else this.#onIdle = done;
  }

  // ---- the turn ----

  readonly #queuedTurn = (): void => {
    this.#turnQueued = false;
    this.#turn();
  };

  #turn(): void {
    if (this.#stopped) return;
    const nowMs = this.#ports.clock.monotonicMs();
    // A loop that stood still learns so before it serves anything (lost time, DESIGN §4).
    if (nowMs >= this.#deadlineMs()) this.#raft.tick(nowMs);
    this.#handlers.beforePump(nowMs);
    this.#pump();
    if (this.#stopped) return;
    this.#handlers.afterPump(nowMs);
    this.#armTimer(nowMs);
  }

  /**
   * Obeys each Ready, in this order and nowhere else. The durability rule: what is in
   * `messagesAfterWrite` (votes, acknowledgements, own campaigns) says that something is on this
   * disk, so it leaves only after (a) is durable; a leader's appends are in `messages` and leave
   * beside its own write (§10.2.1); `committed` holds only what a quorum and this disk have.
   */
  #pump(): void {
    this.#applyQueue.beginTurn();
    for (;;) {
      const ready = this.#raft.ready() ?? (this.#applyQueue.isEmpty ? undefined : NOTHING_NEW);
      if (ready === undefined) return;
      this.#append(ready);
      this.#send(ready.messages);
      const more = this.#apply(ready.committed);
      if (this.#stopped) return;
      this.#complete(ready);
      if (more) return this.wake();
    }
  }

  #append(ready: Ready): void {
    const { write, messagesAfterWrite } = ready;
    if (write === undefined) return;
    if (this.#writing !== undefined) throw new Error('replica: a second write in flight');
    this.#writing = { write, messagesAfterWrite };
    this.#ports.storage.append(write, this.#onWritten);
  }

  #send(messages: readonly Message[]): void {
    for (const message of messages) this.#ports.peers.send(message);
  }

  /** True: more is committed than one turn applies; the next one goes on. */
  #apply(committed: readonly Entry[]): boolean {
    this.#applyQueue.add(committed);
    for (;;) {
      const entries = this.#applyQueue.take();
      const last = entries?.at(-1);
      if (entries === undefined || last === undefined) return !this.#applyQueue.isEmpty;
      try {
        this.#handlers.apply(entries);
      } catch (error) {
        this.#fail(new NodeFault('APPLY_FAILED', `apply failed: ${String(error)}`, error));
        return false;
      }
      this.#appliedIndex = last.index;
      this.#raft.applied(last.index);
    }
  }

  #complete(ready: Ready): void {
    for (const readId of ready.abortedReads) this.#handlers.readAborted(readId);
    if (ready.confirmedReads.length > 0) {
      this.#confirmed =
        this.#confirmed.length === 0
          ? ready.confirmedReads
          : [...this.#confirmed, ...ready.confirmedReads];
    }
    if (this.#confirmed.length === 0) return;
    const later: ConfirmedRead[] = [];
    for (const read of this.#confirmed) {
      if (read.index <= this.#appliedIndex) this.#handlers.readConfirmed(read.readId);
      else later.push(read);
    }
    this.#confirmed = later;
  }

  readonly #onWritten = (error: Error | undefined): void => {
    const written = this.#writing;
    if (written === undefined) throw new Error('replica: a write completed twice');
    this.#writing = undefined;
    if (error !== undefined) {
      this.#fail(new NodeFault('STORAGE_FAILED', `the log write failed: ${error.message}`, error));
      return;
    }
    if (this.#stopped) {
      this.#onIdle?.();
      return;
    }
    const { write, messagesAfterWrite } = written;
    this.#send(messagesAfterWrite);
    this.#raft.persisted(write.lastTerm, write.lastIndex, this.#ports.clock.monotonicMs());
    this.#turn();
  };

  /** Fail-stop: nothing more leaves this node, and nothing more is promised. */
  #fail(fault: NodeFault): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#handlers.failed();
    this.#ports.fatal(fault);
  }

  // ---- time ----

  #deadlineMs(): number {
    return this.#raft.nextDeadlineMs() ?? Number.POSITIVE_INFINITY;
  }

  /** One timer: it is moved only when it would fire too late; firing early costs one turn. */
  #armTimer(nowMs: number): void {
    const deadlineMs = this.#deadlineMs();
    if (deadlineMs >= this.#timerAtMs) return;
    this.#cancelTimer?.();
    this.#timerAtMs = deadlineMs;
    const delayMs = Math.max(0, Math.ceil(deadlineMs - nowMs));
    this.#cancelTimer = this.#ports.timers.after(delayMs, this.#onTimer);
  }

  readonly #onTimer = (): void => {
    this.#cancelTimer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    this.#turn();
  };

  /** The first turn: arms the timer, and tells the core the time. */
  start(): void {
    this.#turn();
  }
}
