import type { ByteString, Changes, CommandResult, LeaseId } from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import type { WorldEvent } from '../world/events.js';
import type { StormCommand } from './command.js';
import type { FaultKind } from './fault-kind.js';

/** The machine of one node applied one entry. `payload` empty: time only. */
export interface MachineApplied {
  readonly type: 'machine-applied';
  readonly node: NodeId;
  readonly index: number;
  readonly clusterTimeMs: number;
  readonly payload: Uint8Array;
  readonly result: CommandResult;
  readonly changes: Changes | undefined;
  /** Of the leases that an expiry names, those that the machine does not know after it. */
  readonly leasesGone: readonly LeaseId[];
}

/** A node ended by itself: `code` of its fault, as the process would exit with. */
export interface NodeEnded {
  readonly type: 'node-ended';
  readonly node: NodeId;
  readonly code: string;
  readonly message: string;
}

/** A start that was refused: damaged data, an unknown identity. */
export interface NodeRefused {
  readonly type: 'node-refused';
  readonly node: NodeId;
  readonly code: string;
}

/** A start that found only the beginning of a batch, and cut it off. */
export interface TailCut {
  readonly type: 'tail-cut';
  readonly node: NodeId;
}

export interface ClientLifeChanged {
  readonly type: 'client-started' | 'client-killed' | 'client-frozen' | 'client-thawed';
  readonly client: string;
}

/** A fault really happened (a command that found nothing to break is none). */
export interface FaultInjected {
  readonly type: 'fault-injected';
  readonly kind: FaultKind;
  /** To whom, where no other event says so. */
  readonly of?: string;
}

export interface Commanded {
  readonly type: 'commanded';
  readonly command: StormCommand;
}

export type PhaseChanged =
  | { readonly type: 'phase'; readonly phase: 'storm' }
  | { readonly type: 'phase'; readonly phase: 'liveness'; readonly core: readonly NodeId[] }
  /** The core is equal: what is in the log now, every open watch must be shown. */
  | { readonly type: 'phase'; readonly phase: 'converged' }
  /** And by now it was. */
  | { readonly type: 'phase'; readonly phase: 'all-shown' };

/** A call of the client library began. Ids count from 1 over the whole run. */
export interface OperationInvoked {
  readonly type: 'operation-invoked';
  readonly client: string;
  readonly operation: number;
  readonly call: Call;
}

/** What was called, as the checkers need it. Values are text and name the operation. */
export type Call =
  | { readonly type: 'get'; readonly key: string; readonly stale: boolean }
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: string;
      readonly guarded: GuardSeen | undefined;
      /** The key is to go with this lease. */
      readonly lease?: string | undefined;
    }
  | { readonly type: 'delete'; readonly key: string }
  /** Its reads come before its writes. */
  | {
      readonly type: 'transact';
      readonly compares: readonly { readonly key: string; readonly version: number }[];
      readonly reads: readonly string[];
      readonly writes: readonly { readonly key: string; readonly value: string }[];
    }
  | { readonly type: 'range'; readonly start: string; readonly end: string }
  | { readonly type: 'delete-range'; readonly start: string; readonly end: string }
  /** Whatever the language of transactions has. */
  | {
      readonly type: 'odd-transaction';
      readonly compares: readonly AskedCompare[];
      readonly then: readonly AskedStep[];
      readonly otherwise: readonly AskedStep[];
      readonly guarded: GuardSeen | undefined;
    }
  /** `resource` is to be raised to the token. */
  | { readonly type: 'fence-advance'; readonly resource: string; readonly guarded: GuardSeen }
  /** Elections and leases as the cluster knows them. */
  | { readonly type: 'look'; readonly at: Look; readonly stale: boolean }
  /** Everything else of the library: its class and code are what is checked. */
  | { readonly type: 'other'; readonly name: string };

export type AskedOperator = '=' | '!=' | '<' | '>';

export type AskedCompare =
  | {
      readonly target: 'value';
      readonly key: string;
      readonly operator: AskedOperator;
      readonly operand: string;
    }
  | {
      readonly target: 'version' | 'create-revision' | 'mod-revision';
      readonly key: string;
      readonly operator: AskedOperator;
      readonly operand: number;
    };

/** One step of an arm of a transaction. */
export type AskedStep =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: string;
      readonly lease?: string | undefined;
    }
  | { readonly type: 'get' | 'delete'; readonly key: string }
  | { readonly type: 'delete-range'; readonly start: string; readonly end: string };

/** What came of one. */
export type SeenStep =
  | { readonly type: 'put'; readonly version: number }
  | { readonly type: 'get'; readonly record: SeenRecord | undefined }
  | { readonly type: 'delete'; readonly deleted: number }
  | { readonly type: 'delete-range'; readonly deleted: number; readonly more: boolean };

export type Look =
  | { readonly type: 'election'; readonly election: string }
  | { readonly type: 'elections' }
  | { readonly type: 'lease'; readonly lease: string }
  | { readonly type: 'leases' };

/** The grant in whose name a client writes. */
export interface GuardSeen {
  readonly election: string;
  readonly token: bigint;
}

export interface SeenRecord {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly createRevision: number;
  readonly modRevision: number;
  /** What the key goes with. */
  readonly lease?: string | undefined;
}

export interface SeenElection {
  readonly election: string;
  readonly leader:
    | {
        readonly token: bigint;
        readonly holder: string;
        readonly lease: string;
        readonly ending: boolean;
        readonly candidate: string;
        readonly metadata: ByteString;
        /** Cluster time. */
        readonly grantedAtMs: number;
      }
    | undefined;
  /** Campaigns, in order. */
  readonly queue: readonly string[];
}

export interface SeenLease {
  readonly lease: string;
  readonly ttlMs: number;
  /** Cluster time. */
  readonly remainingMs: number;
  readonly attempt: number;
  readonly ending: boolean;
  /** Campaigns that lead on it. */
  readonly grants: readonly string[];
}

/** What a call that succeeded told. */
export type Answer =
  | { readonly type: 'record'; readonly record: SeenRecord | undefined }
  | { readonly type: 'written'; readonly revision: number; readonly version: number }
  | {
      readonly type: 'deleted';
      readonly revision: number;
      readonly deleted: number;
      /** Of a range: the limit of one entry was reached. */
      readonly more?: boolean | undefined;
    }
  | {
      readonly type: 'transacted';
      readonly revision: number;
      readonly succeeded: boolean;
      /** Of the reads, in order; empty unless it succeeded. */
      readonly records: readonly (SeenRecord | undefined)[];
    }
  /** Of an odd transaction: of the arm that was done, step by step. */
  | {
      readonly type: 'steps';
      readonly revision: number;
      readonly succeeded: boolean;
      readonly steps: readonly SeenStep[];
    }
  | { readonly type: 'page'; readonly revision: number; readonly records: readonly SeenRecord[] }
  /** Of a look at one: that one, or none. `more`: these are the first of a longer list. */
  | {
      readonly type: 'elections';
      readonly elections: readonly SeenElection[];
      readonly more: boolean;
    }
  | { readonly type: 'leases'; readonly leases: readonly SeenLease[]; readonly more: boolean }
  | { readonly type: 'nothing' };

/** The call ended. A client that was killed never tells: then there is no such event. */
export interface OperationReturned {
  readonly type: 'operation-returned';
  readonly client: string;
  readonly operation: number;
  readonly outcome:
    | { readonly type: 'answered'; readonly answer: Answer }
    | {
        readonly type: 'failed';
        /** May it have happened? */
        readonly class: 'rejected' | 'indeterminate' | 'invalid';
        readonly code: string;
      };
}

/** A client won; `isHeld` asks the real `assertHeld()` of its handle, on the client's clocks. */
export interface LeadershipWon {
  readonly type: 'leadership-won';
  readonly client: string;
  readonly election: string;
  readonly token: bigint;
  readonly holder: string;
  readonly lease: string;
  readonly ttlMs: number;
  readonly isHeld: () => boolean;
}

/** The client knows that it is over. */
export interface LeadershipEnded {
  readonly type: 'leadership-ended';
  readonly client: string;
  readonly election: string;
  readonly token: bigint;
  readonly reason: string;
}

/** One write to a resource outside the cluster, which guards itself by the highest token seen. */
export interface ResourceWrite {
  readonly type: 'resource-write';
  readonly client: string;
  readonly election: string;
  readonly token: bigint;
  readonly accepted: boolean;
  /** `assertHeld()` passed right before. */
  readonly asked: boolean;
}

/** A watch or an observation of a client, from its opening to its end. Ids count from 1. */
export type WatchSeen =
  | {
      readonly type: 'watch-opened';
      readonly client: string;
      readonly watch: number;
      readonly scope:
        | {
            readonly type: 'keys';
            readonly start: string;
            readonly end: string;
            /** The first revision that it asked for; undefined: whatever comes next. */
            readonly fromRevision: number | undefined;
          }
        | { readonly type: 'election'; readonly election: string };
    }
  /** A watch of keys was accepted: the first revision that it shows. Told once. */
  | { readonly type: 'watch-stands'; readonly watch: number; readonly fromRevision: number }
  | {
      readonly type: 'watch-event';
      readonly watch: number;
      readonly event:
        | { readonly type: 'put'; readonly revision: number; readonly record: SeenRecord }
        | {
            readonly type: 'delete';
            readonly revision: number;
            readonly key: string;
            readonly reason: string;
          }
        /** An election's leader, or vacant. */
        | { readonly type: 'leader'; readonly token: bigint | undefined };
    }
  | { readonly type: 'watch-closed'; readonly watch: number; readonly code: string | undefined };

export type StormEvent =
  | WorldEvent
  | MachineApplied
  | NodeEnded
  | NodeRefused
  | TailCut
  | ClientLifeChanged
  | FaultInjected
  | Commanded
  | PhaseChanged
  | OperationInvoked
  | OperationReturned
  | LeadershipWon
  | LeadershipEnded
  | ResourceWrite
  | WatchSeen;

/** Sees everything that happens in a storm, right after it happened. */
export interface StormObserver {
  /** It need not be shown any other event; absent: it wants all. */
  readonly wants?: readonly StormEvent['type'][];
  observe(event: StormEvent): void;
  /** The run is over: for what only the whole of it shows. */
  finish?(): void;
}
