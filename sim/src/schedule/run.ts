import { Checkers } from '../invariants/checkers.js';
import { Census, type Tally } from '../world/census.js';
import type { WorldObserver } from '../world/events.js';
import { boundsOf } from '../world/raft-view.js';
import { Trace } from '../world/trace.js';
import { World, type WorldOptions } from '../world/world.js';
import { perform } from './perform.js';
import type { Schedule } from './schedule.js';

export interface RunOptions {
  /** Broken drivers and cores, for checking the checkers. */
  readonly world?: Omit<WorldOptions, 'profile'>;
  /** Where to count what happens. */
  readonly tally?: Tally;
  /** Invariants to leave out, by id. */
  readonly except?: readonly string[];
  /** Further observers, made for the world of this run. */
  readonly observers?: (world: World) => readonly WorldObserver[];
}

/** Runs a schedule under all checkers; throws what the first of them finds. */
export function runSchedule(schedule: Schedule, options: RunOptions = {}): World {
  const world = new World({ profile: schedule.profile, ...options.world });
  for (const observer of options.observers?.(world) ?? []) world.attach(observer);
  if (options.tally !== undefined) world.attach(new Census(world, options.tally));
  world.attach(new Checkers(world, boundsOf(schedule.profile), options));
  world.start();
  for (const command of schedule.commands) perform(world, command);
  return world;
}

/** What a failing schedule told until it failed. */
export interface Retold {
  readonly failure: Error | undefined;
  readonly lines: readonly string[];
}

/** Runs a schedule once more with its trace, commands among the events. */
export function retell(schedule: Schedule, options: RunOptions = {}): Retold {
  const world = new World({ profile: schedule.profile, ...options.world });
  const trace = new Trace(world);
  world.attach(trace);
  world.attach(new Checkers(world, boundsOf(schedule.profile), options));
  try {
    world.start();
    for (const command of schedule.commands) {
      trace.note(`--- ${JSON.stringify(command)}`);
      perform(world, command);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { failure: error, lines: trace.lines };
  }
  return { failure: undefined, lines: trace.lines };
}
