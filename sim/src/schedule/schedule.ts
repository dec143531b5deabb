import type { WorldProfile } from '../world/profile.js';
import type { Command } from './command.js';

/** A run as data: the world it happens in, and what happens. It shrinks, and replays anywhere. */
export interface Schedule {
  readonly profile: WorldProfile;
  readonly commands: readonly Command[];
}
