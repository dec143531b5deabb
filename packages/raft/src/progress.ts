import {
  addInflight,
  forkInflight,
  type Inflight,
  inflightCount,
  makeInflight,
} from './inflight.js';
import type { RaftLimits } from './config.js';
import { nextIndex } from './log.js';
import { type LogIndex, type NodeId, NO_INDEX } from './types.js';

/**
 * How appends go out to one peer.
 * `probe`: where its log matches is unknown; one append at a time, then silence until it answers.
 * `replicate`: it matches; appends are sent ahead of their acknowledgements, within the window.
 * (`snapshot` joins with its issue: the entries it needs are gone, and appends pause until the
 * snapshot is installed.)
 */
export type Flow =
  | { readonly type: 'probe'; sent: boolean }
  | { readonly type: 'replicate'; readonly inflight: Inflight };

/** What the leader knows of one peer. `0 ≤ match < next`; `match` never falls in one term. */
export interface Progress {
  readonly id: NodeId;
  /** Highest index known to be durable there and equal to ours. */
  match: LogIndex;
  /** First index to send next. */
  next: LogIndex;
  flow: Flow;
  /** A scheduled heartbeat left after the last append: time enough to miss an answer. */
  beatSinceSent: boolean;
  /** Ask with an empty append whether what was sent has arrived. */
  nudge: boolean;
  /** When it last said something new in this term; CheckQuorum reads it. */
  contactMs: number;
  /** The highest commit index that anything sent to it has said. */
  toldCommit: LogIndex;
  /** The highest heartbeat round it answered. */
  ackedRound: number;
  /** When the latest round that it answered with our promise was sent; undefined: none yet. */
  promisedFromMs: number | undefined;
}

export function makeProgress(id: NodeId, next: LogIndex, nowMs: number): Progress {
  return {
    id,
    match: NO_INDEX,
    next,
    flow: { type: 'probe', sent: false },
    beatSinceSent: false,
    nudge: false,
    contactMs: nowMs,
    toldCommit: NO_INDEX,
    ackedRound: 0,
    promisedFromMs: undefined,
  };
}

export function forkProgress(progress: Progress): Progress {
  const { flow } = progress;
  if (flow.type === 'probe') return { ...progress, flow: { ...flow } };
  return { ...progress, flow: { ...flow, inflight: forkInflight(flow.inflight) } };
}

/** The peer disagreed or lost something: send one append from `next` and wait. */
export function becomeProbe(progress: Progress, next: LogIndex): void {
  progress.next = next;
  progress.flow = { type: 'probe', sent: false };
}

/** The peer agrees up to `match`: run ahead of its acknowledgements. */
export function becomeReplicate(progress: Progress): void {
  progress.next = nextIndex(progress.match);
  progress.flow = { type: 'replicate', inflight: makeInflight() };
}

/** Everything sent to it has been acknowledged: nothing under way will tell it anything. */
export function isIdle({ flow, match, next }: Progress): boolean {
  return flow.type === 'replicate' && inflightCount(flow.inflight) === 0 && match === next - 1;
}

/** May another append with entries leave now? */
export function hasRoom(flow: Flow, limits: RaftLimits): boolean {
  if (flow.type === 'probe') return !flow.sent;
  const { inflight } = flow;
  return (
    inflightCount(inflight) < limits.inflightMessagesMax && inflight.bytes < limits.inflightBytesMax
  );
}

/**
 * The peer is reachable, but has not answered an append for a heartbeat: that may be lost, and
 * an answer too.
 */
export function resume(progress: Progress): void {
  const { flow, match, next } = progress;
  const isUnanswered = flow.type === 'probe' ? flow.sent : match < next - 1;
  if (progress.beatSinceSent && isUnanswered) progress.nudge = true;
}

/** Notes an append that ends at `lastSent` as sent: optimistic unless probing. */
export function noteSent(progress: Progress, lastSent: LogIndex, bytes: number): void {
  const { flow } = progress;
  progress.nudge = false;
  progress.beatSinceSent = false;
  if (flow.type === 'probe') {
    flow.sent = true;
  } else if (lastSent >= progress.next) {
    addInflight(flow.inflight, lastSent, bytes);
    progress.next = nextIndex(lastSent);
  }
}
