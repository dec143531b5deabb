import type { Entry, LogIndex, LogWrite, Message, NodeId } from '@raftd/raft';
import type { CoreSnapshot, CoreView } from './core-view.js';
import type { LogChange } from './log-mirror.js';
import type { PacketCopy } from './network.js';

/** What made a core move. */
export type Cause =
  | { readonly type: 'boot' }
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'tick' }
  | { readonly type: 'propose' }
  | { readonly type: 'read' }
  | { readonly type: 'persisted' };

/** One input was handled. `before` is undefined at boot. */
export interface Stepped {
  readonly type: 'stepped';
  readonly node: NodeId;
  readonly cause: Cause;
  readonly before: CoreSnapshot | undefined;
  readonly after: CoreSnapshot;
  readonly view: CoreView;
  /** How the log in memory differs from the one seen last. */
  readonly log: LogChange;
}

/** A message left its node; the disk is as the checkers find it now. */
export interface Sent {
  readonly type: 'sent';
  readonly message: Message;
}

export interface Delivered {
  readonly type: 'delivered';
  readonly message: Message;
  readonly copy: PacketCopy;
}

/**
 * `stale-connection`: it arrived at a later life of the receiver than the connection was made
 * with; `not-connected`: the sender had no connection to send it over.
 */
export type LostReason =
  | 'chance'
  | 'command'
  | 'cut'
  | 'node-down'
  | 'stale-connection'
  | 'not-connected';

export interface Lost {
  readonly type: 'lost';
  readonly message: Message;
  readonly reason: LostReason;
}

export interface WriteStarted {
  readonly type: 'write-started';
  readonly node: NodeId;
  readonly write: LogWrite;
}

/** The disk says that the write is durable. A frozen node hears of it later. */
export interface WriteDone {
  readonly type: 'write-done';
  readonly node: NodeId;
  readonly write: LogWrite;
}

export interface Applied {
  readonly type: 'applied';
  readonly node: NodeId;
  readonly entry: Entry;
}

export interface Proposed {
  readonly type: 'proposed';
  readonly node: NodeId;
  readonly outcome: 'accepted' | 'NOT_LEADER' | 'OVERLOADED';
}

export type ReadKind = 'quorum' | 'lease';

/** A reader asked, and a node took the read on. */
export interface ReadAnswered {
  readonly type: 'read-answered';
  readonly node: NodeId;
  readonly kind: ReadKind;
  /** The highest commit index anywhere when the reader asked: older is stale. */
  readonly floorIndex: LogIndex;
  /** The answer, or why there is none. */
  readonly outcome: ReadOutcome;
}

export type ReadOutcome =
  | { readonly type: 'served'; readonly appliedIndex: LogIndex; readonly readIndex: LogIndex }
  | { readonly type: 'refused' }
  | { readonly type: 'aborted' };

export interface Crashed {
  readonly type: 'crashed';
  readonly node: NodeId;
  readonly lostWrites: number;
  readonly landedWrites: number;
}

export interface Restarted {
  readonly type: 'restarted';
  readonly node: NodeId;
}

export interface Frozen {
  readonly type: 'frozen';
  readonly node: NodeId;
}

export interface Thawed {
  readonly type: 'thawed';
  readonly node: NodeId;
  readonly frozenMs: number;
}

/** Links were cut or made whole. */
export interface Rewired {
  readonly type: 'rewired';
  readonly cuts: readonly string[];
}

export type WorldEvent =
  | Stepped
  | Sent
  | Delivered
  | Lost
  | WriteStarted
  | WriteDone
  | Applied
  | Proposed
  | ReadAnswered
  | Crashed
  | Restarted
  | Frozen
  | Thawed
  | Rewired;

/** Sees everything that happens, right after it happened. */
export interface WorldObserver {
  observe(event: WorldEvent): void;
}
