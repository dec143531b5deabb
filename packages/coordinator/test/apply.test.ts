import { describe, expect, test } from 'vitest';
import { Coordinator, DEFAULT_SETTINGS } from '../src/index.js';
import { key, refusalOf, TestLog, token, TOKEN_BASE } from './support.js';

const initialize = (tokenBase: bigint, featureLevel = 1) =>
  ({
    type: 'initialize',
    tokenBase: token(tokenBase),
    settings: DEFAULT_SETTINGS,
    featureLevel,
  }) as const;

test('an empty payload carries time only', () => {
  const log = new TestLog();
  log.put('a');
  const revision = log.coordinator.revision;
  expect(log.pass(250).time()).toEqual({ type: 'done' });
  expect(log.coordinator.clusterTimeMs).toBe(1250);
  expect(log.coordinator.revision).toBe(revision);
});

test('time in the log never goes back (K-026)', () => {
  const log = new TestLog();
  log.pass(500).time();
  log.pass(-400);
  log.grantLease('l', 1000);
  expect(log.coordinator.clusterTimeMs).toBe(1500);
  expect(log.showLease('l')?.remainingMs).toBe(1000);
});

test('each entry is applied once, in order', () => {
  const { coordinator } = new TestLog();
  const empty = new Uint8Array();
  expect(() => coordinator.apply(1, 1000, empty)).toThrow('entry 1 after 1');
  expect(() => coordinator.apply(3, 1000, empty)).toThrow('entry 3 after 1');
  coordinator.apply(2, 1000, empty);
  expect(coordinator.appliedIndex).toBe(2);
});

test('a time that is no whole number stops the node', () => {
  const { coordinator } = new TestLog();
  expect(() => coordinator.apply(2, 0.5, new Uint8Array())).toThrow('whole ms');
});

test('bytes that the codec does not know stop the node before anything moved (K-028)', () => {
  const { coordinator } = new TestLog();
  const before = coordinator.stateHash();
  expect(() => coordinator.apply(2, 5000, new Uint8Array([9, 9, 9, 9]))).toThrow('no command');
  expect(coordinator.stateHash()).toBe(before);
});

test('a command before the cluster is initialized is a programmer error', () => {
  const log = new TestLog({ initialize: false });
  expect(() => log.put('a')).toThrow('initialize');
  const other = new TestLog({ initialize: false });
  expect(() => other.system({ type: 'set-wall-offset', wallOffsetMs: 1 })).toThrow('initialize');
});

describe('initialize', () => {
  test('sets the token base, the limits and the feature level', () => {
    const log = new TestLog({ initialize: false });
    expect(log.coordinator.initialized).toBe(false);
    expect(log.coordinator.featureLevel).toBe(0);
    expect(log.system(initialize(77n))).toEqual({ type: 'done' });
    expect(log.coordinator.initialized).toBe(true);
    expect(log.coordinator.featureLevel).toBe(1);
    log.grantLease('l');
    log.campaign('e', 'c', 'l');
    expect(log.tokenOf('e')).toBe(78n);
  });

  test('of a second leader changes nothing', () => {
    const log = new TestLog();
    expect(refusalOf(log.system(initialize(5n)))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    log.grantLease('l');
    log.campaign('e', 'c', 'l');
    expect(log.tokenOf('e')).toBe(TOKEN_BASE + 1n);
  });

  test.each([-1n, 1n << 53n])('with token base %d is refused', (base) => {
    const log = new TestLog({ initialize: false });
    expect(refusalOf(log.system(initialize(base)))).toMatchObject({ field: 'tokenBase' });
    expect(log.coordinator.initialized).toBe(false);
  });

  test('with a feature level above its own stops the node', () => {
    const log = new TestLog({ initialize: false });
    expect(() => log.system(initialize(1n, 2))).toThrow('feature level 2');
  });
});

describe('the feature level (K-029)', () => {
  test('is raised once every member supports more, and never lowered', () => {
    const log = new TestLog({ featureLevelMax: 3 });
    expect(log.coordinator.raiseFeatureLevel(1)).toBeUndefined();
    const payload = log.coordinator.raiseFeatureLevel(3);
    if (payload === undefined) throw new Error('nothing to raise');
    log.apply(payload);
    expect(log.coordinator.featureLevel).toBe(3);
    log.system({ type: 'raise-feature-level', level: 2 });
    expect(log.coordinator.featureLevel).toBe(3);
  });

  test('waits for the cluster to be initialized', () => {
    const log = new TestLog({ initialize: false, featureLevelMax: 3 });
    expect(log.coordinator.raiseFeatureLevel(3)).toBeUndefined();
  });

  test.each([2, 0, 1.5])('of %d stops a node that knows only 1', (level) => {
    const log = new TestLog();
    expect(() => log.system({ type: 'raise-feature-level', level })).toThrow('upgrade');
  });
});

test('the digest tells states apart that differ in anything replicated', () => {
  const hashes = new Set<string>();
  const log = new TestLog({ initialize: false });
  const note = (): unknown => hashes.add(log.coordinator.stateHash());
  const steps: (() => unknown)[] = [
    () => log.system(initialize(1n)),
    () => log.time(),
    () => log.pass(1).time(),
    () => log.system({ type: 'set-wall-offset', wallOffsetMs: 5 }),
    () => log.put('a', '1'),
    () => log.grantLease('l'),
    () => log.put('a', '1', { lease: 'l' }),
    () => log.renew('l', 1),
    () => log.campaign('e', 'one', 'l'),
    () => log.campaign('e', 'two', 'l'),
    () => log.advance('db', 'e', log.tokenOf('e')),
    () => log.withdraw('e', 'one', 'l', 'other'),
    () => log.revoke('l'),
    () => log.run({ type: 'session-close' }),
  ];
  for (const step of steps) {
    step();
    note();
  }
  expect(hashes.size).toBe(steps.length);
});

test('the digest does not depend on what was asked or on cursors', () => {
  const log = new TestLog();
  for (const at of ['a', 'b', 'c']) log.put(at);
  const before = log.coordinator.stateHash();
  log.query({ type: 'range', start: key(''), end: undefined, limit: 1 });
  log.due();
  expect(log.coordinator.stateHash()).toBe(before);
});

test('a replica that applies the whole log later is equal (S13)', () => {
  const entries: [number, Uint8Array][] = [];
  const log = new TestLog({ initialize: false });
  const apply = log.apply.bind(log);
  log.apply = (payload) => {
    entries.push([log.nowMs, payload]);
    return apply(payload);
  };
  log.tick();
  log.grantLease('l', 1000);
  log.campaign('e', 'c', 'l');
  log.put('k', 'v', { lease: 'l' });
  log.pass(1000).tick();
  const late = new Coordinator({ codec: log.codec });
  entries.forEach(([timeMs, payload], at) => late.apply(at + 1, timeMs, payload));
  expect(late.stateHash()).toBe(log.coordinator.stateHash());
});
