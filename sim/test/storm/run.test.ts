import { describe, expect, it } from 'vitest';
import type { StormEvent } from '../../src/storm/events.js';
import type { StormPlan } from '../../src/storm/plan.js';
import { runStorm, type StormOptions } from '../../src/storm/run.js';
import { Collector, handMadePlan } from './hand-made-plan.js';

async function watch(
  plan: StormPlan,
  types: readonly StormEvent['type'][],
  options: StormOptions = {},
) {
  const collector = new Collector(...types);
  const result = await runStorm(plan, { ...options, observers: () => [collector] });
  return { result, events: collector.events };
}

describe('a storm of real servers', () => {
  it('elects once and serves its clients where nothing goes wrong', async () => {
    const { result, events } = await watch(handMadePlan([]), ['operation-returned']);
    expect(result.failure).toBeUndefined();
    expect(result.leaderChanges).toBe(0);
    expect(events).toHaveLength(95);
    for (const event of events) {
      expect(event).toMatchObject({ outcome: { type: 'answered' } });
    }
  });

  it('keeps its leader for an hour of calm', async () => {
    const idle = { clientCount: 1, stormMs: 3_600_000, heartbeatMs: 100, electionTimeoutMs: 600 };
    const plan = handMadePlan([], idle, undefined);
    const commands = plan.commands.slice(0, 20);
    const { result } = await watch({ ...plan, commands }, []);
    expect(result.failure).toBeUndefined();
    expect(result.leaderChanges).toBe(0);
  });

  it('survives the crash of its leader and takes it back', async () => {
    const plan = handMadePlan([
      [3_000, { type: 'crash', node: 'leader', landed: 'torn' }],
      [5_000, { type: 'restart-all' }],
      [6_000, { type: 'crash-all', landed: 'whole' }],
      [7_000, { type: 'restart-all' }],
    ]);
    const { result, events } = await watch(plan, ['crashed', 'restarted']);
    expect(result.failure).toBeUndefined();
    expect(result.leaderChanges).toBeGreaterThanOrEqual(2);
    expect(events.filter(({ type }) => type === 'restarted')).toHaveLength(4);
    expect(result.faults).toMatchObject({ crash: 1, 'crash-all': 1 });
  });

  it('goes on while its leader is frozen, and thaws it in any order', async () => {
    for (const timersFirst of [true, false]) {
      const plan = handMadePlan([
        [3_000, { type: 'freeze', node: 'leader' }],
        [6_000, { type: 'thaw', node: 0, timersFirst }],
        [6_000, { type: 'thaw', node: 1, timersFirst }],
        [6_000, { type: 'thaw', node: 2, timersFirst }],
      ]);
      const { result, events } = await watch(plan, ['thawed']);
      expect(result.failure).toBeUndefined();
      expect(result.leaderChanges).toBeGreaterThanOrEqual(1);
      expect(events).toMatchObject([{ type: 'thawed', frozenMs: 3_000 }]);
    }
  });

  it('deposes a leader that is cut off, one way or both', async () => {
    for (const type of ['isolate', 'mute', 'deafen'] as const) {
      const plan = handMadePlan([
        [3_000, { type, node: 'leader' }],
        [6_000, { type: 'heal' }],
      ]);
      const { result } = await watch(plan, []);
      expect(result.failure, type).toBeUndefined();
      expect(result.leaderChanges, type).toBeGreaterThanOrEqual(1);
    }
  });

  it('never lets a node vote that lost its disk', async () => {
    const plan = handMadePlan(
      [
        [3_000, { type: 'wipe', node: 2 }],
        [4_000, { type: 'restart', node: 2 }],
        [7_000, { type: 'restart', node: 2 }],
      ],
      {},
      { core: [0, 1], broken: [{ node: 2, how: 'down' }] },
    );
    const { result, events } = await watch(plan, ['node-ended', 'restarted']);
    expect(result.failure).toBeUndefined();
    expect(events).toMatchObject([
      { type: 'restarted', node: 'n3' },
      { type: 'node-ended', node: 'n3', code: 'WRONG_IDENTITY' },
    ]);
  });

  it('refuses to start on a damaged record, wherever in the log it lies', async () => {
    for (const fraction of [0, 0.5, 0.999]) {
      const plan = handMadePlan(
        [
          [3_000, { type: 'corrupt', node: 0, fraction }],
          [4_000, { type: 'restart', node: 0 }],
        ],
        {},
        { core: [1, 2], broken: [{ node: 0, how: 'down' }] },
      );
      const { result, events } = await watch(plan, ['node-refused', 'restarted']);
      expect(result.failure).toBeUndefined();
      expect(events).toMatchObject([{ type: 'node-refused', node: 'n1', code: 'DATA_DAMAGED' }]);
    }
  });

  it('ends a node whose disk is full, and starts it once there is room', async () => {
    const plan = handMadePlan([
      [3_000, { type: 'fill-disk', node: 'leader' }],
      [5_000, { type: 'restart-all' }],
      [6_000, { type: 'free-disk', node: 0 }],
      [6_000, { type: 'free-disk', node: 1 }],
      [6_000, { type: 'free-disk', node: 2 }],
      [7_000, { type: 'restart-all' }],
    ]);
    const { result, events } = await watch(plan, ['node-ended', 'restarted']);
    expect(result.failure).toBeUndefined();
    expect(events).toMatchObject([
      { type: 'node-ended', code: 'STORAGE_FAILED', message: expect.stringContaining('ENOSPC') },
      { type: 'node-ended', code: 'DISK_FULL' },
      { type: 'restarted' },
    ]);
  });

  it('ends a node whose write fails', async () => {
    const plan = handMadePlan([[3_000, { type: 'fail-write', node: 'follower' }]]);
    const { result, events } = await watch(plan, ['node-ended']);
    expect(result.failure).toBeUndefined();
    expect(events).toMatchObject([
      { code: 'STORAGE_FAILED', message: expect.stringContaining('EIO') },
    ]);
    expect(result.faults['write-failure']).toBe(1);
  });

  it('stays alive beside nodes that are broken for ever, however they are', async () => {
    for (const how of ['down', 'frozen', 'isolated', 'mute', 'deaf'] as const) {
      const plan = handMadePlan([], {}, { core: [0, 2], broken: [{ node: 1, how }] });
      const { result } = await watch(plan, []);
      expect(result.failure, how).toBeUndefined();
    }
  });

  it('lets a cluster form in liveness mode that the storm kept from forming', async () => {
    const plan = handMadePlan([[1, { type: 'crash', node: 2, landed: 'nothing' }]]);
    const { result } = await watch(plan, []);
    expect(result.failure).toBeUndefined();
  });

  it('runs alike with frames as bytes, losses, copies and skewed clocks', async () => {
    const plan = handMadePlan([], {
      encoded: true,
      faults: ['drop', 'duplicate', 'reorder', 'delay', 'clock-rate'],
      lossPercent: 3,
      duplicatePercent: 5,
      slowPercent: 3,
      slowMs: 100,
      nodeSkews: [1, -1, 0.5],
      reads: 'lease',
      equalTimeouts: true,
    });
    const { result } = await watch(plan, []);
    expect(result.failure).toBeUndefined();
    for (const kind of ['drop', 'duplicate', 'reorder', 'delay', 'clock-rate'] as const) {
      expect(result.faults[kind], kind).toBeGreaterThan(0);
    }
  });
});

describe('two runs of one plan', () => {
  const plan = handMadePlan([
    [3_000, { type: 'crash', node: 'leader', landed: 'torn' }],
    [3_500, { type: 'reset-client', client: 0 }],
    [4_000, { type: 'restart-all' }],
  ]);

  it('have the same trace', async () => {
    const first = await runStorm(plan);
    const second = await runStorm(plan);
    expect(second).toEqual(first);
  });

  it('differ where the plan does', async () => {
    const first = await runStorm(plan);
    const second = await runStorm({ ...plan, seed: 8 });
    expect(second.traceHash).not.toBe(first.traceHash);
  });
});

describe('what must be caught', () => {
  const crashes = handMadePlan([
    [3_000, { type: 'crash-all', landed: 'nothing' }],
    [3_100, { type: 'restart-all' }],
  ]);

  it('is a disk that acknowledges what it can still lose', async () => {
    const result = await runStorm(crashes, { driverFaults: ['lying-disk'] });
    expect(['S3', 'S7', 'S15']).toContain(result.failure?.checker);
  });

  it('is a disk whose lies no other checker may tell of', async () => {
    const except = ['S3', 'S7', 'S15', 'S16', 'S18', 'S33', 'S2'];
    const result = await runStorm(crashes, { driverFaults: ['lying-disk'], except });
    expect(result.failure).toBeDefined();
  });

  it('is a core that throws', async () => {
    const result = await runStorm(handMadePlan([]), {
      createCore: () => {
        throw new Error('a planted defect');
      },
    });
    expect(result.failure).toMatchObject({ checker: 'assertion' });
    expect(result.failure?.sentence).toContain('a planted defect');
  });

  it('is a healthy core without a leader', async () => {
    const result = await runStorm(
      handMadePlan(
        [],
        {},
        {
          core: [0],
          broken: [
            { node: 1, how: 'down' },
            { node: 2, how: 'deaf' },
          ],
        },
      ),
    );
    expect(result.failure).toMatchObject({ checker: 'liveness' });
  });

  it('is an observer that complains', async () => {
    const complaining = {
      observe: () => undefined,
      finish: () => {
        throw new Error('seen at the end');
      },
    };
    const result = await runStorm(handMadePlan([]), { observers: () => [complaining] });
    expect(result.failure?.sentence).toContain('seen at the end');
  });
});
