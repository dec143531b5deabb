import { describe, expect, it } from 'vitest';
import type { StormEvent } from '../../src/storm/events.js';
import { runStorm } from '../../src/storm/run.js';
import { describeStormEvent } from '../../src/story/describe-event.js';
import { handMadePlan } from '../storm/hand-made-plan.js';

const plan = handMadePlan(
  [
    [3_000, { type: 'crash', node: 'leader', landed: 'nothing' }],
    [3_001, { type: 'restart-all' }],
    [5_000, { type: 'crash', node: 'leader', landed: 'nothing' }],
    [7_000, { type: 'restart-all' }],
  ],
  { faults: ['clock-rate'], nodeSkews: [1, 0, -1], clientSkews: [1, 1] },
);

/** What happened, and whether the node that was to hear it was up. */
async function losses(): Promise<ReadonlyMap<string, ReadonlySet<boolean>>> {
  const found = new Map<string, Set<boolean>>();
  const { failure } = await runStorm(plan, {
    observers: (cluster) => [
      {
        observe: (event) => {
          if (event.type !== 'lost') return;
          const isUp = cluster.node(event.message.to).view !== undefined;
          const seen = found.get(event.reason) ?? new Set();
          found.set(event.reason, seen.add(isUp));
        },
      },
    ],
  });
  expect(failure).toBeUndefined();
  return found;
}

describe('why a message never came', () => {
  it('says that a node is down only of nodes that are', async () => {
    const found = await losses();
    expect(found.get('node-down')).toEqual(new Set([false]));
    expect(found.get('stale-connection')).toEqual(new Set([true]));
    expect(found.get('not-connected')?.size).toBeGreaterThan(0);
  });
});

describe('a fault that no command names', () => {
  it('is told of each process once', async () => {
    const words: string[] = [];
    const tell = (event: StormEvent): void => {
      if (event.type !== 'fault-injected' || event.kind !== 'clock-rate') return;
      words.push(describeStormEvent(event, plan.profile));
    };
    await runStorm(plan, { observers: () => [{ observe: tell }] });
    expect(words).toEqual([
      'fault: clock-rate of n1',
      'fault: clock-rate of n3',
      'fault: clock-rate of clients',
    ]);
  });
});
