import { describe, expect, it } from 'vitest';
import type { KvInput, KvOutput, Model, Operation } from '../../src/linearizability/index.js';
import {
  checkLinearizable,
  fencedLockModel,
  keyValueModel,
  registerModel,
} from '../../src/linearizability/index.js';
import { RandomStream } from '../../src/world/random.js';
import { isLinearizable } from './support/brute-force.js';
import type { KvTwinShape } from './support/kv-twin.js';
import { kvTwin } from './support/kv-twin.js';
import { lockTwin } from './support/lock-twin.js';
import type { HistoryShape } from './support/random-history.js';
import { randomHistory, withOneChange } from './support/random-history.js';
import { registerTwin } from './support/register-twin.js';
import type { Twin } from './support/twin.js';

const SEED = 20_250_101;

type History<Input, Output> = readonly Operation<Input, Output>[];

interface Fuzz<Input, Output> extends HistoryShape {
  readonly name: string;
  readonly runs: number;
  /** How many of them are judged again with one answer changed. */
  readonly changes: number;
  /** Before each history. */
  readonly first?: History<Input, Output>;
  /** Parts that are judged each on its own; what they need of each other may go unseen. */
  readonly split?: (history: History<Input, Output>) => readonly History<Input, Output>[];
}

interface Tally {
  readonly accepted: number;
  /** Changed histories that were found linearizable still, and that were not. */
  readonly kept: number;
  readonly broken: number;
  /** No order of all parts together, though each has one: refused, and let pass. */
  readonly seenBetween: number;
  readonly unseen: number;
}

function passes<State, Input, Output>(
  parts: readonly History<Input, Output>[],
  twin: Twin<State, Input, Output>,
): boolean {
  return parts.every((part) => isLinearizable(twin, part));
}

/** Throws at the first history that is judged wrongly, and shows it. */
function fuzz<State, Input, Output, ModelState extends object | string | number, Added>(
  twin: Twin<State, Input, Output>,
  model: Model<ModelState, Input, Output, Added>,
  shape: Fuzz<Input, Output>,
): Tally {
  const random = new RandomStream(SEED, shape.name);
  const { split } = shape;
  const tally = { accepted: 0, kept: 0, broken: 0, seenBetween: 0, unseen: 0 };
  for (let run = 0; run < shape.runs; run += 1) {
    const history = [...(shape.first ?? []), ...randomHistory(twin, random, shape)];
    if (checkLinearizable(model, history).type !== 'linearizable') wrong('refused', history);
    tally.accepted += 1;
    const changed = run < shape.changes ? withOneChange(twin, history, random) : undefined;
    if (changed === undefined) continue;
    const verdict = checkLinearizable(model, changed).type;
    if (checkLinearizable(unhinted(model), changed).type !== verdict) {
      wrong('hints matter', changed);
    }
    const isKept = isLinearizable(twin, changed);
    const mayPass = isKept || (split !== undefined && passes(split(changed), twin));
    if (isKept && verdict !== 'linearizable') wrong('refused', changed);
    if (!mayPass && verdict === 'linearizable') wrong('not refused', changed);
    tally[verdict === 'linearizable' ? 'kept' : 'broken'] += 1;
    if (!isKept && mayPass) tally[verdict === 'linearizable' ? 'unseen' : 'seenBetween'] += 1;
  }
  return tally;
}

/** Hints are pure speed. */
function unhinted<State extends object | string | number, Input, Output, Added>(
  model: Model<State, Input, Output, Added>,
): Model<State, Input, Output, Added> {
  const partition = (history: History<Input, Output>) =>
    model.partition(history).map((part) => ({ ...part, hints: undefined }));
  return { ...model, partition };
}

function wrong(how: string, history: readonly object[]): never {
  throw new Error(`${how}:\n${history.map((operation) => JSON.stringify(operation)).join('\n')}`);
}

/** Both kinds, and neither of them by chance alone. */
function expectBoth({ kept, broken }: Tally, least: number): void {
  expect(kept).toBeGreaterThan(least / 10);
  expect(broken).toBeGreaterThan(least / 10);
  expect(kept + broken).toBeGreaterThan(least);
}

const SMALL: HistoryShape = { operationsMax: 6, processes: 3, unknownChance: 15 };

const KV: KvTwinShape = {
  keys: ['a', 'b'],
  joinsKeys: false,
  freshValues: true,
  comparesRevisions: true,
  leases: false,
  plain: false,
};

type Kv = Operation<KvInput, KvOutput>;

/** Revisions order keys among each other, too: that is judged as far as it is cheap. */
function byKey(history: readonly Kv[]): readonly (readonly Kv[])[] {
  return KV.keys.map((key) =>
    history.filter(({ input }) => JSON.stringify(input).includes(`"key":"${key}"`)),
  );
}

/** One transaction that touches all keys makes them one partition. */
const JOINED: readonly Kv[] = [
  {
    id: 1000,
    process: 'first',
    callMs: -2,
    returnMs: -1,
    input: {
      type: 'txn',
      compare: [],
      then: KV.keys.map((key) => ({ type: 'get', key }) as const),
      else: [],
    },
    output: {
      type: 'txn',
      succeeded: true,
      results: KV.keys.map(() => ({ type: 'get', record: undefined }) as const),
      revision: 0,
    },
  },
];

const STALE = { freshValues: false, comparesRevisions: false };

const HIDES = { freshValues: false, comparesRevisions: true, hides: true };

/** 100,000 histories and more in all: criterion D2. */
describe('linearizable by construction is accepted, one changed answer is judged as by force', () => {
  it('register: 30,000 histories', () => {
    const shape = { ...SMALL, name: 'register', runs: 30_000, changes: 8_000 };
    const tally = fuzz(registerTwin, registerModel(), shape);
    expect(tally.accepted).toBe(30_000);
    expectBoth(tally, 4_000);
  });

  it.each([
    ['each put of a value of its own', KV],
    ['values that repeat', { ...KV, ...STALE }],
    ['without versions and revisions', { ...KV, ...STALE, plain: true }],
  ])('keys, %s: 9,000 histories', (name, twin) => {
    const shape = { ...SMALL, operationsMax: 5, name, runs: 9_000, changes: 4_000, split: byKey };
    const tally = fuzz(kvTwin(twin), keyValueModel, shape);
    expect(tally.accepted).toBe(9_000);
    expectBoth(tally, 300);
    // Of what is wrong between keys alone, far more is seen than not.
    expect(tally.unseen).toBeLessThanOrEqual(tally.seenBetween / 4);
  });

  it.each([
    ['each put of a value of its own', { ...KV, joinsKeys: true }],
    ['values that repeat', { ...KV, ...STALE, joinsKeys: true }],
  ])('transactions over two keys, %s: 8,000 histories', (name, twin) => {
    const shape = { ...SMALL, operationsMax: 5, name: `joined, ${name}`, first: JOINED };
    const tally = fuzz(kvTwin(twin), keyValueModel, { ...shape, runs: 8_000, changes: 3_000 });
    expect(tally.accepted).toBe(8_000);
    expectBoth(tally, 600);
  });

  it.each([
    ['of one key', { ...KV, keys: ['a'], hides: true }, []],
    ['of one key, values that repeat', { ...KV, ...HIDES, keys: ['a'] }, []],
    ['of joined keys', { ...KV, ...HIDES, joinsKeys: true }, JOINED],
    ['of keys apart', { ...KV, ...HIDES }, []],
  ] as const)('answers that leave things out, %s: 3,000 histories', (name, twin, first) => {
    const split = name === 'of keys apart' ? byKey : (history: readonly Kv[]) => [history];
    const shape = { ...SMALL, operationsMax: 5, name: `hidden, ${name}`, first, split };
    const tally = fuzz(kvTwin(twin), keyValueModel, { ...shape, runs: 3_000, changes: 2_000 });
    expect(tally.accepted).toBe(3_000);
    expectBoth(tally, 200);
  });

  it('keys that go with their lease: 7,000 histories', () => {
    const twin = kvTwin({ ...KV, leases: true, keys: ['a'] });
    const shape = { ...SMALL, operationsMax: 4, name: 'leases', runs: 7_000, changes: 3_000 };
    const tally = fuzz(twin, keyValueModel, shape);
    expect(tally.accepted).toBe(7_000);
    expectBoth(tally, 600);
  });

  it('fenced lock with expiry: 20,000 histories', () => {
    const shape = { ...SMALL, name: 'lock', runs: 20_000, changes: 3_000 };
    const tally = fuzz(lockTwin(), fencedLockModel, shape);
    expect(tally.accepted).toBe(20_000);
    expectBoth(tally, 2_000);
  });
});
