import type {
  ConfirmedRead,
  Entry,
  LoadedState,
  LogIndex,
  NodeId,
  RaftLimits,
  RaftOptions,
  RaftState,
  Role,
  Term,
} from '@raftd/raft';
import { DEFAULT_LIMITS, DEFAULT_OPTIONS, Raft } from '@raftd/raft';
import type { Bounds } from '../invariants/bounded.js';
import type { CoreView, ProgressView } from './core-view.js';
import type { WorldProfile } from './profile.js';

/** More peers than any cluster has: those of earlier leaderships are let go. */
const VIEWS_MAX = 16;

/** The real core's state as the checkers see it: always the present, nothing copied. */
class RaftView implements CoreView {
  readonly #raft: Raft;
  /** Of the present leadership. */
  readonly #progress = new Map<Progress, ProgressView>();

  constructor(raft: Raft) {
    this.#raft = raft;
  }

  get #state(): Readonly<RaftState> {
    return this.#raft.state;
  }

  get term(): Term {
    return this.#state.hardState.term;
  }

  get votedFor(): NodeId | undefined {
    return this.#state.hardState.votedFor;
  }

  get role(): Role {
    return this.#state.role.type;
  }

  get leaderId(): NodeId | undefined {
    return this.#raft.leader();
  }

  get commitIndex(): LogIndex {
    return this.#state.commitIndex;
  }

  get appliedIndex(): LogIndex {
    return this.#state.appliedIndex;
  }

  get lastIndex(): LogIndex {
    return this.#state.log.entries.length as LogIndex;
  }

  get electionDeadlineMs(): number | undefined {
    const { role } = this.#state;
    return role.type === 'leader' ? undefined : role.electionDeadlineMs;
  }

  get pendingReads(): number {
    const { role } = this.#state;
    return role.type === 'leader' ? role.reads.pending.length : 0;
  }

  get lastReadId(): number {
    return this.#state.lastReadId;
  }

  get confirmedReads(): readonly ConfirmedRead[] {
    return this.#state.outbox.confirmedReads;
  }

  get leaseLeftMs(): number | undefined {
    const { role, nowMs } = this.#state;
    if (role.type !== 'leader' || role.leaseEndMs === undefined) return undefined;
    return role.leaseEndMs - nowMs;
  }

  get heldMessages(): number {
    const { afterNextWrite, afterWriteInFlight } = this.#state.persistence;
    return afterNextWrite.length + afterWriteInFlight.length;
  }

  entryAt(index: LogIndex): Entry | undefined {
    return this.#state.log.entries[index - 1];
  }

  progressOf(peer: NodeId): ProgressView | undefined {
    const { role } = this.#state;
    if (role.type !== 'leader') return undefined;
    for (const progress of role.progress) {
      if (progress.id === peer) return this.#viewOf(progress);
    }
    return undefined;
  }

  #viewOf(progress: Progress): ProgressView {
    const known = this.#progress.get(progress);
    if (known !== undefined) return known;
    if (this.#progress.size >= VIEWS_MAX) this.#progress.clear();
    const view = new LiveProgress(progress);
    this.#progress.set(progress, view);
    return view;
  }
}

/** Always the present, as the rest of the view. */
class LiveProgress implements ProgressView {
  readonly #progress: Progress;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  get match(): LogIndex {
    return this.#progress.match;
  }

  get next(): LogIndex {
    return this.#progress.next;
  }

  get inflightMessages(): number {
    const { flow } = this.#progress;
    if (flow.type === 'probe') return 0;
    return flow.inflight.lastIndexes.length - flow.inflight.head;
  }

  get inflightBytes(): number {
    const { flow } = this.#progress;
    return flow.type === 'probe' ? 0 : flow.inflight.bytes;
  }

  get oldestInflight(): LogIndex | undefined {
    const { flow } = this.#progress;
    return flow.type === 'probe' ? undefined : flow.inflight.lastIndexes[flow.inflight.head];
  }
}

type LeaderState = Extract<RaftState['role'], { readonly type: 'leader' }>;
type Progress = LeaderState['progress'][number];

export function viewOf(raft: Raft): CoreView {
  return new RaftView(raft);
}

export function createRaft(options: RaftOptions, loaded: LoadedState, nowMs: number): Raft {
  return new Raft(options, loaded, nowMs);
}

function limitsOf(profile: WorldProfile): RaftLimits {
  const { appendBytesMax, inflightMessagesMax } = profile;
  return { ...DEFAULT_LIMITS, appendBytesMax, inflightMessagesMax };
}

export function raftOptionsOf(
  profile: WorldProfile,
  id: NodeId,
  random: () => number,
): RaftOptions {
  const { heartbeatMs, electionTimeoutMs, leaseReads, clockRateBound } = profile;
  const times = { heartbeatMs, electionTimeoutMs, leaseReads, clockRateBound };
  const limits = limitsOf(profile);
  return { ...DEFAULT_OPTIONS, ...times, id, random, limits };
}

/** The bounds S32 and S24 hold the core to: those it was given. */
export function boundsOf(profile: WorldProfile): Bounds {
  const { clockRateBound } = profile;
  return { ...limitsOf(profile), clockRateBound };
}
