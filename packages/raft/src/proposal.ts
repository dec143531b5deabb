import { sendScheduledHeartbeats } from './heartbeat.js';
import { appendEntry, bytesBetween, entryBytes, lastIndex, nextIndex } from './log.js';
import { becomeLeader } from './roles.js';
import type { RaftState } from './state.js';
import { type EntryKind, type LogIndex, type NodeId, NO_INDEX, type Term } from './types.js';

/** What `propose` answers. */
export type Proposed =
  | {
      readonly type: 'accepted';
      /** The entry is committed once this index is, with this term; otherwise it is lost. */
      readonly index: LogIndex;
      readonly term: Term;
    }
  | {
      readonly type: 'rejected';
      readonly code: 'NOT_LEADER';
      readonly leader: NodeId | undefined;
    }
  | {
      readonly type: 'rejected';
      readonly code: 'OVERLOADED';
      /** The limit that was met; its value is in the options. */
      readonly limit: 'uncommittedBytesMax' | 'logBytesMax';
    };

/** What an entry carries. */
export interface Proposal {
  readonly kind: EntryKind;
  readonly payload: Uint8Array;
  readonly clusterTimeMs: number;
  readonly urgent: boolean;
}

/** How a proposal is taken. */
export interface ProposeOptions {
  /**
   * It keeps what is there alive or gives something back: where the limits refuse all else, it
   * passes up to a quarter above them. Default false.
   */
  readonly urgent?: boolean;
}

/** Bounded too: what is urgent may come without end, and the log is in memory. */
const URGENT_HEADROOM = 1.25;

const EMPTY = new Uint8Array(0);

/** As leader: appends to its own log; the next `Ready` writes and sends it (§3.5). */
export function appendProposal(state: RaftState, proposal: Proposal): Proposed {
  const limit = metLimit(state, proposal);
  if (limit !== undefined) return { type: 'rejected', code: 'OVERLOADED', limit };
  const { term } = state.hardState;
  const index = nextIndex(lastIndex(state.log));
  // The leader's clock starts at the last entry's stamp, but one that does not cannot break this.
  const clusterTimeMs = Math.max(proposal.clusterTimeMs, lastClusterTimeMs(state));
  const { kind, payload } = proposal;
  appendEntry(state.log, { index, term, kind, clusterTimeMs, payload });
  return { type: 'accepted', index, term };
}

/** A no-op always passes: without its own a new leader commits nothing and frees nothing. */
function metLimit(
  state: RaftState,
  proposal: Proposal,
): 'uncommittedBytesMax' | 'logBytesMax' | undefined {
  if (proposal.kind === 'no-op') return undefined;
  const { log, commitIndex, options } = state;
  const { uncommittedBytesMax, logBytesMax } = options.limits;
  const headroom = proposal.urgent ? URGENT_HEADROOM : 1;
  const last = lastIndex(log);
  const bytes = entryBytes(proposal.payload);
  const uncommittedBytes = bytesBetween(log, commitIndex, last) + bytes;
  if (uncommittedBytes > uncommittedBytesMax * headroom) return 'uncommittedBytesMax';
  const logBytes = bytesBetween(log, NO_INDEX, last) + bytes;
  return logBytes > logBytesMax * headroom ? 'logBytesMax' : undefined;
}

function lastClusterTimeMs(state: RaftState): number {
  return state.log.entries.at(-1)?.clusterTimeMs ?? 0;
}

/**
 * The election is won: heartbeats at once, and a no-op of the new term, behind which everything
 * before it commits (§6.4). It carries the last entry's cluster time: nothing has passed yet.
 */
export function lead(state: RaftState): void {
  const role = becomeLeader(state);
  const clusterTimeMs = lastClusterTimeMs(state);
  appendProposal(state, { kind: 'no-op', payload: EMPTY, clusterTimeMs, urgent: true });
  sendScheduledHeartbeats(state, role);
}
