import type { Entry, LogIndex, NodeId, Term } from './types.js';

/** Fields every message has. `term` is the sender's current term unless its variant says so. */
interface Envelope {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly term: Term;
}

/** "Would you vote for me in `term`?" §9.6. `term` is the term the asker would campaign in. */
export interface PreVoteRequest extends Envelope {
  readonly type: 'pre-vote-request';
  readonly lastIndex: LogIndex;
  readonly lastTerm: Term;
}

/**
 * Answer to a pre-vote. Granted: `term` is the term asked for. Refused: `term` is the refuser's
 * own, so that a higher term spreads even where the vote is refused.
 */
export interface PreVoteResponse extends Envelope {
  readonly type: 'pre-vote-response';
  readonly granted: boolean;
}

/** RequestVote, §3.4. Leaves only once the candidate's own vote is durable. */
export interface VoteRequest extends Envelope {
  readonly type: 'vote-request';
  readonly lastIndex: LogIndex;
  readonly lastTerm: Term;
}

export interface VoteResponse extends Envelope {
  readonly type: 'vote-response';
  readonly granted: boolean;
}

/** AppendEntries with entries or as a probe, §3.5. Travels on the bulk connection. */
export interface AppendRequest extends Envelope {
  readonly type: 'append-request';
  readonly prevIndex: LogIndex;
  readonly prevTerm: Term;
  readonly entries: readonly Entry[];
  /** The leader's commit index; the follower clamps it to what this request proves it holds. */
  readonly commitIndex: LogIndex;
}

/** The follower holds, durably, everything up to `matchIndex` as the leader sent it. */
export interface AppendAccepted extends Envelope {
  readonly type: 'append-accepted';
  readonly matchIndex: LogIndex;
}

/**
 * The consistency check failed at `prevIndex`. The hint: the highest index at which the follower
 * may agree with the leader, and its term there; whole terms are skipped on both sides.
 */
export interface AppendRejected extends Envelope {
  readonly type: 'append-rejected';
  readonly prevIndex: LogIndex;
  readonly hintIndex: LogIndex;
  readonly hintTerm: Term;
}

/**
 * Keeps followers quiet, spreads the commit index, confirms reads and renews the leader lease.
 * Travels on the control connection.
 */
export interface Heartbeat extends Envelope {
  readonly type: 'heartbeat';
  /** The leader's commit index; the follower clamps it to what is proved to equal its log. */
  readonly commitIndex: LogIndex;
  /** What the leader knows the receiver to hold: up to here its log equals the leader's. */
  readonly matchIndex: LogIndex;
  /**
   * The leader's own counter, increasing within the term: never a caller's id. 0: only
   * the commit index is news, and no answer is wanted.
   */
  readonly round: number;
  /** How long the receiver is asked to withhold its vote from anyone else, ms; 0: no promise. */
  readonly promiseMs: number;
}

export interface HeartbeatResponse extends Envelope {
  readonly type: 'heartbeat-response';
  readonly round: number;
  /** The promise as honoured; leaves only once a promise this long is durable. */
  readonly promiseMs: number;
}

/** Everything two nodes say to each other. Snapshot and time-out-now join with their issue. */
export type Message =
  | PreVoteRequest
  | PreVoteResponse
  | VoteRequest
  | VoteResponse
  | AppendRequest
  | AppendAccepted
  | AppendRejected
  | Heartbeat
  | HeartbeatResponse;
