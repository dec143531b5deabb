import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '../../src/storm/fault-kind.js';
import type { StormPlan } from '../../src/storm/plan.js';
import { planStorm } from '../../src/storm/planner/plan-storm.js';

const PLANS: readonly StormPlan[] = Array.from({ length: 400 }, (_, seed) => planStorm(seed + 1));

function share(holds: (plan: StormPlan) => boolean): number {
  return PLANS.filter(holds).length / PLANS.length;
}

function operations({ commands }: StormPlan): readonly StormPlan['commands'][number][] {
  return commands.filter(({ command }) => command.type === 'operate');
}

describe('the plan of a storm', () => {
  it('is a function of its seed', () => {
    expect(planStorm(77)).toEqual(planStorm(77));
    expect(planStorm(77)).not.toEqual(planStorm(78));
  });

  it('is plain data: it comes back the same from JSON', () => {
    for (const plan of PLANS.slice(0, 20)) {
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    }
  });

  it('goes forward in time, and ends with the storm', () => {
    for (const { commands, profile } of PLANS) {
      const times = commands.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1)).toBeLessThan(profile.stormMs);
    }
  });

  it('has every size of cluster and every number of clients in at least 6 % of seeds', () => {
    for (let size = 1; size <= 7; size += 1) {
      expect(share(({ profile }) => profile.nodeCount === size)).toBeGreaterThan(0.06);
    }
    for (let count = 1; count <= 8; count += 1) {
      expect(share(({ profile }) => profile.clientCount === count)).toBeGreaterThan(0.06);
    }
  });

  it('has every kind of fault in some seeds and lacks it in others', () => {
    for (const kind of FAULT_KINDS) {
      const present = share(({ profile }) => profile.faults.includes(kind));
      expect(present, kind).toBeGreaterThan(0.08);
      expect(present, kind).toBeLessThan(0.92);
    }
  });

  it('bounds clusters or cores tightly in about a fifth of seeds', () => {
    expect(share(({ profile }) => profile.tight !== undefined)).toBeGreaterThan(0.12);
    expect(share(({ profile }) => profile.tight !== undefined)).toBeLessThan(0.28);
    expect(share(({ profile }) => profile.tight?.settings.leasesMax !== undefined)).toBeGreaterThan(
      0.06,
    );
    expect(
      share(({ profile }) => profile.tight?.core.inflightMessagesMax !== undefined),
    ).toBeGreaterThan(0.06);
  });

  it('leaves a majority out of lasting harm, and makes the healthy core of it', () => {
    for (const { commands, profile, liveness } of PLANS) {
      const harmed = new Set(
        commands.flatMap(({ command }) =>
          command.type === 'wipe' || command.type === 'corrupt' ? [command.node] : [],
        ),
      );
      expect(harmed.size * 2).toBeLessThan(profile.nodeCount);
      const core = liveness?.core ?? [];
      expect(core.length * 2).toBeGreaterThan(profile.nodeCount);
      expect(core.filter((node) => harmed.has(node))).toEqual([]);
      const broken = liveness?.broken.map(({ node }) => node) ?? [];
      expect([...core, ...broken].toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: profile.nodeCount }, (_, node) => node),
      );
    }
  });

  it('without one kind of fault does the same operations at the same moments', () => {
    for (const seed of [3, 4, 5]) {
      const whole = planStorm(seed);
      const without = planStorm(seed, { without: ['crash', 'clock-rate'] });
      expect(operations(without)).toEqual(operations(whole));
      expect(without.profile.faults).not.toContain('crash');
    }
  });

  it('with exactly the kinds asked for has no command of another', () => {
    const { commands, profile } = planStorm(9, { faults: ['freeze-client'] });
    expect(profile.faults).toEqual(['freeze-client']);
    const types = new Set(commands.map(({ command }) => command.type));
    expect([...types].toSorted()).toEqual(['freeze-client', 'operate', 'thaw-client']);
  });
});
