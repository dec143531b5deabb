import { assert, assertNever } from './assert.js';
import { advanceCommit, takeCommitted } from './commit.js';
import { type RaftOptions, validateOptions } from './config.js';
import {
  electionTimeout,
  onOwnVoteDurable,
  onPreVoteRequest,
  onPreVoteResponse,
  onVoteRequest,
  onVoteResponse,
} from './election.js';
import {
  onHeartbeat,
  onHeartbeatResponse,
  sendCommitNotices,
  sendScheduledHeartbeats,
  startRound,
} from './heartbeat.js';
import { mayServeLeaseReads, restorePromise } from './lease.js';
import { isUpToDate } from './currency.js';
import type { AppendAccepted, AppendRejected, HeartbeatResponse, Message } from './messages.js';
import {
  completeWrite,
  releaseDurableAck,
  takeMessagesAfterWrite,
  takeWrite,
} from './persistence.js';
import type { Progress } from './progress.js';
import { appendProposal, type Proposed, type ProposeOptions } from './proposal.js';
import { type ReadRequested, registerRead } from './read-index.js';
import type { Ready } from './ready.js';
import { onAppendAccepted, onAppendRejected, onAppendRequest, sendAppends } from './replication.js';
import { followLeader } from './roles.js';
import { forkState, type LeaderState, makeState, type RaftState } from './state.js';
import { passTermGate } from './term-gate.js';
import { checkQuorum, fireTimers, hearTime, nextDeadlineMs } from './timers.js';
import type { EntryKind, LoadedState, LogIndex, NodeId, Term } from './types.js';

/**
 * One node of a Raft cluster, without IO. Inputs go in with the time on the node's monotonic
 * clock, in milliseconds; what is to be done comes out of `ready()`, which the driver calls until
 * it answers undefined.
 */
export class Raft {
  #state: RaftState;

  /** @throws {InvalidOption} */
  constructor(options: RaftOptions, loaded: LoadedState, nowMs: number) {
    validateOptions(options);
    assert(loaded.membership.voters.includes(options.id), 'a node is one of its voters');
    const waitMs = options.electionTimeoutMs * (1 + options.random());
    // Nobody else could be leading: a single voter does not wait.
    const isAlone = loaded.membership.voters.length === 1;
    const electionDeadlineMs = isAlone ? nowMs : nowMs + waitMs;
    this.#state = makeState(options, loaded, { nowMs, electionDeadlineMs });
    restorePromise(this.#state);
  }

  /** To look at, never to change. */
  get state(): Readonly<RaftState> {
    return this.#state;
  }

  /** A message arrived: lost, late, repeated, out of order or from before a restart, all alike. */
  step(message: Message, nowMs: number): void {
    const state = this.#state;
    hearTime(state, nowMs);
    if (!isBetweenVoters(state, message)) return;
    if (passTermGate(state, message)) dispatch(state, message);
  }

  /** Time has passed. Useful from `nextDeadlineMs()` on; being late is not made up for. */
  tick(nowMs: number): void {
    hearTime(this.#state, nowMs);
    fireTimers(this.#state);
  }

  /** The election timer fires, whatever its deadline. */
  electionTimeout(nowMs: number): void {
    hearTime(this.#state, nowMs);
    electionTimeout(this.#state);
  }

  /** A heartbeat is due, whatever its deadline. */
  heartbeatDue(nowMs: number): void {
    hearTime(this.#state, nowMs);
    const { role } = this.#state;
    if (role.type === 'leader') sendScheduledHeartbeats(this.#state, role);
  }

  /** A leader that no quorum answered for an election timeout steps down. */
  quorumCheck(nowMs: number): void {
    hearTime(this.#state, nowMs);
    checkQuorum(this.#state, 0);
  }

  /**
   * Appends an entry, as leader. `payload` must never be mutated afterwards. `clusterTimeMs` is
   * raised to the last entry's where it is below.
   */
  propose(
    payload: Uint8Array,
    kind: EntryKind,
    clusterTimeMs: number,
    nowMs: number,
    options: ProposeOptions = {},
  ): Proposed {
    const state = this.#state;
    hearTime(state, nowMs);
    if (state.role.type !== 'leader') {
      return { type: 'rejected', code: 'NOT_LEADER', leader: this.leader() };
    }
    const { urgent = false } = options;
    return appendProposal(state, { kind, payload, clusterTimeMs, urgent });
  }

  /** Asks for a linearizable read; its id comes back in `confirmedReads` or `abortedReads`. */
  readIndex(nowMs: number): ReadRequested {
    const state = this.#state;
    hearTime(state, nowMs);
    if (state.role.type !== 'leader') return { type: 'rejected', code: 'NOT_LEADER' };
    return registerRead(state, state.role);
  }

  /**
   * The index a linearizable read may be served at while the leader lease holds at `nowMs`, else
   * undefined. Ask again once the reply is built: only if it still answers may the reply leave.
   */
  leaseReadIndex(nowMs: number): LogIndex | undefined {
    const { role, commitIndex } = this.#state;
    if (role.type !== 'leader') return undefined;
    return mayServeLeaseReads(this.#state, role, nowMs) ? commitIndex : undefined;
  }

  /** The write in flight, named by its `lastTerm` and `lastIndex`, is durable. */
  persisted(term: Term, index: LogIndex, nowMs: number): void {
    const state = this.#state;
    hearTime(state, nowMs);
    if (!completeWrite(state, term, index)) return;
    const { role } = state;
    if (role.type === 'leader') advanceCommit(state, role);
    if (role.type === 'candidate' && role.electionDeadlineMs === undefined) {
      if (state.hardState === state.persistence.durableHardState) onOwnVoteDurable(state, role);
    }
  }

  /** Everything up to `index` is applied. */
  applied(index: LogIndex): void {
    const state = this.#state;
    assert(index <= state.handedIndex, 'only what was handed over is applied');
    assert(index >= state.appliedIndex, 'the applied index never decreases');
    state.appliedIndex = index;
  }

  /** What there is to do, handed over once; undefined: nothing. */
  ready(): Ready | undefined {
    const state = this.#state;
    if (state.role.type === 'leader') sendQueued(state, state.role);
    else releaseDurableAck(state);
    const write = takeWrite(state);
    const messagesAfterWrite = write === undefined ? [] : takeMessagesAfterWrite(state);
    const committed = takeCommitted(state);
    const { messages, confirmedReads, abortedReads } = state.outbox;
    const isIdle = write === undefined && messages.length === 0 && committed.length === 0;
    if (isIdle && confirmedReads.length === 0 && abortedReads.length === 0) return undefined;
    state.outbox.messages = [];
    state.outbox.confirmedReads = [];
    state.outbox.abortedReads = [];
    return { write, messages, messagesAfterWrite, committed, confirmedReads, abortedReads };
  }

  /** When `tick` is next useful; undefined while a candidate waits for its own disk. */
  nextDeadlineMs(): number | undefined {
    return nextDeadlineMs(this.#state);
  }

  /** Who leads the current term, as far as this node knows. */
  leader(): NodeId | undefined {
    const { role, options } = this.#state;
    if (role.type === 'leader') return options.id;
    return role.type === 'follower' ? role.leader?.id : undefined;
  }

  /** Whether the applied state is current but for what is on its way; see currency.ts. */
  isUpToDate(nowMs: number): boolean {
    return isUpToDate(this.#state, nowMs);
  }

  /** An independent copy; it draws from the same `random`. */
  fork(): Raft {
    const { options, membership, nowMs, hardState } = this.#state;
    // Built without a draw, which would tell the copy from the original.
    const undrawn = { ...options, random: () => 0 };
    const copy = new Raft(undrawn, { hardState, membership, entries: [] }, nowMs);
    copy.#state = forkState(this.#state);
    return copy;
  }
}

/** What queued since the last `Ready`: one round for all reads, one batch for all entries. */
function sendQueued(state: RaftState, role: LeaderState): void {
  if (role.reads.roundDue) startRound(state, role);
  sendAppends(state, role);
  sendCommitNotices(state, role);
}

/** Only members of the configuration in force count, and only what is meant for us. */
function isBetweenVoters(state: RaftState, message: Message): boolean {
  const { id } = state.options;
  if (message.to !== id || message.from === id) return false;
  return state.membership.voters.includes(message.from);
}

function dispatch(state: RaftState, message: Message): void {
  switch (message.type) {
    case 'pre-vote-request':
      return onPreVoteRequest(state, message);
    case 'pre-vote-response':
      return onPreVoteResponse(state, message);
    case 'vote-request':
      return onVoteRequest(state, message);
    case 'vote-response':
      return onVoteResponse(state, message);
    case 'append-request':
      return onAppendRequest(state, followLeader(state, message.from), message);
    case 'heartbeat':
      return onHeartbeat(state, followLeader(state, message.from), message);
    case 'append-accepted':
    case 'append-rejected':
    case 'heartbeat-response':
      return dispatchToLeader(state, message);
    /* v8 ignore next */
    default:
      return assertNever(message);
  }
}

function dispatchToLeader(
  state: RaftState,
  message: AppendAccepted | AppendRejected | HeartbeatResponse,
): void {
  const { role } = state;
  if (role.type !== 'leader') return;
  const progress = progressOf(role, message.from);
  switch (message.type) {
    case 'append-accepted':
      return onAppendAccepted(state, role, progress, message);
    case 'append-rejected':
      return onAppendRejected(state, progress, message);
    case 'heartbeat-response':
      return onHeartbeatResponse(state, role, progress, message);
    /* v8 ignore next */
    default:
      return assertNever(message);
  }
}

function progressOf(role: LeaderState, peer: NodeId): Progress {
  const progress = role.progress.find((one) => one.id === peer);
  assert(progress !== undefined, 'a leader has progress for every peer');
  return progress;
}
