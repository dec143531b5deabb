import type { CommandResult, ElectionRecord, LeaseRecord } from '@raftd/coordinator';
import type { Violation } from '../scope.js';

/** One entry of the committed log. */
export interface LogEntry {
  /** Cluster time of its stamp, in steps. */
  readonly atStep: number;
  readonly payload: Uint8Array;
}

/** What the log has shown so far of one lease. */
export interface LeasePast {
  readonly granted: boolean;
  readonly ended: boolean;
  /** Renewals whose result said that they were applied: what an expiry must be conditional on. */
  readonly renewals: number;
}

/** What an observer of the log knows, and nothing but the log told him. */
export interface LogPast {
  /** Of the highest grant seen; 0: none yet. */
  readonly lastToken: number;
  /** Of the grant that is current by the events; 0: vacant. */
  readonly holder: number;
  /** Highest token that a guarded write came in with. */
  readonly writtenToken: number;
  readonly leases: readonly LeasePast[];
  /** Commands that sessions must answer again as before, in order: (session, sequence). */
  readonly answered: readonly string[];
}

/** The state machine as it answers after one entry. */
export interface MachineView {
  readonly revision: number;
  readonly leases: readonly (LeaseRecord | undefined)[];
  readonly election: ElectionRecord | undefined;
  readonly needsTime: boolean;
}

/** A state of the replicated machine, by the first log that led to it. */
export interface MachineNode {
  readonly id: number;
  readonly log: readonly LogEntry[];
  readonly atStep: number;
  readonly past: LogPast;
  readonly view: MachineView;
  readonly violation: Violation | undefined;
}

/** The answer to one command, the same object for the same answer. Revisions are left out. */
export interface Reply {
  readonly id: number;
  readonly result: CommandResult;
}

export interface Applied {
  readonly node: MachineNode;
  readonly reply: Reply;
  /** The client that this entry granted to, with the token; undefined: none. */
  readonly granted: { readonly client: number; readonly token: number } | undefined;
}
