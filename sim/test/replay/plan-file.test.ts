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

const TOO_SHORT = 'profile.electionTimeoutMs: at least twice heartbeatMs';

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
    for (let seed = 1; seed <= 300; seed += 1) {
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
    ['heartbeats too rare', (it) => (it.plan.profile['heartbeatMs'] = 60_000), TOO_SHORT],
    ['time-outs too short', (it) => (it.plan.profile['electionTimeoutMs'] = 1), TOO_SHORT],
    [
      'lease reads beyond what may be promised',
      (it) => {
        it.plan.profile['reads'] = 'lease';
        it.plan.profile['tight'] = { settings: {}, core: { promiseMsMax: 20 } };
      },
      'at most promiseMsMax (20) is wanted',
    ],
    [
      'messages that take a day',
      (it) => (it.plan.profile['latencyMs'] = [0, 86_400_000]),
      'profile.latencyMs[1]: a number from 0 to 10000',
    ],
    ['a span the wrong way round', (it) => (it.plan.profile['turnMs'] = [4, 0]), 'low is above'],
    [
      'leases of no length',
      (it) =>
        (it.plan.profile['tight'] = {
          settings: { leaseTtlMinMs: 9, leaseTtlMaxMs: 1 },
          core: {},
        }),
      'profile.tight.settings.leaseTtlMinMs: at most leaseTtlMaxMs (1)',
    ],
    [
      'a shortest lease above the default of the longest',
      (it) => (it.plan.profile['tight'] = { settings: { leaseTtlMinMs: 86_400_001 }, core: {} }),
      'profile.tight.settings.leaseTtlMinMs',
    ],
    ['no majority', (it) => (it.plan['liveness'] = { core: [0], broken: [] }), 'a majority of 3'],
    [
      'a node twice in the core',
      (it) => (it.plan['liveness'] = { core: [0, 0], broken: [] }),
      'liveness.core[1]: node 0 is named twice',
    ],
    [
      'a node of the core that is broken',
      (it) => (it.plan['liveness'] = { core: [0, 1], broken: [{ node: 1, how: 'mute' }] }),
      'liveness.broken[0].node: node 1 is named twice',
    ],
    [
      'a core of nodes that are not there',
      (it) => (it.plan['liveness'] = { core: [0, 3], broken: [] }),
      'liveness.core[1]: there are 3 nodes',
    ],
    ['an unknown bug', (it) => (it['bug'] = 'NOPE'), 'bug: no bug of the catalogue'],
    ['another version', (it) => (it.plan['version'] = 2), 'only version 1'],
    ['an unknown heading', (it) => (it['seed'] = 1), 'plan, checker, sentence, bug'],
  ])('is refused for %s, and the place is named', (_, change, message) => {
    expect(() => parsePlanFile(changed(change as (document: never) => void))).toThrow(message);
  });

  it('may begin with a byte order mark, and name nodes and clients round', () => {
    const far = planOf(3, 1_000, [[0, { type: 'cut-client', client: 77, node: 9 }]]);
    expect(parsePlanFile(`\uFEFF${showPlanFile({ plan: far })}`).plan.commands).toHaveLength(1);
  });

  it('is refused in one line, whatever it is', () => {
    for (const text of ['{\n"plan": x\n}\n', '\n\n[1,\n2', 'a\nb']) {
      expect(() => parsePlanFile(text)).toThrow(/^.+$/);
      try {
        parsePlanFile(text);
      } catch (error) {
        expect(String(error)).not.toMatch(/[\r\n]/);
      }
    }
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
