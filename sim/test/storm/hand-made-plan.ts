import type { StormCommand, TimedCommand } from '../../src/storm/command.js';
import type { StormEvent, StormObserver } from '../../src/storm/events.js';
import type { LivenessPlan, StormPlan } from '../../src/storm/plan.js';
import type { StormProfile } from '../../src/storm/profile.js';
import { calmProfile } from '../support/calm-profile.js';

export const ALL_HEALTHY: LivenessPlan = { core: [0, 1, 2], broken: [] };

/** A put of a client every 100 ms, and these commands. */
export function handMadePlan(
  commands: readonly (readonly [atMs: number, command: StormCommand])[],
  profile: Partial<StormProfile> = {},
  liveness: LivenessPlan | undefined = ALL_HEALTHY,
): StormPlan {
  const full = calmProfile(profile);
  const timed: TimedCommand[] = commands.map(([atMs, command]) => ({ atMs, command }));
  for (let atMs = 500; atMs < full.stormMs; atMs += 100) {
    const client = (atMs / 100) % full.clientCount;
    timed.push({ atMs, command: { type: 'operate', client, operation: { type: 'put', key: 1 } } });
  }
  timed.sort((one, other) => one.atMs - other.atMs);
  return { version: 1, seed: 7, profile: full, commands: timed, liveness };
}

/** Keeps the events of some types. */
export class Collector implements StormObserver {
  readonly events: StormEvent[] = [];
  readonly #types: readonly StormEvent['type'][];

  constructor(...types: readonly StormEvent['type'][]) {
    this.#types = types;
  }

  observe(event: StormEvent): void {
    if (this.#types.includes(event.type)) this.events.push(event);
  }
}
