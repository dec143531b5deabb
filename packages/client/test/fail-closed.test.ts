import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Leadership } from '../src/leadership.js';
import { FakeCluster } from './harness/cluster.js';
import { watchOutcome } from './harness/outcome.js';
import { World } from './harness/world.js';

const TTL = 2_000;
const STEP_MS = 25;

type Fault =
  | { readonly type: 'pass'; readonly ms: number }
  | {
      readonly type: 'freeze' | 'thaw' | 'kill' | 'revive' | 'drop' | 'elect';
      readonly node: number;
    }
  | { readonly type: 'leaderless' }
  | { readonly type: 'lose-answers'; readonly node: number }
  | { readonly type: 'renew-foreign'; readonly ahead: number; readonly times: number }
  | { readonly type: 'delay-answers'; readonly node: number; readonly ms: number }
  | { readonly type: 'block' | 'suspend'; readonly ms: number }
  | { readonly type: 'wall-step'; readonly ms: number };

const node = fc.integer({ min: 1, max: 3 });
const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.nat(1_500) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('freeze', 'thaw', 'thaw', 'kill', 'revive', 'drop', 'elect'),
      node,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'leaderless' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('lose-answers' as const), node }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('renew-foreign' as const),
      ahead: fc.constantFrom(1, 2, 50),
      times: fc.constantFrom(1, 1, 40),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('delay-answers' as const),
      node,
      ms: fc.constantFrom(0, 100, 450, 1_200),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('block' as const, 'suspend' as const),
      ms: fc.nat(4_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('wall-step' as const),
      ms: fc.constantFrom(-3_600_000, -500, 500, 3_600_000),
    }),
  },
);

/**
 * A suspend and a step back between two readings of the clocks show on neither: the token alone
 * covers that (README), so that no schedule has both.
 */
const schedules = fc
  .array(faults, { minLength: 5, maxLength: 25 })
  .map((schedule) =>
    schedule.some(({ type }) => type === 'suspend')
      ? schedule.filter((fault) => fault.type !== 'wall-step' || fault.ms > 0)
      : schedule,
  );

const rate = fc.constantFrom(0.99, 1, 1.01);

/** What happened over all runs: a zero would mean that the property was never put to the test. */
const seen = { grants: 0, losses: 0, handovers: 0, held: 0, suspects: 0, overtaken: 0 };

class Trial {
  readonly world = new World();
  readonly cluster = new FakeCluster(this.world);
  readonly #open = new Set<Leadership>();
  #lastHolder: string | undefined;

  async start(rates: readonly number[]): Promise<void> {
    for (const [index, clockRate] of rates.entries()) {
      const client = await this.cluster.connect({ rate: clockRate, silenceMs: 500 });
      const candidate = `c${index}`;
      const running = client.election('e').run({ candidate, ttlMs: TTL }, async (leadership) => {
        seen.grants += 1;
        this.#open.add(leadership);
        await new Promise<void>((resolve) => {
          leadership.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        seen.losses += 1;
      });
      watchOutcome(running);
    }
  }

  /** C4: nobody believes to lead once the state machine has ended the grant. */
  check(): void {
    this.cluster.state.expire();
    const holder = this.cluster.state.elections.get('e')?.leader?.holder;
    if (holder !== undefined && holder !== this.#lastHolder) {
      if (this.#lastHolder !== undefined) seen.handovers += 1;
      this.#lastHolder = holder;
    }
    for (const leadership of this.#open) {
      if (leadership.state === 'suspect') seen.suspects += 1;
      if (!leadership.held) continue;
      seen.held += 1;
      expect(holder, `${leadership.candidate} believes to lead`).toBe(leadership.holder);
    }
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.world.advance(STEP_MS);
      this.check();
      this.cluster.publish();
    }
  }

  /** Somebody else renews the same leases, once or for a while. */
  async renewForeign(ahead: number, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      this.cluster.state.renewAll(ahead);
      if (times > 1) await this.pass(STEP_MS);
    }
  }

  async apply(fault: Fault): Promise<void> {
    const { cluster, world } = this;
    switch (fault.type) {
      case 'pass':
        return this.pass(fault.ms);
      case 'freeze':
        cluster.node(fault.node).frozen = true;
        return;
      case 'thaw':
        return cluster.node(fault.node).thaw();
      case 'kill':
        return cluster.node(fault.node).kill();
      case 'revive':
        cluster.node(fault.node).down = false;
        return;
      case 'drop':
        return cluster.node(fault.node).dropConnections();
      case 'elect':
        return cluster.elect(fault.node);
      case 'leaderless':
        cluster.leader = undefined;
        return;
      case 'lose-answers': {
        const target = cluster.node(fault.node);
        target.script = (_request, usual) => {
          usual();
          target.script = undefined;
          return undefined;
        };
        return;
      }
      case 'renew-foreign':
        return this.renewForeign(fault.ahead, fault.times);
      case 'delay-answers':
        cluster.node(fault.node).answerDelayMs = fault.ms;
        return;
      case 'block':
        world.block(fault.ms);
        return this.check();
      case 'suspend':
        world.suspend(fault.ms);
        return this.check();
      case 'wall-step':
        world.wallOffsetMs += fault.ms;
        return this.check();
    }
  }
}

describe('a client fails closed', () => {
  it('C4: never holds what the state machine has ended, under any schedule of faults', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, rate, rate, rate, async (schedule, one, other, clusterRate) => {
        const trial = new Trial();
        trial.cluster.state.clockRate = clusterRate;
        await trial.start([one, other]);
        for (const fault of schedule) await trial.apply(fault);
        await trial.pass(2_500);
        seen.overtaken += trial.cluster.state.overtaken;
      }),
      { numRuns: 200, endOnFailure: true },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  });
});
