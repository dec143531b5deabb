import type { TimedCommand } from './command.js';
import type { StormProfile } from './profile.js';

/** How what lies outside the healthy core stays broken, for ever. */
export type LastingBreakage = 'down' | 'frozen' | 'isolated' | 'mute' | 'deaf';

/** Liveness mode: after the storm `core` is healed, and everything else stays broken. */
export interface LivenessPlan {
  /** Positions of nodes; a majority of the cluster, none of them wiped or corrupted. */
  readonly core: readonly number[];
  /** Every node outside the core. */
  readonly broken: readonly { readonly node: number; readonly how: LastingBreakage }[];
}

/**
 * One storm as data. `planStorm(seed)` makes it; a run of it is a function of it and nothing else;
 * shrinking leaves commands out. Small decisions (latencies, losses, time-outs) are drawn by key
 * from `seed`, so that leaving one command out leaves the others as they were.
 */
export interface StormPlan {
  readonly version: 1;
  readonly seed: number;
  readonly profile: StormProfile;
  /** In order of time. */
  readonly commands: readonly TimedCommand[];
  /** Undefined: the run ends with the storm (what shrinking of a safety failure does). */
  readonly liveness: LivenessPlan | undefined;
}
