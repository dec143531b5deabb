import {
  encodeCommand,
  type CommandResult,
  type LeaseId,
  type LoggedCommand,
  type Revision,
  type SessionId,
} from '@raftd/protocol';
import type { NodeId } from '@raftd/raft';
import { describe, expect, it } from 'vitest';
import type { StormProbe } from '../../src/storm/cluster.js';
import type { StormCommand } from '../../src/storm/command.js';
import type { StormProfile } from '../../src/storm/profile.js';
import { runStorm } from '../../src/storm/run.js';
import { ClientSometimes } from '../../src/storm/sometimes/client-sometimes.js';
import { SometimesTally } from '../../src/storm/sometimes/sometimes.js';
import { putCommand } from '../history/support/hand-run.js';
import { HandCluster } from '../support/cluster-by-hand.js';
import { handMadePlan } from './hand-made-plan.js';

type Timed = readonly [atMs: number, command: StormCommand];

async function play(commands: readonly Timed[], profile: Partial<StormProfile> = {}) {
  const plan = handMadePlan(commands, { stormMs: 9_000, ...profile });
  const result = await runStorm({ ...plan, liveness: undefined });
  expect(result.failure).toBeUndefined();
  return result;
}

describe('what happened to the world', () => {
  it('a torn tail is cut when its node starts, not when the power goes', async () => {
    const slow = { writeMs: [40, 50] as const };
    const crash: Timed = [4_030, { type: 'crash', node: 'leader', landed: 'torn' }];
    const down = await play([crash], slow);
    expect(down.faults['torn-write']).toBe(1);
    expect(down.sometimes['torn tail cut at start']).toBe(0);
    const started = await play([crash, [5_000, { type: 'restart-all' }]], slow);
    expect(started.sometimes['torn tail cut at start']).toBe(1);
  });

  it('a clock that nobody has does not jump', async () => {
    const jump = (client: 'holder' | 0): Timed => [
      4_000,
      { type: 'jump-client-clock', client, byMs: 500 },
    ];
    expect((await play([jump('holder')])).sometimes['clock jumps forward']).toBe(0);
    expect((await play([jump(0)])).sometimes['clock jumps forward']).toBe(1);
  });

  it('a leader is cut off one way if there is one, and from all others', async () => {
    const name = 'leader cut off one way';
    const mute = { type: 'mute', node: 'leader' } as const;
    expect((await play([[4_000, mute]])).sometimes[name]).toBe(1);
    expect((await play([[1, mute]])).sometimes[name]).toBe(0);
    const one = { type: 'cut-one-way', from: 'leader', to: 'follower' } as const;
    expect((await play([[4_000, one]])).sometimes[name]).toBe(0);
  });

  it('no majority means that none is in touch', async () => {
    const name = 'no majority, no progress';
    const apart = [0, 1, 2].map((node): Timed => [3_000, { type: 'isolate', node }]);
    expect((await play(apart)).sometimes[name]).toBeGreaterThan(0);
    const lone = await play([[3_000, { type: 'isolate', node: 'leader' }]]);
    expect(lone.sometimes[name]).toBe(0);
  });

  it('nodes that have not formed a cluster yet are not down', async () => {
    const name = 'all nodes down at once';
    const early = await play([[1, { type: 'crash', node: 2, landed: 'nothing' }]]);
    expect(early.sometimes[name]).toBe(0);
    const all = await play([[4_000, { type: 'crash-all', landed: 'nothing' }]]);
    expect(all.sometimes[name]).toBe(1);
  });

  it('a record that is damaged already is damaged once', async () => {
    const { faults, sometimes } = await play([
      [4_000, { type: 'corrupt', node: 0, fraction: 0.5 }],
      [4_500, { type: 'corrupt', node: 0, fraction: 0.7 }],
      [5_000, { type: 'restart', node: 0 }],
      [6_000, { type: 'corrupt', node: 0, fraction: 0.2 }],
    ]);
    expect(faults['corrupt-record']).toBe(1);
    expect(sometimes['damaged record refused at start']).toBe(1);
  });
});

describe('a retry answered from the kept reply', () => {
  const put = stamped(putCommand('k', 'v'));
  const done: CommandResult = { type: 'put', revision: 1 as Revision, version: 1 };

  it('is a request that ran and comes again', () => {
    expect(countRetries([put, done], [put, done])).toBe(1);
  });

  it('is none that was turned away', () => {
    const refusal = { code: 'SESSION_EXPIRED' } as const;
    expect(countRetries([put, done], [put, { type: 'refused', refusal }])).toBe(0);
  });

  it('is no renewal: each runs', () => {
    const renew = stamped({
      type: 'lease-renew',
      renewals: [{ lease: 'l' as LeaseId, attempt: 1 }],
    });
    const renewed: CommandResult = { type: 'lease-renew', renewals: [] };
    expect(countRetries([renew, renewed], [renew, renewed])).toBe(0);
  });
});

function stamped(command: LoggedCommand['command']): LoggedCommand {
  const session = 's' as SessionId;
  return { stamp: { session, openedAtMs: 0, sequence: 1, mark: 1 }, command } as LoggedCommand;
}

function countRetries(...applied: readonly (readonly [LoggedCommand, CommandResult])[]): number {
  const tally = new SometimesTally();
  const counted = new ClientSometimes(new HandCluster('n1') as unknown as StormProbe, tally);
  for (const [at, [logged, result]] of applied.entries()) {
    counted.observe({
      type: 'machine-applied',
      node: 'n1' as NodeId,
      index: at + 1,
      clusterTimeMs: at,
      payload: encodeCommand(logged),
      result,
      changes: undefined,
      leasesGone: [],
    });
  }
  return tally.counts['retry answered from the kept reply'];
}
