import { describe, expect, it } from 'vitest';
import { parsePlanFile, showPlanFile } from '../../src/replay/plan-file.js';
import type { StormCommand } from '../../src/storm/command.js';
import { planStorm } from '../../src/storm/index.js';
import type { ClientOperation } from '../../src/workload/operation.js';
import { planOf } from '../support/core-engine.js';

const OPERATION: ClientOperation = {
  type: 'lead',
  election: 1,
  ttlMs: 3_000,
  holdMs: 900,
  workEveryMs: 50,
  careless: true,
  waitMs: undefined,
  end: 'abandon',
};
const COMMANDS: readonly StormCommand[] = [
  { type: 'operate', client: 'holder', operation: OPERATION },
  { type: 'cut-client', client: 3, node: 'all' },
  { type: 'thaw', node: 'old-leader', timersFirst: true },
  { type: 'jump-client-clock', client: 0, byMs: -5_000 },
];
const plan = planOf(
  3,
  1_000,
  COMMANDS.map((command, at) => [at * 10, command] as const),
);

function changed(change: (document: never) => void): string {
  const document = JSON.parse(showPlanFile({ plan, checker: 'S10' })) as never;
  change(document);
  return JSON.stringify(document);
}

describe('a plan as a file', () => {
  it('comes back as it was, with what it is known for', () => {
    const file = { plan, checker: 'S10', sentence: 'Two "leaders".', bug: 'M01' };
    expect(JSON.parse(JSON.stringify(parsePlanFile(showPlanFile(file))))).toEqual(
      JSON.parse(JSON.stringify(file)),
    );
  });

  it('may be the plan alone', () => {
    expect(parsePlanFile(JSON.stringify(plan)).plan.commands).toHaveLength(4);
  });

  it('holds every plan that a seed makes', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const planned = planStorm(seed);
      const read = parsePlanFile(showPlanFile({ plan: planned })).plan;
      expect(read).toEqual(planned);
    }
  });

  it('without liveness mode ends with the storm', () => {
    const text = showPlanFile({ plan: { ...plan, liveness: undefined } });
    expect(parsePlanFile(text).plan.liveness).toBeUndefined();
  });

  it.each<readonly [string, (document: DocumentOf) => void, string]>([
    [
      'a command of no type',
      (it) => (it.plan.commands[1].command = { type: 'explode' }),
      'commands[1].command.type',
    ],
    [
      'a field too many',
      (it) => (it.plan.commands[1].command['why'] = 1),
      'commands[1].command.why',
    ],
    [
      'a field too few',
      (it) => delete it.plan.commands[1].command['node'],
      'commands[1].command.node',
    ],
    ['a number out of range', (it) => (it.plan.profile['nodeCount'] = 9), 'from 1 to 7'],
    [
      'an unknown kind of fault',
      (it) => (it.plan.profile['faults'] = ['fire']),
      'profile.faults[0]',
    ],
    ['times out of order', (it) => (it.plan.commands[2].atMs = 0), 'commands[2].atMs'],
    ['clocks for fewer nodes', (it) => (it.plan.profile['nodeSkews'] = []), 'one a node'],
    ['another version', (it) => (it.plan['version'] = 2), 'only version 1'],
    ['an unknown heading', (it) => (it['seed'] = 1), 'plan, checker, sentence, bug'],
  ])('is refused for %s, and the place is named', (_, change, message) => {
    expect(() => parsePlanFile(changed(change as (document: never) => void))).toThrow(message);
  });

  it('is refused when it is no JSON', () => {
    expect(() => parsePlanFile('{')).toThrow('JSON');
    expect(() => parsePlanFile('[]')).toThrow('an object is wanted');
  });
});

interface TimedDocument {
  atMs: number;
  command: Record<string, unknown>;
}

interface DocumentOf extends Record<string, unknown> {
  plan: Record<string, unknown> & {
    profile: Record<string, unknown>;
    commands: [TimedDocument, TimedDocument, TimedDocument];
  };
}
