import { describe, expect, test } from 'vitest';
import { Coordinator, DEFAULT_SETTINGS, type LoggedCommand } from '../src/index.js';
import { Deadlines, type Timed } from '../src/deadlines.js';
import { TestLog } from './support.js';

const EPOCH_MS = Date.UTC(2025, 0, 1);

/** So that the wall clock has nothing to correct. */
function settled(): TestLog {
  const log = new TestLog();
  log.tick();
  expect(log.due()).toEqual([]);
  return log;
}

describe('initialize', () => {
  test('alone is due in an empty cluster, its token base the time since 2025 (C2)', () => {
    const log = new TestLog({ initialize: false });
    log.wallMs = EPOCH_MS + 12_345.9 - log.nowMs;
    expect(log.due()).toEqual([
      {
        type: 'initialize',
        tokenBase: 12_345n * 4096n,
        settings: DEFAULT_SETTINGS,
        featureLevel: 1,
      },
    ]);
    log.tick();
    expect(log.due().map(({ type }) => type)).toEqual(['set-wall-offset']);
  });

  test('sets what its leader was told instead of the default', () => {
    const settings = { ...DEFAULT_SETTINGS, leasesMax: 7 };
    const commands: LoggedCommand[] = [];
    const codec = {
      encode: (command: LoggedCommand) => Uint8Array.of(commands.push(command)),
      decode: () => {
        throw new Error('nothing is applied');
      },
    };
    new Coordinator({ codec, settings }).due(0, EPOCH_MS);
    expect(commands).toMatchObject([{ command: { type: 'initialize', settings } }]);
  });

  test('of a later cluster has a base above every token of the earlier one', () => {
    const base = (ms: number): bigint => {
      const log = new TestLog({ initialize: false });
      log.wallMs = EPOCH_MS + ms - log.nowMs;
      const [first] = log.due();
      return first?.type === 'initialize' ? first.tokenBase : -1n;
    };
    expect(base(1001) - base(1000)).toBe(4096n);
    expect(base(Date.UTC(2094, 0, 1) - EPOCH_MS)).toBeLessThan(1n << 53n);
  });

  test('by a wall clock before 2025 starts at 0: too low is refused, too high never ends', () => {
    const log = new TestLog({ initialize: false });
    log.wallMs = 0;
    expect(log.due()).toMatchObject([{ type: 'initialize', tokenBase: 0n }]);
  });
});

test('the wall offset follows the wall clock when it is off by more than a second', () => {
  const log = settled();
  log.wallMs += 1000;
  expect(log.due()).toEqual([]);
  log.wallMs += 1;
  const offset = { type: 'set-wall-offset', wallOffsetMs: log.wallMs };
  expect(log.due()).toEqual([offset]);
  log.tick();
  log.wallMs -= 3_600_000;
  expect(log.tick()).toEqual([{ type: 'set-wall-offset', wallOffsetMs: log.wallMs }]);
  expect(log.due()).toEqual([]);
});

test('where nothing is written time is logged all the same, so that sessions can be opened', () => {
  const log = settled();
  const due = (): readonly Uint8Array[] => log.coordinator.due(log.nowMs, log.wallMs + log.nowMs);
  log.pass(59_999);
  expect(due()).toEqual([]);
  log.pass(1);
  expect(due()).toEqual([new Uint8Array()]);
  log.time();
  expect(due()).toEqual([]);
});

test('wall time enters no expiry (C19)', () => {
  const log = settled();
  log.grantLease('l', 1000);
  log.wallMs += 86_400_000;
  log.tick();
  expect(log.showLease('l')?.remainingMs).toBe(1000);
  expect(log.due()).toEqual([]);
});

test('what is due depends on the clock of the leader that asks', () => {
  const log = settled();
  log.grantLease('l', 1000);
  expect(log.coordinator.due(1999, log.wallMs + 1999)).toHaveLength(0);
  expect(log.coordinator.due(2000, log.wallMs + 2000)).toHaveLength(1);
});

test('a renewed lease is due later, a revoked one never', () => {
  const log = settled();
  for (const id of ['a', 'b', 'c']) log.grantLease(id, 1000);
  log.pass(500);
  log.renew('a', 1);
  log.revoke('b');
  log.pass(500);
  expect(log.due()).toEqual([{ type: 'expire-leases', leases: [{ lease: 'c', renewals: 0 }] }]);
  log.pass(500);
  expect(log.due()).toEqual([
    {
      type: 'expire-leases',
      leases: expect.arrayContaining([
        { lease: 'c', renewals: 0 },
        { lease: 'a', renewals: 1 },
      ]),
    },
  ]);
});

test('the heap agrees with a sorted list over many random steps', () => {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const heap = new Deadlines<Timed>();
  const things: Timed[] = Array.from({ length: 60 }, () => ({ dueAtMs: 0, heapPosition: -1 }));
  const set = new Set<Timed>();
  for (let step = 0; step < 5000; step += 1) {
    const thing = things[random(things.length)];
    if (thing === undefined) throw new Error('out of range');
    if (random(3) === 0) {
      heap.clear(thing);
      set.delete(thing);
    } else {
      heap.set(thing, random(100));
      set.add(thing);
    }
    const nowMs = random(100);
    const expected = [...set].filter(({ dueAtMs }) => dueAtMs <= nowMs);
    expect(new Set(heap.due(nowMs, 1000))).toEqual(new Set(expected));
    expect(heap.due(nowMs, 3)).toHaveLength(Math.min(3, expected.length));
    expect(heap.size).toBe(set.size);
  }
});
