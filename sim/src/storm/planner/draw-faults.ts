import type { TimedCommand } from '../command.js';
import type { StormProfile } from '../profile.js';
import { CLIENT_EPISODES } from './client-episodes.js';
import { Dice } from './dice.js';
import { DISK_EPISODES } from './disk-episodes.js';
import { type Episode, Script } from './episode.js';
import { NETWORK_EPISODES } from './network-episodes.js';
import { NODE_EPISODES } from './node-episodes.js';

const EPISODES: readonly Episode[] = [
  ...NETWORK_EPISODES,
  ...NODE_EPISODES,
  ...DISK_EPISODES,
  ...CLIENT_EPISODES,
];

/**
 * Harm begins when the cluster has formed: forming needs every node once, so a node that is lost
 * before can never be done without.
 */
const CALM_START_MS = 3_000;

/** What goes wrong in a storm, and when it is mended. Episodes overlap. */
export function drawFaults(
  seed: number,
  profile: StormProfile,
  victims: readonly number[],
): readonly TimedCommand[] {
  const dice = new Dice(seed, 'episodes');
  const possible = EPISODES.filter(
    ({ needs, suits }) =>
      needs.every((kind) => profile.faults.includes(kind)) && (suits?.(profile) ?? true),
  );
  if (possible.length === 0) return [];
  const choices = possible.map((episode) => [episode.weight, episode] as const);
  const meanGapMs = dice.pick([1_000, 2_500, 6_000]);
  const commands: TimedCommand[] = [];
  for (let atMs = CALM_START_MS; ; ) {
    atMs += dice.between(0, 2 * meanGapMs);
    if (atMs >= profile.stormMs) return commands;
    const script = new Script(dice, profile, victims, atMs);
    dice.weighted(choices).write(script);
    for (const command of script.commands) {
      if (command.atMs < profile.stormMs) commands.push(command);
    }
    // Mostly one after the other, so that the cluster comes to do something in between.
    if (dice.percent(70)) atMs = Math.max(atMs, script.atMs);
  }
}
