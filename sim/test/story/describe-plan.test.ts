import { describe, expect, it } from 'vitest';
import { describeCommand } from '../../src/story/describe-command.js';
import { describeFaults, describeLiveness, describeSize } from '../../src/story/describe-plan.js';
import type { StormCommand } from '../../src/storm/command.js';
import { planOf } from '../support/core-engine.js';

const SIZE = { nodeCount: 3, clientCount: 1 };

describe('a command for people', () => {
  it.each<readonly [StormCommand, string]>([
    [{ type: 'crash', node: 2, landed: 'torn' }, 'crash n3 landed torn'],
    [{ type: 'crash', node: 4, landed: 'torn' }, 'crash n2 landed torn'],
    [{ type: 'freeze', node: 'old-leader' }, 'freeze old-leader'],
    [{ type: 'split', mask: 0b101 }, 'split n1 n3 against the others'],
    [{ type: 'split', mask: 0b1000 }, 'split nobody against the others'],
    [{ type: 'cut-one-way', from: 0, to: 'leader' }, 'cut-one-way from n1 to leader'],
    [{ type: 'stall-disk', node: 1, extraMs: 40 }, 'stall-disk n2 extraMs 40'],
    [{ type: 'cut-client', client: 2, node: 'all' }, 'cut-client c1 all'],
    [{ type: 'cut-client', client: 'holder', node: 0 }, 'cut-client holder n1'],
    [
      { type: 'operate', client: 2, operation: { type: 'get', key: 5, stale: false } },
      'c1: get k5',
    ],
    [
      { type: 'operate', client: 0, operation: { type: 'transact', reads: [1, 2], writes: [] } },
      'c1: transact reads [k1 k2] writes []',
    ],
    [
      { type: 'operate', client: 0, operation: { type: 'get-leased', key: 1, stale: true } },
      'c1: get-leased l1 stale',
    ],
    [
      {
        type: 'operate',
        client: 'holder',
        operation: { type: 'end-grant', election: 1, by: 'revoke' },
      },
      'holder: end-grant e1 by revoke',
    ],
  ])('%j names whom it means as events do: %s', (command, words) => {
    expect(describeCommand(command, SIZE)).toBe(words);
  });

  it('without the size of the world counts on', () => {
    expect(describeCommand({ type: 'restart', node: 4 })).toBe('restart n5');
  });
});

describe('a plan for people', () => {
  const plan = planOf(7, 2_000, [
    [1, { type: 'crash', node: 1, landed: 'nothing' }],
    [2, { type: 'restart', node: 1 }],
    [3, { type: 'crash', node: 1, landed: 'nothing' }],
    [4, { type: 'split', mask: 1 }],
    [5, { type: 'heal' }],
    [6, { type: 'stall-disk', node: 1, extraMs: 0 }],
  ]);

  it('says how large its world is', () => {
    expect(describeSize(SIZE)).toBe('3 nodes, 1 client');
  });

  it('lists what is left in the schedule, not the kinds that were drawn', () => {
    const { profile } = plan;
    const quiet = { ...plan, profile: { ...profile, faults: ['delay', 'wipe'] as const } };
    expect(describeFaults(quiet)).toBe(
      'faults by chance: delay; in the schedule: 2 × crash, 1 × split',
    );
  });

  it('names clocks of a wrong rate, and says so if nothing can go wrong', () => {
    const calm = { ...plan, commands: [], profile: { ...plan.profile, faults: [] } };
    expect(describeFaults(calm)).toBe('no faults');
    const skewed = { ...calm, profile: { ...calm.profile, nodeSkews: [0, 1, 0] } };
    expect(describeFaults(skewed)).toBe('faults by chance: clock-rate');
  });

  it('names the nodes of the healthy core and of the rest', () => {
    const broken = [{ node: 3, how: 'down' as const }];
    expect(describeLiveness({ core: [0, 1, 2], broken })).toBe('core n1 n2 n3; for ever: n4 down');
    expect(describeLiveness({ core: [0], broken: [] })).toBe('core n1');
  });
});
