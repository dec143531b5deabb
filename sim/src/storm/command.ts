import type { ClientOperation } from '../workload/operation.js';

/**
 * Whom a command means: a position (counted round), or a role as it is when the command runs.
 * `leader` is the one of the highest term, `old-leader` one that was deposed and does not know.
 */
export type NodeTarget = number | 'leader' | 'old-leader' | 'follower';

/** A client: a position, or whoever holds some leadership as far as it knows. */
export type ClientTarget = number | 'holder';

/** How much of the write in flight had reached the disk when the power went. */
export type Landed = 'nothing' | 'torn' | 'whole';

/** One thing that is done to the world, or that a client is told to do. */
export type StormCommand =
  | { readonly type: 'operate'; readonly client: ClientTarget; readonly operation: ClientOperation }
  | { readonly type: 'crash'; readonly node: NodeTarget; readonly landed: Landed }
  | { readonly type: 'crash-all'; readonly landed: Landed }
  /** Starts a node that is down; a node that refused for good stays down. */
  | { readonly type: 'restart'; readonly node: NodeTarget }
  | { readonly type: 'restart-all' }
  | { readonly type: 'freeze'; readonly node: NodeTarget }
  | { readonly type: 'thaw'; readonly node: NodeTarget; readonly timersFirst: boolean }
  /** The write in flight, or else the next one, fails with EIO: the process must end. */
  | { readonly type: 'fail-write'; readonly node: NodeTarget }
  /** Writes take so much longer from now on; 0 ends it. */
  | { readonly type: 'stall-disk'; readonly node: NodeTarget; readonly extraMs: number }
  /** Every write fails with ENOSPC until `free-disk`. */
  | { readonly type: 'fill-disk'; readonly node: NodeTarget }
  | { readonly type: 'free-disk'; readonly node: NodeTarget }
  /** Crash, then a durable record is damaged: the next start must refuse. Planned victims only. */
  | { readonly type: 'corrupt'; readonly node: number; readonly fraction: number }
  /** Crash and an empty disk: the next start must refuse to vote. Planned victims only. */
  | { readonly type: 'wipe'; readonly node: number }
  /** Node clusters: those whose bit is set against the others, both ways. */
  | { readonly type: 'split'; readonly mask: number }
  | { readonly type: 'isolate'; readonly node: NodeTarget }
  | { readonly type: 'cut-one-way'; readonly from: NodeTarget; readonly to: NodeTarget }
  /** Nothing it sends arrives at other nodes, or nothing from them arrives at it. */
  | { readonly type: 'mute'; readonly node: NodeTarget }
  | { readonly type: 'deafen'; readonly node: NodeTarget }
  | { readonly type: 'mend'; readonly from: NodeTarget; readonly to: NodeTarget }
  | { readonly type: 'heal' }
  /** Between a client and one node, or all: frames vanish, connections stay up until noticed. */
  | {
      readonly type: 'cut-client';
      readonly client: ClientTarget;
      readonly node: NodeTarget | 'all';
    }
  | { readonly type: 'mend-client'; readonly client: ClientTarget }
  /** Every connection of the client breaks, replies in flight are lost. */
  | { readonly type: 'reset-client'; readonly client: ClientTarget }
  | { readonly type: 'freeze-client'; readonly client: ClientTarget }
  | { readonly type: 'thaw-client'; readonly client: ClientTarget; readonly timersFirst: boolean }
  /** kill -9 with whatever is in flight; a new process under the same name starts later. */
  | { readonly type: 'kill-client'; readonly client: ClientTarget }
  | { readonly type: 'start-client'; readonly client: ClientTarget }
  | { readonly type: 'jump-node-clock'; readonly node: NodeTarget; readonly byMs: number }
  | { readonly type: 'jump-client-clock'; readonly client: ClientTarget; readonly byMs: number };

export interface TimedCommand {
  /** True time. */
  readonly atMs: number;
  readonly command: StormCommand;
}
