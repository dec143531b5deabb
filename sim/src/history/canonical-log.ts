import {
  type Changes,
  type CommandResult,
  decodeCommand,
  type LeaseId,
  type LoggedCommand,
  type Settings,
} from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import type { MachineApplied, StormEvent } from '../storm/events.js';
import type { Broken, HistoryProbe, StormChecker } from './checker.js';
import { nothingLeft } from './checker.js';
import { ElectionTable } from './election-table.js';
import { KeyTable } from './key-table.js';
import { LeaseTable } from './lease-table.js';
import { isSameBytes, isSameContent } from './same-content.js';
import { at, describeCommand } from './sentence.js';

/** One entry as the first node applied it; all others must do the same. */
export interface CanonicalEntry {
  readonly index: number;
  /** Who applied it first, and the true time of that. */
  readonly node: NodeId;
  readonly appliedAtMs: number;
  /** As stamped, and as the machine counts it: the highest stamp so far. */
  readonly stampMs: number;
  readonly clusterTimeMs: number;
  readonly payload: Uint8Array;
  /** Undefined: time only. */
  readonly logged: LoggedCommand | undefined;
  /** An earlier entry ran the same (session, sequence): this one only repeats its answer. */
  readonly isRepeat: boolean;
  /** That answer; undefined: this is no repeat. */
  readonly firstResult: CommandResult | undefined;
  readonly result: CommandResult;
  readonly changes: Changes | undefined;
  readonly leasesGone: readonly LeaseId[];
}

/** Is shown every canonical entry once, in order of the log, at its first apply. */
export interface EntryReader {
  /** The tables still show what was before the entry. */
  onEntry?(entry: CanonicalEntry): void;
  /** The tables show what is after it. */
  onSettled?(entry: CanonicalEntry): void;
}

/**
 * The one sequence that all nodes apply (I7). A node that does something else with an entry is
 * found here: other bytes (I7), or the same bytes with another outcome (L5: apply read a clock,
 * an option of its own, or an order that differs).
 */
export class CanonicalLog implements StormChecker {
  readonly ids = ['I7', 'L5', 'C25'] as const;
  readonly wants = ['machine-applied'] as const;
  readonly finish: () => void = nothingLeft;
  readonly elections: ElectionTable = new ElectionTable();
  readonly keys: KeyTable = new KeyTable();
  readonly leases: LeaseTable = new LeaseTable((lease) => this.#weightOf(lease));
  readonly #probe: HistoryProbe;
  readonly #broken: Broken;
  readonly #entries: CanonicalEntry[] = [];
  readonly #readers: EntryReader[] = [];
  /** What the requests that ran came out as, by session and sequence. */
  readonly #ran = new Map<string, Map<number, CommandResult>>();
  #clusterTimeMs = 0;
  #settings: Settings | undefined;

  constructor(probe: HistoryProbe, broken: Broken) {
    this.#probe = probe;
    this.#broken = broken;
  }

  /** Readers are shown an entry in the order in which they came. */
  read(reader: EntryReader): void {
    this.#readers.push(reader);
  }

  get lastIndex(): number {
    return this.#entries.length;
  }

  /** Cluster time of the last entry. */
  get clusterTimeMs(): number {
    return this.#clusterTimeMs;
  }

  /** What the cluster was initialized with, once it is. */
  get settings(): Settings | undefined {
    return this.#settings;
  }

  observe(event: StormEvent): void {
    if (event.type !== 'machine-applied') return;
    const known = this.#entries[event.index - 1];
    if (known === undefined) this.#extend(event);
    else this.#compare(known, event);
  }

  #extend(event: MachineApplied): void {
    const { index, node } = event;
    if (index !== this.#entries.length + 1) {
      const expected = this.#entries.length + 1;
      this.#broken('I7', `${node} applied entry ${index} while nobody has applied ${expected} yet`);
      return;
    }
    const entry = this.#toEntry(event);
    this.#entries.push(entry);
    for (const reader of this.#readers) reader.onEntry?.(entry);
    this.#followRevision(entry);
    this.leases.follow(entry);
    this.elections.follow(entry);
    this.keys.follow(entry);
    for (const reader of this.#readers) reader.onSettled?.(entry);
  }

  #toEntry(event: MachineApplied): CanonicalEntry {
    const { index, node, payload, result, changes } = event;
    if (event.clusterTimeMs > this.#clusterTimeMs) this.#clusterTimeMs = event.clusterTimeMs;
    const logged = readCommand(payload);
    if (logged?.command.type === 'initialize') this.#settings ??= logged.command.settings;
    const firstResult = this.#firstResult(logged, result);
    return {
      index,
      node,
      appliedAtMs: this.#probe.trueMs,
      stampMs: event.clusterTimeMs,
      clusterTimeMs: this.#clusterTimeMs,
      payload,
      logged,
      isRepeat: firstResult !== undefined,
      firstResult,
      result,
      changes,
      leasesGone: event.leasesGone,
    };
  }

  #firstResult(
    logged: LoggedCommand | undefined,
    result: CommandResult,
  ): CommandResult | undefined {
    if (logged?.stamp === undefined || !isOnceOnly(logged)) return undefined;
    const { session, sequence } = logged.stamp;
    const ran = this.#ran.get(session) ?? new Map<number, CommandResult>();
    const first = ran.get(sequence);
    if (first !== undefined || wasTurnedAway(result)) return first;
    this.#ran.set(session, ran.set(sequence, result));
    return undefined;
  }

  /** What ends with a lease: its keys, and whoever stands on it. */
  #weightOf(lease: LeaseId): number {
    let weight = this.keys.countOn(lease);
    for (const { grant, queue } of this.elections.all()) {
      if (grant?.lease === lease) weight += 1;
      for (const waiting of queue.values()) if (waiting.lease === lease) weight += 1;
    }
    return weight;
  }

  #followRevision({ index, changes }: CanonicalEntry): void {
    const { lastRevision } = this.keys;
    if (changes === undefined || changes.revision === lastRevision + 1) return;
    const jump = `from revision ${lastRevision} to ${changes.revision}`;
    this.#broken('C25', `entry ${index} led ${jump}: they must grow by one`);
  }

  #compare(known: CanonicalEntry, event: MachineApplied): void {
    const { node, index } = event;
    if (!isSameBytes(known.payload, event.payload) || known.stampMs !== event.clusterTimeMs) {
      const first = `${known.node} applied ${describeEntry(known)} (${at(known.appliedAtMs)})`;
      const other = describeCommand(readCommand(event.payload));
      const second = `${node} ${other}, stamped ${event.clusterTimeMs} ms`;
      this.#broken('I7', `at index ${index} ${first}, and ${second}`);
      return;
    }
    const isAlike =
      isSameContent(known.result, event.result) && isSameContent(known.changes, event.changes);
    if (isAlike) return;
    const what = `entry ${index}, ${describeEntry(known)}`;
    const outcomes = `${outcomeOf(known)} on ${known.node} and ${outcomeOf(event)} on ${node}`;
    this.#broken('L5', `${what}, came out as ${outcomes}`);
  }
}

const NOT_RUN: ReadonlySet<string> = new Set([
  'SESSION_EXPIRED',
  'STALE_REQUEST',
  'SESSION_WINDOW_FULL',
  'REPLY_DROPPED',
]);

/** By the exactly-once check itself: the command did not run, or its answer is kept no more. */
export function wasTurnedAway(result: CommandResult): boolean {
  if (result.type !== 'refused') return false;
  const { refusal } = result;
  const hasNoSession = refusal.code === 'CAPACITY_REACHED' && refusal.what === 'sessionsMax';
  return hasNoSession || NOT_RUN.has(refusal.code);
}

/** Renewals are never deduplicated, and closing twice is harmless. */
export function isOnceOnly({ command }: LoggedCommand): boolean {
  return command.type !== 'lease-renew' && command.type !== 'session-close';
}

function readCommand(payload: Uint8Array): LoggedCommand | undefined {
  if (payload.length === 0) return undefined;
  const decoded = decodeCommand(payload);
  // A node that can read it would have stopped: the machine's own assertion tells more.
  return decoded.ok ? decoded.value : undefined;
}

function describeEntry({ logged, stampMs }: CanonicalEntry): string {
  return `${describeCommand(logged)}, stamped ${stampMs} ms`;
}

function outcomeOf({ result, changes }: Pick<MachineApplied, 'result' | 'changes'>): string {
  const revision = changes === undefined ? 'no changes' : `revision ${changes.revision}`;
  const count = changes === undefined ? '' : ` with ${changes.events.length} changes`;
  const code = result.type === 'refused' ? ` ${result.refusal.code}` : '';
  return `${result.type}${code}, ${revision}${count},`;
}
