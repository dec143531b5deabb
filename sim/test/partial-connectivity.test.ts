import { describe, expect, it } from 'vitest';
import type { CutMode, WorldObserver } from '../src/index.js';
import { CALM_PROFILE, World } from '../src/index.js';

/** partial connectivity. A link is given as two node positions. */
function worldWithLinks(nodeCount: number, seed: number): World {
  const world = new World({ profile: { ...CALM_PROFILE, nodeCount, seed } });
  world.start();
  world.advance(2000);
  return world;
}

function keepOnly(world: World, links: readonly (readonly [number, number])[]): void {
  const kept = new Set(links.flatMap(([one, other]) => [`${one}>${other}`, `${other}>${one}`]));
  const mode: CutMode = 'drop';
  for (const [at, from] of world.nodes.entries()) {
    for (const [to, node] of world.nodes.entries()) {
      if (at !== to && !kept.has(`${at}>${to}`)) world.cut(from, node, mode);
    }
  }
}

function leaderAt(world: World): number {
  const leader = world.leader();
  return leader === undefined ? -1 : world.nodes.indexOf(leader);
}

/** Counts leaders from now on. */
function countVictories(world: World): () => number {
  let victories = 0;
  const observer: WorldObserver = {
    observe: (event) => {
      if (event.type !== 'stepped' || event.after.role !== 'leader') return;
      if (event.before?.role !== 'leader') victories += 1;
    },
  };
  world.attach(observer);
  return () => victories;
}

/** Commits what is proposed now, by whoever leads then. */
function commits(world: World): boolean {
  const leader = world.leader();
  if (leader === undefined) return false;
  const before = world.highestCommit;
  world.propose(leader, 10);
  world.advance(500);
  return world.highestCommit > before;
}

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const MANY_TIMEOUTS_MS = 20_000;

describe('R-008, partial connectivity', () => {
  it('a leader that is not heard any more makes way for another', () => {
    for (const seed of SEEDS) {
      const world = worldWithLinks(3, seed);
      const [old, position] = [world.leader(), leaderAt(world)];
      if (old === undefined) throw new Error('no leader');
      for (const node of world.nodes) if (node !== old) world.cut(old, node, 'drop');
      world.advance(MANY_TIMEOUTS_MS);
      expect(leaderAt(world)).not.toBe(position);
      expect(old.view?.role).not.toBe('leader');
      expect(commits(world)).toBe(true);
    }
  });

  it('a leader that hears nothing any more steps down, though all hear it', () => {
    for (const seed of SEEDS) {
      const world = worldWithLinks(3, seed);
      const old = world.leader();
      if (old === undefined) throw new Error('no leader');
      for (const node of world.nodes) if (node !== old) world.cut(node, old, 'drop');
      world.advance(MANY_TIMEOUTS_MS);
      expect(world.leader()).not.toBe(old);
      expect(commits(world)).toBe(true);
    }
  });

  it('when all keep only their link to one follower, that one leads', () => {
    for (const seed of SEEDS) {
      const world = worldWithLinks(5, seed);
      const hub = (leaderAt(world) + 1) % 5;
      const spokes = [0, 1, 2, 3, 4].filter((position) => position !== hub);
      keepOnly(
        world,
        spokes.map((position) => [hub, position] as const),
      );
      world.advance(MANY_TIMEOUTS_MS);
      expect(leaderAt(world)).toBe(hub);
      expect(commits(world)).toBe(true);
    }
  });

  it('a line of three with the leader at an end does not alternate for ever', () => {
    for (const seed of SEEDS) {
      const world = worldWithLinks(3, seed);
      const end = leaderAt(world);
      const middle = (end + 1) % 3;
      keepOnly(world, [
        [end, middle],
        [middle, (end + 2) % 3],
      ]);
      const victories = countVictories(world);
      world.advance(MANY_TIMEOUTS_MS);
      expect(victories()).toBeLessThanOrEqual(1);
      expect(commits(world)).toBe(true);
    }
  });

  it('five with a chain of three and a leaf on each end of it keep a stable leader', () => {
    for (const seed of SEEDS) {
      const world = worldWithLinks(5, seed);
      const third = leaderAt(world);
      const [first, second] = [(third + 1) % 5, (third + 2) % 5];
      const [fourth, fifth] = [(third + 3) % 5, (third + 4) % 5];
      keepOnly(world, [
        [first, second],
        [second, third],
        [first, third],
        [second, fourth],
        [third, fifth],
      ]);
      const victories = countVictories(world);
      const termBefore = world.nodes[third]?.view?.term ?? 0;
      world.advance(MANY_TIMEOUTS_MS);
      expect(victories()).toBeLessThanOrEqual(1);
      expect((world.leader()?.view?.term ?? 0) - termBefore).toBeLessThanOrEqual(1);
      expect(commits(world)).toBe(true);
    }
  });
});
