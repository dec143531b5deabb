import type { ChangeEvent } from '@raftd/protocol';
import { byteString, commandCodec } from '@raftd/protocol';
import { becameLeader } from '../../invariants/invariant.js';
import { isOnceOnly, wasTurnedAway } from '../../history/canonical-log.js';
import type { StormProbe } from '../cluster.js';
import type { StormCommand } from '../command.js';
import type {
  LeadershipWon,
  MachineApplied,
  OperationInvoked,
  OperationReturned,
  StormEvent,
  StormObserver,
} from '../events.js';
import type { FaultKind } from '../fault-kind.js';
import { isLeaderCutOneWay, isMajorityInTouch } from './reach.js';
import type { SometimesTally } from './sometimes.js';

/** Counts what happens to clients and their leases, and what was done to the world. */
export class ClientSometimes implements StormObserver {
  readonly #cluster: StormProbe;
  readonly #tally: SometimesTally;
  readonly #frozen = new Set<string>();
  /** By token: who won it, as long as nobody said that it is over. */
  readonly #won = new Map<bigint, LeadershipWon>();
  #appliedIndex = 0;
  readonly #current = new Map<string, bigint>();
  /** Of the requests that ran, by session and sequence. */
  readonly #ran = new Set<string>();
  readonly #values = new Set<string>();
  readonly #pending = new Map<number, string>();
  readonly #doubted: string[] = [];
  /** What is done to the world right now, if anything. */
  #command: StormCommand | undefined;

  constructor(cluster: StormProbe, tally: SometimesTally) {
    this.#cluster = cluster;
    this.#tally = tally;
  }

  observe(event: StormEvent): void {
    switch (event.type) {
      case 'machine-applied':
        this.#onApplied(event);
        return;
      case 'operation-invoked':
        this.#onInvoked(event);
        return;
      case 'operation-returned':
        this.#onReturned(event);
        return;
      case 'leadership-won':
        this.#onWon(event);
        return;
      case 'leadership-ended':
        this.#won.delete(event.token);
        return;
      case 'resource-write':
        if (!event.accepted) this.#tally.count('stale token refused by the resource');
        return;
      case 'stepped':
        if (becameLeader(event) && this.#current.size > 0) {
          this.#tally.count('leader change within a TTL');
        }
        return;
      default:
        this.#onHarm(event);
    }
  }

  #onHarm(event: StormEvent): void {
    switch (event.type) {
      case 'client-frozen':
        this.#frozen.add(event.client);
        return;
      case 'client-thawed':
      case 'client-killed':
        this.#frozen.delete(event.client);
        return;
      case 'watch-closed':
        if (event.code === 'COMPACTED') this.#tally.count('watch ends because the window moved on');
        return;
      case 'node-refused':
        this.#tally.count('damaged record refused at start');
        return;
      case 'node-ended':
        this.#onNodeEnded(event.code, event.message);
        return;
      case 'tail-cut':
        this.#tally.count('torn tail cut at start');
        return;
      case 'fault-injected':
        this.#onFault(event.kind);
        return;
      case 'commanded':
        this.#command = event.command;
        return;
      default:
    }
  }

  /** What was in doubt and is decided now. */
  finish(): void {
    for (const value of this.#doubted) {
      const there = this.#values.has(value);
      this.#tally.count(
        there ? 'unknown outcome, effect there' : 'unknown outcome, effect not there',
      );
    }
  }

  #onNodeEnded(code: string, message: string): void {
    if (code === 'WRONG_IDENTITY') this.#tally.count('wiped node refused by its peers');
    if (code !== 'STORAGE_FAILED') return;
    const isFull = message.includes('ENOSPC');
    this.#tally.count(isFull ? 'full disk ends a node' : 'failed write ends a node');
  }

  /** Commands that find nobody are followed by no fault. */
  #onFault(kind: FaultKind): void {
    const command = this.#command;
    if (kind === 'clock-jump' && command !== undefined && 'byMs' in command) {
      this.#tally.count(command.byMs > 0 ? 'clock jumps forward' : 'clock jumps back');
    }
    if (kind === 'one-way-cut' && isLeaderCutOneWay(this.#cluster)) {
      this.#tally.count('leader cut off one way');
    }
  }

  #onInvoked({ operation, call }: OperationInvoked): void {
    if (call.type === 'put') this.#pending.set(operation, call.value);
  }

  #onReturned({ operation, outcome }: OperationReturned): void {
    const value = this.#pending.get(operation);
    this.#pending.delete(operation);
    if (outcome.type !== 'failed') return;
    if (outcome.code === 'FENCED') this.#tally.count('guarded write fenced');
    if (outcome.code === 'UNAVAILABLE' && !isMajorityInTouch(this.#cluster)) {
      this.#tally.count('no majority, no progress');
    }
    if (outcome.class === 'indeterminate' && value !== undefined) this.#doubted.push(value);
  }

  #onWon(won: LeadershipWon): void {
    for (const other of this.#won.values()) {
      if (other.election !== won.election || this.#frozen.has(other.client)) continue;
      if (other.isHeld() && won.isHeld()) this.#tally.count('two clients believe to lead');
    }
    this.#won.set(won.token, won);
  }

  #onApplied(event: MachineApplied): void {
    const { index, payload, result, changes } = event;
    if (index <= this.#appliedIndex) return;
    this.#appliedIndex = index;
    for (const event of changes?.events ?? []) this.#onChange(event);
    if (result.type === 'lease-renew') {
      const isLate = result.renewals.some(({ outcome }) => outcome === 'not-found');
      if (isLate) this.#tally.count('renewal too late');
    }
    if (payload.length > 0) this.#onRequest(event);
  }

  #onChange(event: ChangeEvent): void {
    switch (event.type) {
      case 'put':
        this.#values.add(byteString(event.record.value));
        return;
      case 'granted':
        this.#current.set(event.leader.election, event.leader.token);
        return;
      case 'ending':
        this.#tally.count('grant ended by a stranger');
        return;
      case 'ended': {
        this.#current.delete(event.election);
        const won = this.#won.get(event.token);
        const isFrozen = won !== undefined && this.#frozen.has(won.client);
        if (isFrozen && event.reason === 'lease-expired') {
          this.#tally.count('lease expires while its holder is frozen');
        }
        return;
      }
      default:
    }
  }

  #onRequest({ payload, result }: MachineApplied): void {
    const logged = commandCodec.decode(payload);
    const { stamp } = logged;
    if (stamp === undefined || !isOnceOnly(logged) || wasTurnedAway(result)) return;
    const name = `${stamp.session}/${stamp.sequence}`;
    if (this.#ran.has(name)) this.#tally.count('retry answered from the kept reply');
    this.#ran.add(name);
  }
}
