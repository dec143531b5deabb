import { checkInvariants, type LogIndex, Raft, type Term } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/index.js';
import { ledWorld, leaderOf } from './worlds.js';

/** Is told of each completed write once more, right before the next one. */
class ToldTwice extends Raft {
  static stale = 0;
  #earlier: readonly [Term, LogIndex] | undefined;

  override persisted(term: Term, index: LogIndex, nowMs: number): void {
    const earlier = this.#earlier;
    if (earlier !== undefined && (earlier[0] !== term || earlier[1] !== index)) {
      ToldTwice.stale += 1;
      super.persisted(...earlier, nowMs);
    }
    this.#earlier = [term, index];
    super.persisted(term, index, nowMs);
  }
}

const plain = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? value.length : value;

describe('a core', () => {
  it('takes no completion for one of another write', () => {
    const world = ledWorld(
      {},
      { createCore: (options, loaded, nowMs) => new ToldTwice(options, loaded, nowMs) },
    );
    for (let count = 0; count < 50; count += 1) {
      world.propose(leaderOf(world), 20);
      world.advance(7);
    }
    world.advance(100);
    expect(ToldTwice.stale).toBeGreaterThan(50);
    for (const node of world.nodes) expect(node.view?.appliedIndex).toBe(51);
  });

  it('copied at any moment is the same, and goes its own way', () => {
    const cores = new Map<string, Raft>();
    const world = ledWorld(
      { leaseReads: true },
      {
        createCore: (options, loaded, nowMs) => {
          const core = new Raft(options, loaded, nowMs);
          cores.set(options.id, core);
          return core;
        },
      },
    );
    const dice = new RandomStream(1, 'copies');
    const roles = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      if (count % 20 === 10) world.partition((node) => node === leaderOf(world), 'drop');
      if (count % 20 === 19) world.heal();
      const leader = world.leader();
      if (leader !== undefined) world.propose(leader, 8);
      world.advance(dice.between(0, 300));
      for (const core of cores.values()) {
        const before = JSON.stringify(core.state, plain);
        const copy = core.fork();
        expect(JSON.stringify(copy.state, plain)).toBe(before);
        roles.add(copy.state.role.type);
        copy.tick(core.state.nowMs + 400);
        copy.ready();
        checkInvariants(copy.state);
        expect(JSON.stringify(core.state, plain)).toBe(before);
      }
    }
    expect([...roles].sort()).toEqual(['follower', 'leader', 'pre-candidate']);
  });
});
