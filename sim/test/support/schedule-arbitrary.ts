import * as fc from 'fast-check';
import type { Command, ReadKind, Schedule, Target, WorldProfile } from '../../src/index.js';

/** Steps of a generated schedule; a shrunk one may have fewer. */
export const STEPS_MIN = 200;
const STEPS_MAX = 230;

const node: fc.Arbitrary<number> = fc.nat({ max: 4 });
const nth: fc.Arbitrary<number> = fc.nat({ max: 11 });
const mode: fc.Arbitrary<'drop' | 'hold'> = fc.constantFrom('drop', 'hold');
const count: fc.Arbitrary<number> = fc.integer({ min: 1, max: 5 });
const bytes: fc.Arbitrary<number> = fc.constantFrom(4, 40, 300);
const kind: fc.Arbitrary<ReadKind> = fc.constantFrom('quorum', 'lease');
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('leader' as const) },
  { weight: 1, arbitrary: fc.constant('follower' as const) },
  { weight: 2, arbitrary: node },
);

/** Plain objects only: a counterexample is copied out as JSON and must come back the same. */
const RECORD = { noNullPrototype: true } as const;

function command<Type extends Command['type']>(
  type: Type,
  fields: {
    [Key in Exclude<keyof Extract<Command, { type: Type }>, 'type'>]: fc.Arbitrary<
      Extract<Command, { type: Type }>[Key]
    >;
  },
): fc.Arbitrary<Command> {
  const record = fc.record({ type: fc.constant(type), ...fields }, RECORD);
  return record as unknown as fc.Arbitrary<Command>;
}

const replay = command('replay', { nth: fc.nat({ max: 63 }), delayMs: fc.nat({ max: 50 }) });
const shortWait = command('advance', { ms: fc.integer({ min: 1, max: 60 }) });
const midWait = command('advance', { ms: fc.integer({ min: 100, max: 280 }) });
const longWait = command('advance', { ms: fc.integer({ min: 100, max: 900 }) });
const reader: fc.Arbitrary<Target> = fc.oneof(target, fc.constant('old-leader' as const));

/** What happens, weighted so that elections, commits and their undoing all really occur. */
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 22, arbitrary: shortWait },
  { weight: 10, arbitrary: longWait },
  { weight: 12, arbitrary: command('deliver', { nth }) },
  { weight: 4, arbitrary: command('drop', { nth }) },
  { weight: 3, arbitrary: command('duplicate', { nth, delayMs: fc.nat({ max: 500 }) }) },
  { weight: 3, arbitrary: replay },
  {
    weight: 14,
    arbitrary: command('propose', { to: target, count, bytes }),
  },
  { weight: 8, arbitrary: command('read', { to: reader, kind }) },
  { weight: 6, arbitrary: command('complete-write', { node: target }) },
  { weight: 3, arbitrary: command('crash', { node: target, landed: fc.boolean() }) },
  { weight: 7, arbitrary: command('restart', { node }) },
  { weight: 1, arbitrary: command('crash-all', { landed: fc.boolean() }) },
  { weight: 2, arbitrary: command('freeze', { node: target }) },
  { weight: 3, arbitrary: command('thaw', { timersFirst: fc.boolean() }) },
  { weight: 2, arbitrary: command('isolate', { node: target, mode }) },
  { weight: 2, arbitrary: command('split', { mask: fc.nat({ max: 31 }), mode }) },
  { weight: 2, arbitrary: command('cut-one-way', { from: target, to: node, mode }) },
  { weight: 1, arbitrary: command('mute', { node: target, mode }) },
  { weight: 1, arbitrary: command('deafen', { node: target, mode }) },
  { weight: 6, arbitrary: command('heal', {}) },
  { weight: 4, arbitrary: command('recover', { ms: fc.integer({ min: 300, max: 1500 }) }) },
);

/** Sequences that chance alone rarely finds, each a known way into trouble. */
const story: fc.Arbitrary<Command[]> = fc.oneof(
  // A leader cut off keeps appending; another is elected and commits; then both meet.
  fc.tuple(
    command('isolate', { node: fc.constant('leader' as const), mode }),
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    command('advance', { ms: fc.integer({ min: 400, max: 1200 }) }),
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    shortWait,
    command('heal', {}),
    shortWait,
  ),
  // A leader stands still, its successor commits, and readers ask the old one as it wakes.
  fc.tuple(
    command('freeze', { node: fc.constant('leader' as const) }),
    command('advance', { ms: fc.integer({ min: 200, max: 1200 }) }),
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    shortWait,
    command('read', { to: fc.constant('old-leader' as const), kind }),
    command('thaw', { timersFirst: fc.boolean() }),
    command('read', { to: fc.constant('old-leader' as const), kind }),
  ),
  // The same with a leader that is cut off, and does not know it.
  fc.tuple(
    command('isolate', { node: fc.constant('leader' as const), mode }),
    command('advance', { ms: fc.integer({ min: 200, max: 700 }) }),
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    shortWait,
    command('read', { to: fc.constant('old-leader' as const), kind }),
  ),
  // A leader dies with entries that some have, comes back, and leads or follows again.
  fc.tuple(
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    command('deliver', { nth }),
    command('crash', { node: fc.constant('leader' as const), landed: fc.boolean() }),
    command('advance', { ms: fc.integer({ min: 1, max: 900 }) }),
    command('recover', { ms: fc.integer({ min: 1, max: 900 }) }),
  ),
  // Voters restart while a leader relies on their votes and promises.
  fc.tuple(
    command('isolate', { node: fc.constant('leader' as const), mode }),
    command('crash', { node, landed: fc.boolean() }),
    command('crash', { node, landed: fc.boolean() }),
    command('restart', { node }),
    command('restart', { node }),
    longWait,
  ),
);

/** Stories of one-way silence, where old answers and forgotten promises matter. */
const silence: fc.Arbitrary<Command[]> = fc.oneof(
  // Nobody hears the leader any more, but old answers still reach it.
  fc.tuple(
    command('mute', { node: fc.constant('leader' as const), mode }),
    midWait,
    replay,
    replay,
    midWait,
    replay,
    replay,
    midWait,
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    shortWait,
    command('read', { to: fc.constant('old-leader' as const), kind }),
    replay,
    replay,
    shortWait,
  ),
  // The leader stands still just as long as an election takes, with its last answers unread: too
  // short to know that it was late, and a reader comes first.
  fc.tuple(
    command('deafen', { node: fc.constant('leader' as const), mode: fc.constant('hold' as const) }),
    shortWait,
    command('freeze', { node: fc.constant('leader' as const) }),
    command('advance', { ms: fc.integer({ min: 300, max: 345 }) }),
    command('propose', { to: fc.constant('leader' as const), count, bytes }),
    command('advance', { ms: fc.integer({ min: 1, max: 8 }) }),
    command('read', { to: fc.constant('old-leader' as const), kind }),
    command('heal', {}),
    command('thaw', { timersFirst: fc.constant(false) }),
    shortWait,
  ),
  // One node asks again and again, and the voter whose promise stands in its way restarts.
  fc.tuple(
    command('cut-one-way', { from: fc.constant('leader' as const), to: node, mode }),
    command('advance', { ms: fc.integer({ min: 500, max: 1500 }) }),
    command('crash', { node, landed: fc.boolean() }),
    command('restart', { node }),
    shortWait,
    command('restart', { node }),
    shortWait,
    command('recover', { ms: fc.integer({ min: 1, max: 600 }) }),
  ),
);

/** Mostly stories of silence, each from a healthy start. */
export const silentSteps: fc.Arbitrary<Command[]> = fc.oneof(
  silence,
  command('recover', { ms: fc.integer({ min: 600, max: 1500 }) }).map((one) => [one]),
);

/** One command, or a story of several. */
const anyStep: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 16, arbitrary: anyCommand.map((one) => [one]) },
  { weight: 1, arbitrary: story },
  { weight: 1, arbitrary: silence },
);

const tuple2 = (...pairs: readonly (readonly [number, number])[]): fc.Arbitrary<[number, number]> =>
  fc.constantFrom(...pairs.map(([low, high]): [number, number] => [low, high]));

/** Within the bound that the core is configured for, mostly at its ends. */
const clockSkew: fc.Arbitrary<number> = fc.constantFrom(0, 0, -1, 1, 0.5, -0.5);

/** Each run draws which faults exist at all, so that they do not mask each other. */
export function profileArbitrary(
  fixed: Partial<{ [Key in keyof WorldProfile]: fc.Arbitrary<WorldProfile[Key]> }> = {},
): fc.Arbitrary<WorldProfile> {
  const fields = {
    seed: fc.noShrink(fc.nat()),
    nodeCount: fc.constantFrom(3, 3, 3, 5, 5, 4, 2, 1),
    heartbeatMs: fc.constant(50),
    electionTimeoutMs: fc.constant(300),
    leaseReads: fc.boolean(),
    latencyMs: tuple2([1, 3], [0, 1], [0, 20], [5, 60], [0, 150]),
    slowPercent: fc.constantFrom(0, 2, 15),
    slowMs: fc.constantFrom(200, 1500),
    inOrder: fc.boolean(),
    lossPercent: fc.constantFrom(0, 0, 3, 15),
    duplicatePercent: fc.constantFrom(0, 5, 25),
    writeMs: tuple2([0, 1], [1, 10], [5, 80]),
    clockRateBound: fc.constantFrom(0.01, 0.09),
    clockSkews: fc.array(clockSkew, { maxLength: 5 }),
    appendBytesMax: fc.constantFrom(262_144, 80, 250),
    inflightMessagesMax: fc.constantFrom(256, 1, 3),
    ...fixed,
  };
  return fc.record(fields, RECORD);
}

/** Where the removal of chunks goes on, once one was removed. */
interface Removal {
  readonly size: number;
  readonly end: number;
  /** Length of the list when this pass over it began: a pass that removed something is repeated. */
  readonly passLength: number;
}

/**
 * Command lists of at least `STEPS_MIN` that shrink to as few as the failure needs: chunks are
 * left out from the end, half of the list first, single commands last. That keeps what the other
 * commands mean, and takes a few hundred runs where shrinking each number would take thousands.
 */
class CommandsArbitrary extends fc.Arbitrary<Command[]> {
  readonly #long: fc.Arbitrary<Command[][]>;

  constructor(steps: fc.Arbitrary<Command[]>) {
    super();
    this.#long = fc.array(steps, { minLength: STEPS_MIN, maxLength: STEPS_MAX, size: 'max' });
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Command[]> {
    const stories = this.#long.generate(random, bias).value_;
    return new fc.Value(stories.flat().slice(0, STEPS_MAX), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Command[] {
    return Array.isArray(value);
  }

  override shrink(value: Command[], context: unknown): fc.Stream<fc.Value<Command[]>> {
    return new fc.Stream(withoutChunks(value, context as Removal | undefined));
  }
}

function* withoutChunks(
  commands: Command[],
  from: Removal | undefined,
): IterableIterator<fc.Value<Command[]>> {
  const { length } = commands;
  let { size, end, passLength } = from ?? firstPass(length);
  for (;;) {
    for (; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      const rest = [...commands.slice(0, start), ...commands.slice(end)];
      yield new fc.Value(rest, { size, end: start, passLength } satisfies Removal);
    }
    if (size > 1) [size, end] = [Math.ceil(size / 2), length];
    else if (length < passLength)
      ({ size, end, passLength } = { size: 1, end: length, passLength: length });
    else break;
  }
  yield* withMergedWaits(commands);
}

function firstPass(length: number): Removal {
  return { size: Math.ceil(length / 2), end: length, passLength: length };
}

/** Two waits in a row become one: the same happens, in a shorter list. */
function* withMergedWaits(commands: Command[]): IterableIterator<fc.Value<Command[]>> {
  for (const [at, one] of commands.entries()) {
    const next = commands[at + 1];
    if (one.type !== 'advance' || next?.type !== 'advance') continue;
    const merged: Command = { type: 'advance', ms: one.ms + next.ms };
    const rest = [...commands.slice(0, at), merged, ...commands.slice(at + 2)];
    yield new fc.Value(rest, { size: 1, end: 0, passLength: rest.length } satisfies Removal);
  }
}

export function scheduleArbitrary(
  profile: fc.Arbitrary<WorldProfile> = profileArbitrary(),
  steps: fc.Arbitrary<Command[]> = anyStep,
): fc.Arbitrary<Schedule> {
  return fc.record({ profile, commands: new CommandsArbitrary(steps) }, RECORD);
}
