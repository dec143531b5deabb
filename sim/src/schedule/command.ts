import type { CutMode } from '../world/network.js';
import type { ReadKind } from '../world/events.js';

/**
 * Whom a command means: a position, or a role as it is when the command runs. `leader` is the
 * one of the highest term; `old-leader` one that was deposed and does not know, if there is one.
 */
export type Target = number | 'leader' | 'old-leader' | 'follower';

/** One thing that happens in a schedule. Everything a run does is a list of these. */
export type Command =
  /** Time passes, and with it all that falls due: messages, writes, timers. */
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'deliver'; readonly nth: number }
  | { readonly type: 'drop'; readonly nth: number }
  | { readonly type: 'duplicate'; readonly nth: number; readonly delayMs: number }
  /** An old message comes once more, whatever happened since. */
  | { readonly type: 'replay'; readonly nth: number; readonly delayMs: number }
  | {
      readonly type: 'propose';
      readonly to: Target;
      readonly count: number;
      readonly bytes: number;
    }
  | { readonly type: 'read'; readonly to: Target; readonly kind: ReadKind }
  | { readonly type: 'complete-write'; readonly node: Target }
  /** `landed`: whether the write in flight reached the disk though nobody was told. */
  | { readonly type: 'crash'; readonly node: Target; readonly landed: boolean }
  | { readonly type: 'restart'; readonly node: number }
  | { readonly type: 'crash-all'; readonly landed: boolean }
  | { readonly type: 'freeze'; readonly node: Target }
  | { readonly type: 'thaw'; readonly timersFirst: boolean }
  | { readonly type: 'isolate'; readonly node: Target; readonly mode: CutMode }
  /** Nodes whose bit is set against the others. */
  | { readonly type: 'split'; readonly mask: number; readonly mode: CutMode }
  | {
      readonly type: 'cut-one-way';
      readonly from: Target;
      readonly to: number;
      readonly mode: CutMode;
    }
  /** Nothing it sends arrives, or nothing arrives at it. */
  | { readonly type: 'mute'; readonly node: Target; readonly mode: CutMode }
  | { readonly type: 'deafen'; readonly node: Target; readonly mode: CutMode }
  | { readonly type: 'heal' }
  /** Everything is made whole and time passes: what makes the next faults interesting. */
  | { readonly type: 'recover'; readonly ms: number };
