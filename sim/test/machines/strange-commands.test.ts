import {
  type Applied,
  type CommandCodec,
  type CommandResult,
  Coordinator,
} from '@raftd/coordinator';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MachineRun, runMachines, SMALL_SETTINGS } from '../../src/machines/run-machines.js';

/** Seeds are fixed: a red build stays red. */
const FIRST_SEED = 20_250_101;
const SEEDS = 6;
const STEPS = 2_500;

/** As `CODE`, or `CODE name` with the name of the limit or the argument. */
const EVERY_REFUSAL = [
  'CAMPAIGN_EXISTS',
  'CAMPAIGN_WITHDRAWN',
  'CAPACITY_REACHED candidatesPerElectionMax',
  'CAPACITY_REACHED electionsMax',
  'CAPACITY_REACHED fencesMax',
  'CAPACITY_REACHED keysPerLeaseMax',
  'CAPACITY_REACHED leasesMax',
  'CAPACITY_REACHED sessionsMax',
  'CAPACITY_REACHED withdrawalsPerLeaseMax',
  'FENCED',
  'INVALID_ARGUMENT attempt',
  'INVALID_ARGUMENT campaignId',
  'INVALID_ARGUMENT election',
  'INVALID_ARGUMENT initialize',
  'INVALID_ARGUMENT key',
  'INVALID_ARGUMENT lease',
  'INVALID_ARGUMENT mark',
  'INVALID_ARGUMENT openedAtMs',
  'INVALID_ARGUMENT resource',
  'INVALID_ARGUMENT sequence',
  'INVALID_ARGUMENT session',
  'INVALID_ARGUMENT token',
  'INVALID_ARGUMENT tokenBase',
  'INVALID_ARGUMENT ttlMs',
  'LEASE_ENDING',
  'LEASE_EXISTS',
  'LEASE_NOT_FOUND',
  'LIMIT_EXCEEDED keysPerEntryMax',
  'LIMIT_EXCEEDED txnReplyBytesMax',
  'REPLY_DROPPED',
  'SESSION_EXPIRED',
  'SESSION_WINDOW_FULL',
  'STALE_REQUEST',
];

let runs: readonly MachineRun[] = [];

function refusalOf(result: CommandResult): string | undefined {
  if (result.type !== 'refused') return undefined;
  const { refusal } = result;
  if (refusal.code === 'CAPACITY_REACHED') return `${refusal.code} ${refusal.what}`;
  if ('field' in refusal) return `${refusal.code} ${refusal.field}`;
  return refusal.code;
}

describe('machines in a cluster that strangers write to', () => {
  // The rules and the checkers of the cores judge each entry while it runs.
  beforeAll(() => {
    runs = Array.from({ length: SEEDS }, (_, at) => runMachines(FIRST_SEED + at, STEPS));
  });

  it('make the same of every entry, do nothing twice and keep every limit', () => {
    for (const { cluster } of runs) expect(cluster.outcomes.length).toBeGreaterThan(STEPS / 3);
  });

  it('refuse for every reason there is, and also do what is asked', () => {
    const results = runs.flatMap(({ cluster }) => cluster.outcomes.map(({ result }) => result));
    const refusals = new Set(results.flatMap((result) => refusalOf(result) ?? []));
    expect([...refusals].sort()).toEqual(EVERY_REFUSAL);
    const done = new Set(results.map(({ type }) => type));
    for (const type of ['put', 'txn', 'lease-renew', 'campaign', 'fence-advance'] as const) {
      expect([...done]).toContain(type);
    }
  });

  it('show one state on all pages of a range, or say that it is gone', () => {
    const turned = runs.map(({ pages }) => pages);
    expect(Math.min(...turned.map(({ pages, lasts }) => pages - lasts))).toBeGreaterThan(10);
    expect(turned.reduce((sum, { expired }) => sum + expired, 0)).toBeGreaterThan(0);
  });
});

/** Hears of some entries only that time has passed. */
class Forgetful extends Coordinator {
  override apply(index: number, clusterTimeMs: number, payload: Uint8Array): Applied {
    return super.apply(index, clusterTimeMs, index % 50 === 0 ? new Uint8Array() : payload);
  }
}

/** Takes every request for a new one. */
function withoutMemory(codec: CommandCodec): CommandCodec {
  let sequence = 0;
  return {
    encode: (command) => codec.encode(command),
    decode: (payload) => {
      const logged = codec.decode(payload);
      if (logged.stamp === undefined) return logged;
      sequence += 1;
      return { ...logged, stamp: { ...logged.stamp, sequence, mark: sequence } };
    },
  };
}

describe('what must be caught', () => {
  it('is a machine that makes something else of an entry', () => {
    const createMachine = (codec: CommandCodec, node: string): Coordinator =>
      node === 'n2' ? new Forgetful({ codec }) : new Coordinator({ codec });
    expect(() => runMachines(FIRST_SEED, STEPS, { createMachine })).toThrow(/^L5/);
  });

  it('is a machine that does the same request twice', () => {
    const createMachine = (codec: CommandCodec): Coordinator =>
      new Coordinator({ codec: withoutMemory(codec) });
    expect(() => runMachines(FIRST_SEED, STEPS, { createMachine })).toThrow(/^I14/);
  });

  it('is a machine that keeps other limits than it was told', () => {
    for (const limit of ['leasesMax', 'electionsMax', 'keysPerEntryMax'] as const) {
      const settings = { ...SMALL_SETTINGS, [limit]: SMALL_SETTINGS[limit] - 1 };
      const run = (): MachineRun => runMachines(FIRST_SEED, STEPS, { settings });
      expect(run, limit).toThrow(`${limit} is ${settings[limit]}`);
    }
  });
});
