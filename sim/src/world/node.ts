import type {
  ConfirmedRead,
  Entry,
  LoadedState,
  LogIndex,
  LogWrite,
  Message,
  NodeId,
  Raft,
  Ready,
} from '@raftd/raft';
import { NO_INDEX } from '@raftd/raft';
import type { NodeClock } from './clock.js';
import type { NodeProbe } from './cluster-probe.js';
import type { CoreView } from './core-view.js';
import { CoreWatch } from './core-watch.js';
import type { SimulatedDisk } from './disk.js';
import type { DriverFault } from './driver-fault.js';
import type { Cause, ReadKind, ReadOutcome, WorldEvent } from './events.js';
import { LogMirror } from './log-mirror.js';

/** Everything that can reach a node; what reaches a frozen one waits. */
export type Input =
  | { readonly type: 'message'; readonly message: Message }
  /** Without `clusterTimeMs` time goes on by a millisecond. */
  | {
      readonly type: 'propose';
      readonly payload: Uint8Array;
      readonly clusterTimeMs?: number;
    }
  | { readonly type: 'read'; readonly kind: ReadKind; readonly floorIndex: LogIndex }
  | { readonly type: 'written'; readonly write: LogWrite; readonly held: readonly Message[] };

/** What the world lends to a node. */
export interface NodeSurroundings {
  readonly clock: NodeClock;
  readonly disk: SimulatedDisk;
  readonly faults: ReadonlySet<DriverFault>;
  trueMs(): number;
  /** True time at which a write begun now completes. */
  writeDueMs(): number;
  send(message: Message): void;
  observe(event: WorldEvent): void;
  createCore(loaded: LoadedState, life: number): Raft;
}

/** Inputs a frozen node keeps for later, as its socket buffers would. */
const INBOX_MAX = 128;
/** Readies in a row without an input between: more is a core that never comes to rest. */
const READY_MAX = 100;

/**
 * A node that drives the real core by the rules of `Ready`, over a simulated disk and clock.
 * It decides nothing: the durability order is the whole of it.
 */
export class RaftNode implements NodeProbe {
  readonly id: NodeId;
  readonly #voters: readonly NodeId[];
  readonly #around: NodeSurroundings;
  readonly #log = new LogMirror();
  #core: Raft | undefined;
  #watch: CoreWatch | undefined;
  #life = 0;
  #frozenAtMs: number | undefined;
  #inbox: Input[] = [];
  #floors = new Map<number, LogIndex>();
  #confirmed: ConfirmedRead[] = [];
  #wakeDueMs: number | undefined;
  #wokenAtMs = Number.NEGATIVE_INFINITY;

  constructor(id: NodeId, voters: readonly NodeId[], around: NodeSurroundings) {
    this.id = id;
    this.#voters = voters;
    this.#around = around;
  }

  get disk(): SimulatedDisk {
    return this.#around.disk;
  }

  get view(): CoreView | undefined {
    return this.#watch?.view;
  }

  get log(): LogMirror {
    return this.#log;
  }

  get elapsedMs(): number {
    return this.#around.clock.elapsedMs;
  }

  get isUp(): boolean {
    return this.#core !== undefined;
  }

  get isFrozen(): boolean {
    return this.#frozenAtMs !== undefined;
  }

  /** True time of the node's next timer; a node that is down or frozen has none. */
  get wakeDueMs(): number | undefined {
    return this.isFrozen ? undefined : this.#wakeDueMs;
  }

  leaseHeld(): boolean {
    return this.#core?.leaseReadIndex(this.#around.clock.nowMs) !== undefined;
  }

  /** Starts a life from what is durable. */
  boot(): void {
    this.#life += 1;
    this.#core = this.#around.createCore(this.#load(), this.#life);
    this.#watch = new CoreWatch(this.id, this.#core, this.#log, (event) => {
      this.#around.observe(event);
    });
    this.#turn({ type: 'boot' }, () => {});
  }

  /** Power cut: memory is gone, and of the disk what had not landed. */
  crash(landed: number): void {
    if (this.#core === undefined) return;
    this.#core = undefined;
    this.#watch = undefined;
    this.#frozenAtMs = undefined;
    this.#wakeDueMs = undefined;
    this.#inbox = [];
    this.#floors.clear();
    this.#confirmed = [];
    const pending = this.disk.pendingCount;
    const lost = this.disk.crash(landed);
    this.#forget();
    this.#around.observe({
      type: 'crashed',
      node: this.id,
      lostWrites: lost,
      landedWrites: Math.min(landed, pending),
    });
  }

  /** SIGSTOP: time passes, nothing is handled. */
  freeze(): void {
    if (this.#core === undefined || this.isFrozen) return;
    this.#frozenAtMs = this.#around.trueMs();
    this.#around.observe({ type: 'frozen', node: this.id });
  }

  /** SIGCONT: what waited is handled; a loop may see its timers or its sockets first. */
  thaw(options: { readonly timersFirst: boolean }): void {
    if (this.#frozenAtMs === undefined) return;
    const frozenMs = this.#around.trueMs() - this.#frozenAtMs;
    this.#frozenAtMs = undefined;
    this.#around.observe({ type: 'thawed', node: this.id, frozenMs });
    const inbox = this.#inbox;
    this.#inbox = [];
    if (options.timersFirst) this.wake();
    for (const input of inbox) this.give(input);
    if (!options.timersFirst) this.wake();
  }

  wake(): void {
    this.#wokenAtMs = this.#around.trueMs();
    this.#turn({ type: 'tick' }, (core, nowMs) => {
      core.tick(nowMs);
    });
  }

  /** Hands an input over. A node that is down never sees it. */
  give(input: Input): void {
    if (this.#core === undefined) return;
    if (this.isFrozen) {
      if (input.type === 'written' || this.#inbox.length < INBOX_MAX) this.#inbox.push(input);
      return;
    }
    switch (input.type) {
      case 'message':
        this.#turn({ type: 'message', message: input.message }, (core, nowMs) => {
          core.step(input.message, nowMs);
        });
        return;
      case 'propose':
        this.#propose(input.payload, input.clusterTimeMs ?? this.#nextClusterTimeMs());
        return;
      case 'read':
        this.#read(input.kind, input.floorIndex);
        return;
      case 'written':
        this.#onWritten(input.write, input.held);
        return;
    }
  }

  /** One input: the core moves, everybody looks, its outputs are carried out. */
  #turn(cause: Cause, act: (core: Raft, nowMs: number) => void): void {
    const core = this.#core;
    const watch = this.#watch;
    if (core === undefined || watch === undefined) return;
    const before = cause.type === 'boot' ? undefined : watch.before();
    act(core, this.#around.clock.nowMs);
    watch.stepped(cause, before);
    this.#drain(core);
    this.#setTimer(core);
  }

  /** Carries out every Ready, in the order the contract names. */
  #drain(core: Raft): void {
    for (let count = 0; ; count += 1) {
      const ready = core.ready();
      if (ready === undefined) return;
      if (count > READY_MAX) throw new Error(`${this.id} never runs out of readies`);
      this.#persist(core, ready);
      for (const message of ready.messages) this.#send(message);
      this.#apply(core, ready.committed);
      this.#abortReads(ready.abortedReads);
      this.#confirmed.push(...ready.confirmedReads);
      this.#serveReads();
    }
  }

  #persist(core: Raft, ready: Ready): void {
    const { write, messagesAfterWrite } = ready;
    if (write === undefined) {
      if (messagesAfterWrite.length > 0) throw new Error('messages wait for a write of nothing');
      return;
    }
    const isEarly = this.#around.faults.has('persisted-early');
    if (this.disk.pendingCount > 0 && !isEarly)
      throw new Error(`${this.id} has two writes in flight`);
    const early = this.#around.faults.has('messages-before-write');
    if (early) for (const message of messagesAfterWrite) this.#send(message);
    const held = early ? [] : messagesAfterWrite;
    const life = this.#life;
    this.#around.observe({ type: 'write-started', node: this.id, write });
    this.disk.append({ type: 'log', write }, this.#around.writeDueMs(), () => {
      this.#around.observe({ type: 'write-done', node: this.id, write });
      if (life === this.#life) this.give({ type: 'written', write, held });
    });
    if (isEarly) {
      core.persisted(write.lastTerm, write.lastIndex, this.#around.clock.nowMs);
    }
  }

  #onWritten(write: LogWrite, held: readonly Message[]): void {
    for (const message of held) this.#send(message);
    this.#turn({ type: 'persisted' }, (core, nowMs) => {
      core.persisted(write.lastTerm, write.lastIndex, nowMs);
    });
  }

  #send(message: Message): void {
    this.#around.observe({ type: 'sent', message });
    this.#around.send(message);
  }

  #apply(core: Raft, committed: readonly Entry[]): void {
    const times = this.#around.faults.has('applied-twice') ? 2 : 1;
    for (const entry of committed) {
      for (let time = 0; time < times; time += 1) {
        this.#around.observe({ type: 'applied', node: this.id, entry });
      }
    }
    const last = committed.at(-1);
    if (last !== undefined) core.applied(last.index);
  }

  #propose(payload: Uint8Array, stampMs: number): void {
    this.#turn({ type: 'propose' }, (core, nowMs) => {
      const proposed = core.propose(payload, 'command', stampMs, nowMs);
      const outcome = proposed.type === 'accepted' ? 'accepted' : proposed.code;
      this.#around.observe({ type: 'proposed', node: this.id, outcome });
    });
  }

  /** Cluster time goes on from the last stamp in the log, as the real driver's does. */
  #nextClusterTimeMs(): number {
    const { view } = this;
    const last = view?.entryAt(view.lastIndex);
    return (last?.clusterTimeMs ?? 0) + 1;
  }

  #read(kind: ReadKind, floorIndex: LogIndex): void {
    if (kind === 'lease') {
      this.#answer(kind, floorIndex, this.#leaseRead());
      return;
    }
    if (this.#around.faults.has('read-unconfirmed') && this.view?.role === 'leader') {
      this.#answer(kind, floorIndex, this.#served(this.view.commitIndex));
      return;
    }
    let accepted = false;
    this.#turn({ type: 'read' }, (core, nowMs) => {
      const requested = core.readIndex(nowMs);
      accepted = requested.type === 'accepted';
      if (requested.type === 'accepted') this.#floors.set(requested.readId, floorIndex);
    });
    if (!accepted) this.#answer(kind, floorIndex, { type: 'refused' });
  }

  /** The lease is read again after the reply was built, as the contract asks. */
  #leaseRead(): ReadOutcome {
    if (this.#around.faults.has('lease-unchecked') && this.view?.role === 'leader') {
      return this.#served(this.view.commitIndex);
    }
    const readIndex = this.#core?.leaseReadIndex(this.#around.clock.nowMs);
    if (readIndex === undefined || readIndex > this.#appliedIndex()) return { type: 'refused' };
    const reply = this.#served(readIndex);
    return this.leaseHeld() ? reply : { type: 'refused' };
  }

  #served(readIndex: LogIndex): ReadOutcome {
    return { type: 'served', readIndex, appliedIndex: this.#appliedIndex() };
  }

  #appliedIndex(): LogIndex {
    return this.view?.appliedIndex ?? NO_INDEX;
  }

  #serveReads(): void {
    const waiting: ConfirmedRead[] = [];
    for (const read of this.#confirmed) {
      if (read.index > this.#appliedIndex()) waiting.push(read);
      else this.#settleRead(read.readId, this.#served(read.index));
    }
    this.#confirmed = waiting;
  }

  #abortReads(readIds: readonly number[]): void {
    for (const readId of readIds) this.#settleRead(readId, { type: 'aborted' });
  }

  #settleRead(readId: number, outcome: ReadOutcome): void {
    const floorIndex = this.#floors.get(readId);
    if (floorIndex === undefined) throw new Error(`${this.id} settled an unknown read ${readId}`);
    this.#floors.delete(readId);
    this.#answer('quorum', floorIndex, outcome);
  }

  #answer(kind: ReadKind, floorIndex: LogIndex, outcome: ReadOutcome): void {
    this.#around.observe({ type: 'read-answered', node: this.id, kind, floorIndex, outcome });
  }

  #setTimer(core: Raft): void {
    const deadlineMs = core.nextDeadlineMs();
    if (deadlineMs === undefined) {
      this.#wakeDueMs = undefined;
      return;
    }
    // A real timer fires at most once a millisecond; this also ends a deadline that never moves.
    this.#wakeDueMs = Math.max(this.#around.clock.trueMsAt(deadlineMs), this.#wokenAtMs + 1);
  }

  #load(): LoadedState {
    const { hardState, entries } = this.disk.durable;
    return { hardState, entries: entries.slice(), membership: { voters: this.#voters } };
  }

  #forget(): void {
    const { faults } = this.#around;
    if (faults.has('tail-forgotten')) this.disk.loseLastEntry();
    if (faults.has('vote-forgotten')) this.disk.alterHardState({ votedFor: undefined });
    if (faults.has('promise-forgotten')) this.disk.alterHardState({ promiseMs: 0 });
  }
}
