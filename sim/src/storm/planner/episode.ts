import type { NodeTarget, StormCommand, TimedCommand } from '../command.js';
import type { FaultKind } from '../fault-kind.js';
import type { StormProfile } from '../profile.js';
import type { Dice } from './dice.js';

/** Writes one episode into the plan: harm, and later its end. */
export class Script {
  readonly dice: Dice;
  readonly profile: StormProfile;
  /** Nodes that lasting harm may hit: together never a majority. */
  readonly victims: readonly number[];
  readonly commands: TimedCommand[] = [];
  #atMs: number;

  constructor(dice: Dice, profile: StormProfile, victims: readonly number[], atMs: number) {
    this.dice = dice;
    this.profile = profile;
    this.victims = victims;
    this.#atMs = atMs;
  }

  /** The present moment of the episode. */
  get atMs(): number {
    return this.#atMs;
  }

  do(command: StormCommand): void {
    this.commands.push({ atMs: this.#atMs, command });
  }

  wait(ms: number): void {
    this.#atMs += ms;
  }

  /** Waits some election time-outs. */
  waitElections(low: number, high: number): void {
    this.wait(this.profile.electionTimeoutMs * this.dice.between(low, high));
  }

  anyNode(): number {
    return this.dice.whole(0, this.profile.nodeCount - 1);
  }

  anyClient(): number {
    return this.dice.whole(0, this.profile.clientCount - 1);
  }

  /** Leaders are where harm tells most. */
  target(): NodeTarget {
    return this.dice.weighted<NodeTarget>([
      [5, 'leader'],
      [2, 'follower'],
      [3, this.anyNode()],
    ]);
  }

  has(kind: FaultKind): boolean {
    return this.profile.faults.includes(kind);
  }
}

/** One way for things to go wrong, with the kinds it needs. */
export interface Episode {
  readonly weight: number;
  readonly needs: readonly FaultKind[];
  /** Further what the world must be like; default: anything. */
  readonly suits?: (profile: StormProfile) => boolean;
  readonly write: (script: Script) => void;
}
