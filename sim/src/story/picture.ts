import type { NodeId } from '@raftd/raft';

/** What there is to switch on and off in a drawing. */
export type Kind =
  | 'message'
  | 'heartbeat'
  | 'disk'
  | 'apply'
  | 'state'
  | 'life'
  | 'client'
  | 'told';

/** One thing that happened, as it is drawn: a dot on a lane. */
export interface DrawnEvent {
  /** Which event of the run, from 0. */
  readonly index: number;
  readonly atMs: number;
  /** A node's id, a client's name, or '' for the world. */
  readonly lane: string;
  readonly kind: Kind;
  readonly words: string;
  /** What it changed of the node's state: `term 3 → 4`. */
  readonly changes: readonly string[];
}

/** A message on its way; times and places by the events of its ends. */
export interface Arrow {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly sentIndex: number;
  readonly endIndex: number;
  readonly term: number;
  readonly kind: 'message' | 'heartbeat';
  /** It never came: why. */
  readonly lost: string | undefined;
  readonly words: string;
}

export type SpanType =
  | 'follower'
  | 'pre-candidate'
  | 'candidate'
  | 'leader'
  | 'down'
  | 'frozen'
  | 'cut'
  | 'operation'
  | 'leads';

/** Something that lasted. */
export interface Span {
  readonly type: SpanType;
  readonly lane: string;
  readonly fromIndex: number;
  /** Undefined: until the end. */
  readonly toIndex: number | undefined;
  readonly term: number;
  /** How it went: an operation `answered`, `rejected`, `indeterminate` … */
  readonly outcome: string;
  readonly words: string;
}

/** The part of a run that is drawn. */
export interface Picture {
  readonly nodes: readonly NodeId[];
  readonly clients: readonly string[];
  /** In order; those before the first are cut away. */
  readonly events: readonly DrawnEvent[];
  readonly arrows: readonly Arrow[];
  readonly spans: readonly Span[];
  /** Events of the whole run. */
  readonly eventsInAll: number;
  /** And those that nobody would look at: steps that changed nothing, heartbeats as asked. */
  readonly eventsLeftOut: number;
  /** Heartbeats were kept. */
  readonly hasHeartbeats: boolean;
}
