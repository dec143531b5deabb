import { assertNever } from './assert.js';
import type { RaftOptions } from './config.js';
import { forkLog, lastIndex, makeLog, type RaftLog } from './log.js';
import type { Message } from './messages.js';
import { forkPersistence, makePersistence, type Persistence } from './persistence-state.js';
import { forkProgress, type Progress } from './progress.js';
import type { ConfirmedRead } from './ready.js';
import { forkReads, type Reads } from './reads-state.js';
import {
  type HardState,
  type LoadedState,
  type LogIndex,
  type Membership,
  type NodeId,
  NO_INDEX,
} from './types.js';

/**
 * All there is to a Raft node: plain data, no closures of its own, so that a model checker can
 * copy, compare and restore it. The chapters are functions over it.
 */
export interface RaftState {
  readonly options: RaftOptions;
  readonly membership: Membership;
  /** The latest time heard of; never goes back. */
  nowMs: number;
  /** Replaced as a whole, never changed in place: persistence compares it by identity. */
  hardState: HardState;
  readonly log: RaftLog;
  /** Known to be committed; never falls. May be ahead of what is durable here. */
  commitIndex: LogIndex;
  /** Handed over in `Ready.committed`: ≤ commitIndex and ≤ what is durable here. */
  handedIndex: LogIndex;
  /** Applied by the driver. */
  appliedIndex: LogIndex;
  role: RoleState;
  /** As a voter: whom it promised to withhold its vote for, and until when (§6.4.1). */
  promise: VoterPromise | undefined;
  /** Candidacies lost in a row; each doubles the next one's timer. */
  failedCandidacies: number;
  readonly persistence: Persistence;
  readonly outbox: Outbox;
  lastReadId: number;
}

/** What one role needs exists only in that role, so that stale state cannot be read. */
export type RoleState = FollowerState | PreCandidateState | CandidateState | LeaderState;

export interface FollowerState {
  readonly type: 'follower';
  electionDeadlineMs: number;
  /** The leader of this term, once one was heard. */
  leader: FollowedLeader | undefined;
}

export interface FollowedLeader {
  readonly id: NodeId;
  /** When a heartbeat or append of it last arrived. */
  contactMs: number;
  /** The commit index it told that is yet to be applied, or was the last to be: currency.ts. */
  goalIndex: LogIndex | undefined;
  /** When it was told; undefined: the first goal, which has to be reached first. */
  goalMs: number | undefined;
  /** The log up to here equals this leader's: what its requests of this term have proved. */
  matchedIndex: LogIndex;
  /** The highest commit index it told; may be ahead of what is matched. */
  commitBound: LogIndex;
  /** An acknowledgement of `matchedIndex` is owed, and leaves once that is durable. */
  ackDue: boolean;
}

/** Asks whether an election could be won; its term and vote are still untouched (§9.6). */
export interface PreCandidateState {
  readonly type: 'pre-candidate';
  electionDeadlineMs: number;
  readonly granted: NodeId[];
}

export interface CandidateState {
  readonly type: 'candidate';
  /** Undefined until the own vote is durable: a slow disk must not mean endless terms. */
  electionDeadlineMs: number | undefined;
  /** Includes this node once its own vote is durable. */
  readonly granted: NodeId[];
  readonly refused: NodeId[];
}

export interface LeaderState {
  readonly type: 'leader';
  heartbeatDeadlineMs: number;
  /** One for each other voter. */
  readonly progress: Progress[];
  readonly reads: Reads;
  /** On this node's clock; undefined: no lease was ever held in this term. */
  leaseEndMs: number | undefined;
}

export interface VoterPromise {
  untilMs: number;
  /** Exempt from it; unknown after a restart. */
  to: NodeId | undefined;
}

/** Outputs until the next `ready()` hands them over. */
export interface Outbox {
  messages: Message[];
  confirmedReads: ConfirmedRead[];
  abortedReads: number[];
}

/** A follower of nobody, with what its disk holds; `electionDeadlineMs` is the caller's draw. */
export function makeState(
  options: RaftOptions,
  loaded: LoadedState,
  times: { readonly nowMs: number; readonly electionDeadlineMs: number },
): RaftState {
  const log = makeLog(loaded.entries);
  const { electionDeadlineMs, nowMs } = times;
  return {
    options,
    membership: loaded.membership,
    nowMs,
    hardState: loaded.hardState,
    log,
    commitIndex: NO_INDEX,
    handedIndex: NO_INDEX,
    appliedIndex: NO_INDEX,
    role: { type: 'follower', electionDeadlineMs, leader: undefined },
    promise: undefined,
    failedCandidacies: 0,
    persistence: makePersistence(loaded.hardState, lastIndex(log)),
    outbox: { messages: [], confirmedReads: [], abortedReads: [] },
    lastReadId: 0,
  };
}

/** An independent copy; entries, messages and options are immutable and shared. */
export function forkState(state: RaftState): RaftState {
  return {
    ...state,
    log: forkLog(state.log),
    role: forkRole(state.role),
    promise: state.promise && { ...state.promise },
    persistence: forkPersistence(state.persistence),
    outbox: {
      messages: state.outbox.messages.slice(),
      confirmedReads: state.outbox.confirmedReads.slice(),
      abortedReads: state.outbox.abortedReads.slice(),
    },
  };
}

function forkRole(role: RoleState): RoleState {
  switch (role.type) {
    case 'follower':
      return { ...role, leader: role.leader && { ...role.leader } };
    case 'pre-candidate':
      return { ...role, granted: role.granted.slice() };
    case 'candidate':
      return { ...role, granted: role.granted.slice(), refused: role.refused.slice() };
    case 'leader':
      return {
        ...role,
        progress: role.progress.map(forkProgress),
        reads: forkReads(role.reads),
      };
    /* v8 ignore next */
    default:
      return assertNever(role);
  }
}

export function isSingleVoter(state: RaftState): boolean {
  return state.membership.voters.length === 1;
}

/** Every voter but this node. */
export function peersOf(state: RaftState): readonly NodeId[] {
  return state.membership.voters.filter((voter) => voter !== state.options.id);
}
