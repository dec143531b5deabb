import { type Entry, type HardState, type LogIndex, type LogWrite, NO_INDEX } from '@raftd/raft';
import type { Agenda, Booking } from '../../world/agenda.js';
import type { DiskProbe } from '../../world/cluster-probe.js';
import { type DiskWrite, SimulatedDisk } from '../../world/disk.js';
import type { DriverFault } from '../../world/driver-fault.js';
import type { RandomStream } from '../../world/random.js';
import type { Landed } from '../command.js';
import type { FaultKind } from '../fault-kind.js';
import { DiskFault } from './disk-fault.js';
import { type DiskContent, recover, type Recovered } from './recover.js';

export interface StormDiskOptions {
  readonly name: string;
  readonly agenda: Agenda;
  /** Decides how long each write takes, and what a failed one left behind. */
  readonly draws: RandomStream;
  readonly writeMs: readonly [low: number, high: number];
  readonly faults: ReadonlySet<DriverFault>;
  /** A fault did something. */
  readonly onFault: (kind: FaultKind) => void;
}

interface PendingWrite {
  readonly content: DiskWrite;
  readonly done: (error: DiskFault | undefined) => void;
  readonly booking: Booking;
}

/** What a power cut did to the write in flight. */
export interface DiskLoss {
  readonly lostWrites: number;
  /** The write that had landed although nobody was told. */
  readonly landed: DiskWrite | undefined;
}

/** Of the writes that fail, those whose content is there nevertheless, per cent. */
const FAILED_YET_LANDED_PERCENT = 50;

/**
 * The disk of one machine. One write is in flight; it is durable when it completes, and then its
 * owner is told. It survives its processes and power cuts, and it can be slow, full, failing,
 * damaged or emptied.
 */
export class StormDisk implements DiskProbe {
  readonly #options: StormDiskOptions;
  #content: SimulatedDisk;
  /** What a damaged or emptied disk had acknowledged: durable once, and for what was said of it. */
  #former: SimulatedDisk | undefined;
  /** How many times this machine got an empty disk. */
  #generation = 1;
  #sealedBatch = 0;
  #markedBatch = 0;
  #torn: DiskWrite | undefined;
  /** Where the entries of the last batch begin. */
  #lastBatchFrom: LogIndex = NO_INDEX;
  #damagedIndex: number | undefined;
  #pending: PendingWrite | undefined;
  #extraMs = 0;
  #isFull = false;
  #failsNext = false;

  constructor(options: StormDiskOptions) {
    this.#options = options;
    this.#content = this.#empty();
  }

  // ---- what checkers read ----

  get hardState(): HardState {
    return (this.#former ?? this.#content).hardState;
  }

  get lastIndex(): number {
    return (this.#former ?? this.#content).lastIndex;
  }

  entryAt(index: LogIndex): Entry | undefined {
    return (this.#former ?? this.#content).entryAt(index);
  }

  get hasIdentity(): boolean {
    return this.#content.durable.identity !== undefined;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The log ends with the beginning of a batch. */
  get hasTornTail(): boolean {
    return this.#torn !== undefined;
  }

  /** A record does not add up, or the end of the log is lost: the next start must refuse. */
  get isDamaged(): boolean {
    return this.#damagedIndex !== undefined || this.#sealedBatch < this.#markedBatch;
  }

  get isWriting(): boolean {
    return this.#pending !== undefined;
  }

  // ---- what a process does ----

  /** Opens the data directory as the real storage does, with what that cuts off. */
  open(): Recovered {
    const { hardState, entries, identity } = this.#content.durable;
    const recovered = recover({
      incarnation: `${this.#options.name}-${this.#generation}`,
      cluster: identity,
      hardState,
      entries: entries.slice(),
      sealedBatch: this.#sealedBatch,
      markedBatch: this.#markedBatch,
      torn: this.#torn,
      damagedIndex: this.#damagedIndex,
    });
    if (recovered.type === 'opened') this.#settle(recovered.content);
    return recovered;
  }

  /** One synced batch. `done` exactly once and later, unless the power is cut before. */
  write(content: DiskWrite, done: (error: DiskFault | undefined) => void): void {
    if (this.#pending !== undefined) throw new Error('one write in flight at a time');
    const { agenda, draws, writeMs } = this.#options;
    const tookMs = draws.between(writeMs[0], writeMs[1]) + this.#extraMs;
    if (this.#extraMs > 0) this.#options.onFault('disk-stall');
    const booking = agenda.at(agenda.nowMs + tookMs, () => {
      this.#complete();
    });
    this.#pending = { content, done, booking };
  }

  // ---- what befalls it ----

  /** The machine lost power or its process died: nobody hears of the write in flight. */
  cut(landed: Landed): DiskLoss {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.booking.cancel();
    const hasLanded = pending !== undefined && landed === 'whole';
    if (hasLanded) this.#land(pending.content);
    if (pending !== undefined && landed === 'torn') {
      this.#torn = pending.content;
      this.#options.onFault('torn-write');
    }
    const lostWrites = this.#content.crash(0) + (pending === undefined || hasLanded ? 0 : 1);
    this.#forget();
    return { lostWrites, landed: hasLanded ? pending.content : undefined };
  }

  /** The write in flight fails, or else the next one. */
  failWrite(): void {
    this.#failsNext = true;
  }

  stall(extraMs: number): void {
    this.#extraMs = extraMs;
  }

  fill(): void {
    this.#isFull = true;
  }

  free(): void {
    this.#isFull = false;
  }

  /** As new: whatever was ordered of it is over. */
  heal(): void {
    this.#extraMs = 0;
    this.#isFull = false;
    this.#failsNext = false;
  }

  /**
   * A durable record changes. `fraction` says how far into the log; its end is lost at 1. Of the
   * record of the owner, at 0, nothing is modelled but that it does not add up.
   */
  corrupt(fraction: number): boolean {
    if (this.#sealedBatch === 0 || this.isDamaged) return false;
    const records = this.#content.lastIndex + 1;
    const at = Math.min(Math.floor(fraction * (records + 1)), records);
    this.#former ??= this.#content;
    this.#content = this.#content.copy();
    if (at === records) {
      this.#content.loseFrom(this.#lastBatchFrom);
      this.#sealedBatch = this.#markedBatch - 1;
    } else {
      if (at > 0) this.#content.flipBit(at as LogIndex);
      this.#damagedIndex = at;
    }
    return true;
  }

  /** Another disk, empty, in the same machine. */
  wipe(): void {
    this.#former ??= this.#content;
    this.#content = this.#empty();
    this.#generation += 1;
    this.#sealedBatch = 0;
    this.#markedBatch = 0;
    this.#torn = undefined;
    this.#lastBatchFrom = NO_INDEX;
    this.#damagedIndex = undefined;
  }

  #empty(): SimulatedDisk {
    return new SimulatedDisk({ lies: this.#options.faults.has('lying-disk') });
  }

  #complete(): void {
    const pending = this.#pending;
    if (pending === undefined) throw new Error('a write completes that nobody began');
    this.#pending = undefined;
    const fault = this.#takeFault();
    if (fault !== undefined) {
      const landed = this.#options.draws.percent(FAILED_YET_LANDED_PERCENT);
      if (landed && fault.code === 'DISK_FAILED') this.#land(pending.content);
      pending.done(fault);
      return;
    }
    this.#land(pending.content);
    this.#markedBatch = this.#sealedBatch;
    pending.done(undefined);
  }

  #takeFault(): DiskFault | undefined {
    if (this.#failsNext) {
      this.#failsNext = false;
      this.#options.onFault('write-failure');
      return new DiskFault('DISK_FAILED');
    }
    if (!this.#isFull) return undefined;
    this.#options.onFault('disk-full');
    return new DiskFault('DISK_FULL');
  }

  #land(content: DiskWrite): void {
    if (content.type === 'log') this.#former = undefined;
    this.#lastBatchFrom = firstIndexOf(content, this.#content.lastIndex);
    this.#sealedBatch += 1;
    this.#content.append(content, 0, () => undefined);
    this.#content.completeNext();
  }

  /** What recovery decided is what is there from now on. */
  #settle({ entries, hardState, cluster }: DiskContent): void {
    this.#torn = undefined;
    this.#markedBatch = this.#sealedBatch;
    const { durable, lastIndex } = this.#content;
    if (cluster !== undefined && durable.identity === undefined) {
      this.#apply({ type: 'identity', identity: cluster });
    }
    if (entries.length === lastIndex && hardState === durable.hardState) return;
    const kept = Math.min(entries.length, lastIndex);
    const write: LogWrite = {
      hardState,
      truncateFrom: (kept + 1) as LogIndex,
      entries: entries.slice(kept),
      lastIndex: entries.length as LogIndex,
      lastTerm: entries.at(-1)?.term ?? hardState.term,
    };
    this.#apply({ type: 'log', write });
  }

  #apply(content: DiskWrite): void {
    this.#content.append(content, 0, () => undefined);
    this.#content.completeNext();
  }

  #forget(): void {
    const { faults } = this.#options;
    if (faults.has('tail-forgotten')) this.#content.loseLastEntry();
    if (faults.has('vote-forgotten')) this.#content.alterHardState({ votedFor: undefined });
    if (faults.has('promise-forgotten')) this.#content.alterHardState({ promiseMs: 0 });
  }
}

/** Where the entries that a write adds begin; behind the end of the log if it adds none. */
function firstIndexOf(content: DiskWrite, lastIndex: number): LogIndex {
  const first = content.type === 'log' ? content.write.entries[0]?.index : undefined;
  return first ?? ((lastIndex + 1) as LogIndex);
}
