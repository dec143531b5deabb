import { Raft } from '@raftd/raft';
import type { ServerOptions } from '@raftd/server';
import { describe, expect, it } from 'vitest';
import type { ChangeOptions } from '../../src/storm/node/node-surroundings.js';
import { runStorm } from '../../src/storm/run.js';
import { Collector, handMadePlan } from './hand-made-plan.js';

type Members = ServerOptions['members'];

/** The first so many of `--peers`. */
function first(members: Members, count: number): Members {
  return members.slice(0, count);
}

async function refusalOf(nodeOptions: ChangeOptions): Promise<string | undefined> {
  const { failure } = await runStorm(handMadePlan([]), { nodeOptions });
  return failure?.sentence;
}

describe('a node whose operator mistyped its options does not start', () => {
  it('where --peers lacks the node itself, or names one twice', async () => {
    const without = await refusalOf((options) => {
      const members = options.members.filter(({ id }) => id !== options.id);
      return options.id === 'n2' ? { ...options, members } : options;
    });
    expect(without).toContain('listed lacks this node, n2');
    const twice = await refusalOf((options) => {
      const members = [...options.members, ...first(options.members, 1)];
      return options.id === 'n3' ? { ...options, members } : options;
    });
    expect(twice).toContain('listed names one twice');
  });

  it('where its times cannot work', async () => {
    const sentence = await refusalOf((options) => ({ ...options, heartbeatMs: 400 }));
    expect(sentence).toContain('electionTimeoutMs is 300, below twice heartbeatMs (400)');
  });
});

describe('a node of no cluster, or of another, is kept out', () => {
  it('when it was only written into the --peers of a cluster that has formed', async () => {
    const collector = new Collector('node-ended');
    const plan = handMadePlan(
      [
        [1, { type: 'crash', node: 2, landed: 'nothing' }],
        [4_000, { type: 'crash', node: 0, landed: 'whole' }],
        [4_100, { type: 'restart', node: 0 }],
        [5_000, { type: 'restart', node: 2 }],
      ],
      {},
      { core: [0, 1], broken: [{ node: 2, how: 'down' }] },
    );
    const result = await runStorm(plan, {
      observers: () => [collector],
      // Two form the cluster; then one of them is told of a third.
      nodeOptions: (options, life) => {
        const isTold = options.id === 'n3' || life > 1;
        return isTold ? options : { ...options, members: first(options.members, 2) };
      },
    });
    expect(result.failure).toBeUndefined();
    expect(result.operations).toBeGreaterThan(50);
    expect(collector.events).toMatchObject([
      { node: 'n3', code: 'WRONG_IDENTITY', message: expect.stringContaining('has no member n3') },
    ]);
  });

  it('when it comes with the data directory of another cluster', async () => {
    const collector = new Collector('node-ended');
    const plan = handMadePlan(
      [
        [3_000, { type: 'crash-all', landed: 'whole' }],
        [4_000, { type: 'restart-all' }],
      ],
      {},
      { core: [0, 1], broken: [{ node: 2, how: 'down' }] },
    );
    const result = await runStorm(plan, {
      observers: () => [collector],
      nodeOptions: (options, life) => {
        const { id, identity, members } = options;
        if (id !== 'n3' || life === 1 || identity === undefined) return options;
        const others = members.map((member) => ({ id: member.id, incarnation: 'another' }));
        return { ...options, identity: { clusterId: 'another', members: others } };
      },
    });
    expect(result.failure).toBeUndefined();
    expect(collector.events).toMatchObject([
      {
        node: 'n3',
        code: 'WRONG_IDENTITY',
        message: expect.stringContaining('are of another cluster than this data directory'),
      },
    ]);
  });
});

describe('a cluster that holds little', () => {
  it('refuses what is beyond, by the code that says so, and nothing breaks', async () => {
    const codes = new Map<string, number>();
    const plan = handMadePlan([], {
      tight: { settings: { sessionsMax: 1 }, core: { uncommittedBytesMax: 4_096 } },
    });
    const result = await runStorm(plan, {
      observers: () => [
        {
          observe: (event) => {
            if (event.type !== 'operation-returned') return;
            const { outcome } = event;
            const code = outcome.type === 'failed' ? outcome.code : 'answered';
            codes.set(code, (codes.get(code) ?? 0) + 1);
          },
        },
      ],
    });
    expect(result.failure).toBeUndefined();
    // One of two clients has the only session.
    expect([...codes.keys()].sort()).toEqual(['CAPACITY_REACHED', 'answered']);
    expect(codes.get('answered')).toBeGreaterThan(30);
    expect(codes.get('CAPACITY_REACHED')).toBeGreaterThan(30);
  });

  it('is told of its limits by the core it runs', async () => {
    const limits: number[] = [];
    await runStorm(handMadePlan([], { tight: { settings: {}, core: { pendingReadsMax: 3 } } }), {
      createCore: (options, loaded, nowMs) => {
        limits.push(options.limits.pendingReadsMax);
        return new Raft(options, loaded, nowMs);
      },
    });
    expect(limits).toEqual([3, 3, 3]);
  });
});
