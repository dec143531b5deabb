import type {
  Changes,
  CommandResult,
  Coordinator,
  LoggedCommand,
  Settings,
} from '@raftd/coordinator';
import { isSameContent } from '../history/same-content.js';
import { InvariantBroken } from '../invariants/invariant.js';

/** One entry as the first machine applied it. */
export interface MachineEntry {
  readonly index: number;
  /** Undefined: time only. */
  readonly logged: LoggedCommand | undefined;
  readonly result: CommandResult;
  readonly changes: Changes | undefined;
}

/** More than any settings of these runs allow. */
const EVERYTHING = 10_000;

/** What holds whoever sends whatever. Shown each entry once, with a machine that has applied it. */
export class MachineRules {
  readonly #settings: Settings;
  /** By session and sequence: what ran. */
  readonly #ran = new Map<string, CommandResult>();
  readonly #tokens = new Map<string, bigint>();
  #revision = 0;
  #highestToken = 0n;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The latest token granted in an election; 0: none yet. */
  tokenOf(election: string): bigint {
    return this.#tokens.get(election) ?? 0n;
  }

  judge(entry: MachineEntry, machine: Coordinator): void {
    this.#revisionsFollow(entry);
    this.#nothingRunsTwice(entry);
    this.#tokensGrow(entry);
    this.#entryIsBounded(entry);
    this.#stateIsBounded(entry, machine);
  }

  /** C25: a refusal changed nothing, and what changed something has a revision of its own. */
  #revisionsFollow({ index, result, changes }: MachineEntry): void {
    if (changes === undefined) return;
    if (result.type === 'refused') {
      throw new InvariantBroken('C25', `entry ${index} was refused and changed something`);
    }
    if (changes.revision !== this.#revision + 1) {
      const jump = `from revision ${this.#revision} to ${changes.revision}`;
      throw new InvariantBroken('C25', `entry ${index} led ${jump}`);
    }
    this.#revision = changes.revision;
  }

  /** I14: whatever sequence numbers a client makes up, none of them does something twice. */
  #nothingRunsTwice({ index, logged, result, changes }: MachineEntry): void {
    if (logged?.stamp === undefined || result.type === 'refused') return;
    const { type } = logged.command;
    if (type === 'lease-renew' || type === 'session-close') return;
    const { session, sequence } = logged.stamp;
    const key = `${session} ${sequence}`;
    const earlier = this.#ran.get(key);
    this.#ran.set(key, result);
    if (earlier === undefined) return;
    if (changes === undefined && isSameContent(earlier, result)) return;
    const what = `entry ${index} ran request ${sequence} of session ${session} again`;
    throw new InvariantBroken('I14', what);
  }

  /** L1: over all elections. */
  #tokensGrow({ index, changes }: MachineEntry): void {
    for (const event of changes?.events ?? []) {
      if (event.type !== 'granted') continue;
      const { token, election } = event.leader;
      if (token <= this.#highestToken) {
        const order = `${token} after ${this.#highestToken}`;
        throw new InvariantBroken('L1', `entry ${index} granted token ${order}`);
      }
      this.#highestToken = token;
      this.#tokens.set(election, token);
    }
  }

  /** S32: no client makes an entry touch more keys than it may; a lease may take more along. */
  #entryIsBounded({ index, changes }: MachineEntry): void {
    const touched = new Set<string>();
    for (const event of changes?.events ?? []) {
      if (event.type === 'put') touched.add(event.record.key);
      else if (event.type === 'delete' && event.reason === 'user') touched.add(event.key);
    }
    this.#expectAtMost(index, 'keysPerEntryMax', touched.size);
  }

  /** S32: of nothing is there more than the settings say. */
  #stateIsBounded({ index }: MachineEntry, machine: Coordinator): void {
    const listed = machine.query({ type: 'lease-list', limit: EVERYTHING });
    if (listed.type === 'lease-list') {
      this.#expectAtMost(index, 'leasesMax', listed.leases.length);
      for (const { keys } of listed.leases) this.#expectAtMost(index, 'keysPerLeaseMax', keys);
    }
    const found = machine.query({ type: 'election-list', prefix: '', limit: EVERYTHING });
    if (found.type !== 'election-list') return;
    this.#expectAtMost(index, 'electionsMax', found.elections.length);
    for (const { queue } of found.elections) {
      this.#expectAtMost(index, 'candidatesPerElectionMax', queue.length);
    }
  }

  #expectAtMost(index: number, limit: keyof Settings, count: number): void {
    if (count <= this.#settings[limit]) return;
    const rule = `${limit} is ${this.#settings[limit]}`;
    throw new InvariantBroken('S32', `after entry ${index} there are ${count}, ${rule}`);
  }
}
