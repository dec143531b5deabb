import { Raft, type RaftLimits, type RaftOptions } from '@raftd/raft';
import type { WorldEvent, WorldOptions, WorldProfile } from '../../src/index.js';
import { CALM_PROFILE, Checkers, World } from '../../src/index.js';
import { boundsOf } from '../../src/world/raft-view.js';
import type { RaftNode } from '../../src/world/node.js';

type CreateCore = NonNullable<WorldOptions['createCore']>;

/** The real core with some of its options changed. */
export function coreWith(change: (options: RaftOptions) => Partial<RaftOptions>): CreateCore {
  return (options, loaded, nowMs) => new Raft({ ...options, ...change(options) }, loaded, nowMs);
}

export function coreWithin(limits: Partial<RaftLimits>): CreateCore {
  return coreWith((options) => ({ limits: { ...options.limits, ...limits } }));
}

/** A world under all checkers that has not started. */
export function checkedWorld(
  profile: Partial<WorldProfile>,
  options: Omit<WorldOptions, 'profile'> = {},
): World {
  const full = { ...CALM_PROFILE, ...profile };
  const world = new World({ profile: full, ...options });
  world.attach(new Checkers(world, boundsOf(full)));
  return world;
}

/** The same, run until it has a leader. */
export function ledWorld(
  profile: Partial<WorldProfile>,
  options: Omit<WorldOptions, 'profile'> = {},
): World {
  const world = checkedWorld(profile, options);
  world.start();
  world.advance(3_000);
  leaderOf(world);
  return world;
}

export function leaderOf(world: World): RaftNode {
  const leader = world.leader();
  if (leader === undefined) throw new Error('nobody leads');
  return leader;
}

export function followersOf(world: World): readonly [RaftNode, RaftNode] {
  const [first, second] = world.nodes.filter((node) => node !== leaderOf(world));
  if (first === undefined || second === undefined) throw new Error('a world of three is wanted');
  return [first, second];
}

/** Keeps all events of one type. */
export function collect<Type extends WorldEvent['type']>(
  world: World,
  type: Type,
): readonly Extract<WorldEvent, { readonly type: Type }>[] {
  const found: Extract<WorldEvent, { readonly type: Type }>[] = [];
  const isOfType = (event: WorldEvent): event is Extract<WorldEvent, { readonly type: Type }> =>
    event.type === type;
  world.attach({
    observe: (event) => {
      if (isOfType(event)) found.push(event);
    },
  });
  return found;
}
