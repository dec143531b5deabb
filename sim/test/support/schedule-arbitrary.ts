import * as fc from 'fast-check';
import type { Command, Schedule, Target, WorldProfile } from '../../src/index.js';

/** Steps of a generated schedule; a shrunk one may have fewer. */
export const STEPS_MIN = 200;
const STEPS_MAX = 230;

const node: fc.Arbitrary<number> = fc.nat({ max: 4 });
const nth: fc.Arbitrary<number> = fc.nat({ max: 11 });
const mode: fc.Arbitrary<'drop' | 'hold'> = fc.constantFrom('drop', 'hold');
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('leader' as const) },
  { weight: 1, arbitrary: fc.constant('follower' as const) },
  { weight: 2, arbitrary: node },
);

function command<Type extends Command['type']>(
  type: Type,
  fields: {
    [Key in Exclude<keyof Extract<Command, { type: Type }>, 'type'>]: fc.Arbitrary<
      Extract<Command, { type: Type }>[Key]
    >;
  },
): fc.Arbitrary<Command> {
  const record = fc.record({ type: fc.constant(type), ...fields });
  return record as unknown as fc.Arbitrary<Command>;
}

const shortWait = command('advance', { ms: fc.integer({ min: 1, max: 60 }) });
const longWait = command('advance', { ms: fc.integer({ min: 100, max: 900 }) });
const reader: fc.Arbitrary<Target> = fc.oneof(target, fc.constant('old-leader' as const));

/** What happens, weighted so that elections, commits and their undoing all really occur. */
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 22, arbitrary: shortWait },
  { weight: 10, arbitrary: longWait },
  { weight: 12, arbitrary: command('deliver', { nth }) },
  { weight: 4, arbitrary: command('drop', { nth }) },
  { weight: 3, arbitrary: command('duplicate', { nth, delayMs: fc.nat({ max: 500 }) }) },
  {
    weight: 3,
    arbitrary: command('replay', { nth: fc.nat({ max: 63 }), delayMs: fc.nat({ max: 50 }) }),
  },
  {
    weight: 14,
    arbitrary: command('propose', {
      to: target,
      count: fc.integer({ min: 1, max: 5 }),
      bytes: fc.constantFrom(4, 40, 300),
    }),
  },
  { weight: 8, arbitrary: command('read', { to: reader, kind: fc.constantFrom('quorum', 'lease') }) },
  { weight: 6, arbitrary: command('complete-write', { node: target }) },
  { weight: 4, arbitrary: command('crash', { node: target, landed: fc.boolean() }) },
  { weight: 5, arbitrary: command('restart', { node }) },
  { weight: 1, arbitrary: command('crash-all', { landed: fc.boolean() }) },
  { weight: 2, arbitrary: command('freeze', { node: target }) },
  { weight: 3, arbitrary: command('thaw', { timersFirst: fc.boolean() }) },
  { weight: 2, arbitrary: command('isolate', { node: target, mode }) },
  { weight: 2, arbitrary: command('split', { mask: fc.nat({ max: 31 }), mode }) },
  { weight: 2, arbitrary: command('cut-one-way', { from: target, to: node, mode }) },
  { weight: 4, arbitrary: command('heal', {}) },
  { weight: 3, arbitrary: command('recover', { ms: fc.integer({ min: 300, max: 1500 }) }) },
);

const tuple2 = (...pairs: readonly (readonly [number, number])[]): fc.Arbitrary<[number, number]> =>
  fc.constantFrom(...pairs.map(([low, high]): [number, number] => [low, high]));

/** Within the bound of one per cent that the core is configured for. */
const clockRate: fc.Arbitrary<number> = fc.constantFrom(1, 1, 0.99, 1.01, 0.995, 1.005);

/** Each run draws which faults exist at all, so that they do not mask each other. */
export function profileArbitrary(
  fixed: Partial<{ [Key in keyof WorldProfile]: fc.Arbitrary<WorldProfile[Key]> }> = {},
): fc.Arbitrary<WorldProfile> {
  const record = fc.record({
    seed: fc.noShrink(fc.nat()),
    nodeCount: fc.constantFrom(3, 3, 3, 5, 5, 4, 2, 1),
    heartbeatMs: fc.constant(50),
    electionTimeoutMs: fc.constant(300),
    leaseReads: fc.boolean(),
    latencyMs: tuple2([1, 3], [0, 20], [5, 60], [0, 150]),
    slowPercent: fc.constantFrom(0, 2, 15),
    slowMs: fc.constantFrom(200, 1500),
    lossPercent: fc.constantFrom(0, 0, 3, 15),
    duplicatePercent: fc.constantFrom(0, 5, 25),
    writeMs: tuple2([0, 1], [1, 10], [5, 80]),
    clockRates: fc.array(clockRate, { maxLength: 5 }),
    appendBytesMax: fc.constantFrom(262_144, 80, 250),
    inflightMessagesMax: fc.constantFrom(256, 1, 3),
    ...fixed,
  });
  return record as unknown as fc.Arbitrary<WorldProfile>;
}

/**
 * Command lists of at least `STEPS_MIN` that may shrink below it: a failure should be told in as
 * few steps as it needs.
 */
class CommandsArbitrary extends fc.Arbitrary<Command[]> {
  readonly #long = fc.array(anyCommand, {
    minLength: STEPS_MIN,
    maxLength: STEPS_MAX,
    size: 'max',
  });
  readonly #short = fc.array(anyCommand, { maxLength: STEPS_MAX, size: 'max' });

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Command[]> {
    return new fc.Value(this.#long.generate(random, bias).value_, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Command[] {
    return this.#short.canShrinkWithoutContext(value);
  }

  override shrink(value: Command[], context: unknown): fc.Stream<fc.Value<Command[]>> {
    return this.#short.shrink(value, context);
  }
}

export function scheduleArbitrary(
  profile: fc.Arbitrary<WorldProfile> = profileArbitrary(),
): fc.Arbitrary<Schedule> {
  return fc.record({ profile, commands: new CommandsArbitrary() });
}
