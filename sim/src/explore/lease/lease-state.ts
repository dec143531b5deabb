import type { Violation } from '../scope.js';
import type { StateWriter } from '../state-writer.js';
import type { ClientNode } from './client-node.js';
import type { MachineNode } from './machine-node.js';

/** Who leads the cluster. Each leader's cluster time runs on its own clock. */
export type Leader =
  | { readonly type: 'first' }
  /** Nobody: nothing reaches the log, and cluster time stands still. */
  | { readonly type: 'none' }
  /** `behind`: steps by which its cluster time is behind the first leader's clock. */
  | { readonly type: 'second'; readonly behind: number };

/** Commands of a leader's own, decided on what it had applied then, not yet in the log. */
export interface Decided {
  readonly payloads: readonly Uint8Array[];
  /** Equal for equal commands. */
  readonly text: string;
}

export interface LeaseState {
  /** Which bounds it lives under. */
  readonly variant: number;
  /** The first state of its variant. */
  readonly isInitial: boolean;
  /** True time, in steps. */
  readonly step: number;
  readonly machine: MachineNode;
  readonly leader: Leader;
  readonly decided: Decided | undefined;
  readonly clients: readonly ClientNode[];
  /** Of each lease, the true time of the entry that last moved its expiry; −1: none yet. */
  readonly extendedAt: readonly number[];
  /** The highest token that the outside resource has seen. */
  readonly resource: number;
  readonly duplicates: number;
  readonly pauses: number;
  readonly leaderChanges: number;
  readonly foreignEnds: number;
  /** Set by a step that no state shows. */
  readonly broken: Violation | undefined;
}

export function encodeLeaseState(state: LeaseState, into: StateWriter): void {
  const { leader, broken } = state;
  into.word(state.variant);
  into.flag(state.isInitial);
  into.word(state.step);
  into.word(state.machine.id);
  into.word(leader.type === 'first' ? 0 : leader.type === 'none' ? 1 : 2);
  into.word(leader.type === 'second' ? leader.behind : 0);
  into.text(state.decided?.text ?? '');
  for (const client of state.clients) into.word(client.id);
  for (const step of state.extendedAt) into.word(step);
  into.word(state.resource);
  into.word(state.duplicates);
  into.word(state.pauses);
  into.word(state.leaderChanges);
  into.word(state.foreignEnds);
  into.text(broken === undefined ? '' : `${broken.invariant} ${broken.sentence}`);
}
