import { describe, expect, test } from 'vitest';
import { campaignId, codeOf, lease, refusalOf, TestLog } from './support.js';

const expire = (log: TestLog, id: string, renewals: number) =>
  log.system({ type: 'expire-leases', leases: [{ lease: lease(id), renewals }] });

test('the TTL granted is the TTL asked for', () => {
  const log = new TestLog();
  expect(log.grantLease('l', 1234)).toEqual({ type: 'lease-grant', lease: 'l', ttlMs: 1234 });
  expect(log.showLease('l')).toEqual({
    lease: 'l',
    ttlMs: 1234,
    remainingMs: 1234,
    attempt: 0,
    ending: false,
    keys: 0,
    grants: [],
  });
});

test.each([499, 86_400_001, 8.64e13, -1, 0, 1000.5, Number.NaN, Infinity])(
  'a TTL of %d ms is refused, never raised or wrapped (K-007)',
  (ttlMs) => {
    const log = new TestLog();
    const refusal = refusalOf(log.grantLease('l', ttlMs));
    expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'ttlMs' });
    expect(refusal).toHaveProperty('reason', expect.stringContaining('500 to 86400000 ms'));
    expect(log.showLease('l')).toBeUndefined();
  },
);

test('the limits themselves are granted', () => {
  const log = new TestLog();
  expect(codeOf(log.grantLease('a', 500))).toBe('lease-grant');
  expect(codeOf(log.grantLease('b', 86_400_000))).toBe('lease-grant');
});

test('an id that lives is refused to another request', () => {
  const log = new TestLog();
  log.grantLease('l');
  expect(refusalOf(log.grantLease('l', 500, 'other'))).toEqual({
    code: 'LEASE_EXISTS',
    lease: 'l',
  });
});

test('a lease needs an id, and the number of leases is limited', () => {
  const log = new TestLog({ settings: { leasesMax: 1 } });
  expect(refusalOf(log.grantLease(''))).toMatchObject({ field: 'lease' });
  log.grantLease('l');
  expect(refusalOf(log.grantLease('m'))).toMatchObject({ code: 'CAPACITY_REACHED', limit: 1 });
});

test('a renewal gives the whole TTL from its own entry, and it alone does', () => {
  const log = new TestLog();
  log.grantLease('l', 1000);
  log.pass(400);
  log.put('a', 'v', { lease: 'l' });
  log.campaign('e', 'c', 'l');
  expect(log.showLease('l')?.remainingMs).toBe(600);
  log.renew('l', 1);
  expect(log.showLease('l')).toMatchObject({ remainingMs: 1000, attempt: 1 });
});

test('an attempt not above the last applied changes nothing, and still tells the grants', () => {
  const log = new TestLog();
  log.grantLease('l', 1000);
  log.campaign('e', 'c', 'l');
  log.renew('l', 5);
  log.pass(300);
  for (const attempt of [5, 4]) {
    expect(log.renew('l', attempt)).toEqual({
      type: 'lease-renew',
      renewals: [
        {
          outcome: 'renewed',
          lease: 'l',
          attempt,
          applied: false,
          lastAttempt: 5,
          ttlMs: 1000,
          ending: false,
          grants: [{ election: 'e', campaignId: 'c', token: 1001n, ending: false }],
        },
      ],
    });
    expect(log.showLease('l')).toMatchObject({ remainingMs: 700, attempt: 5 });
  }
});

test('two attempts at one lease in one entry: each says whether it moved the expiry', () => {
  const log = new TestLog();
  log.grantLease('l', 1000);
  const renewals = [4, 4, 6, 5].map((attempt) => ({ lease: lease('l'), attempt }));
  expect(log.run({ type: 'lease-renew', renewals })).toMatchObject({
    renewals: [
      { attempt: 4, applied: true, lastAttempt: 6 },
      { attempt: 4, applied: false, lastAttempt: 6 },
      { attempt: 6, applied: true, lastAttempt: 6 },
      { attempt: 5, applied: false, lastAttempt: 6 },
    ],
  });
});

test('many leases are renewed in one entry, each with its own outcome', () => {
  const log = new TestLog();
  log.grantLease('l');
  const renewals = [
    { lease: lease('l'), attempt: 1 },
    { lease: lease('gone'), attempt: 7 },
  ];
  expect(log.run({ type: 'lease-renew', renewals })).toMatchObject({
    renewals: [
      { outcome: 'renewed', lease: 'l' },
      { outcome: 'not-found', lease: 'gone', attempt: 7 },
    ],
  });
});

test.each([0, -1, 1.5, Number.NaN])('attempt %d is refused', (attempt) => {
  const log = new TestLog();
  log.grantLease('l');
  expect(refusalOf(log.renew('l', attempt))).toMatchObject({ field: 'attempt' });
});

test('a renewal after the end of its lease finds nothing (K-002, K-003)', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.revoke('l');
  expect(log.renew('l', 1)).toMatchObject({ renewals: [{ outcome: 'not-found' }] });
  expect(refusalOf(log.revoke('l'))).toEqual({ code: 'LEASE_NOT_FOUND', lease: 'l' });
});

describe('expiry', () => {
  test('that was decided before a renewal changes nothing (K-001, K-010, K-012)', () => {
    const log = new TestLog();
    log.grantLease('l', 1000);
    log.pass(1000);
    const decided = log.due();
    expect(decided).toContainEqual({
      type: 'expire-leases',
      leases: [{ lease: 'l', renewals: 0 }],
    });
    log.renew('l', 1);
    log.pass(5000);
    for (const command of decided) log.system(command);
    expect(log.showLease('l')).toBeDefined();
  });

  test('before its time changes nothing, and of an unknown lease neither', () => {
    const log = new TestLog();
    log.grantLease('l', 1000);
    log.pass(999);
    expire(log, 'l', 0);
    expire(log, 'gone', 0);
    expect(log.showLease('l')).toBeDefined();
    log.pass(1);
    expire(log, 'l', 0);
    expect(log.showLease('l')).toBeUndefined();
  });

  test('is an entry: until it is applied the lease lives and a renewal saves it (K-015)', () => {
    const log = new TestLog();
    log.grantLease('l', 1000);
    log.pass(60_000).time();
    expect(log.showLease('l')?.remainingMs).toBe(-59_000);
    expect(log.renew('l', 1)).toMatchObject({ renewals: [{ outcome: 'renewed' }] });
    expect(log.showLease('l')?.remainingMs).toBe(1000);
  });

  test('is tried until it is applied (K-006)', () => {
    const log = new TestLog();
    log.grantLease('l', 1000);
    log.pass(1000);
    const first = log.due();
    expect(first.map(({ type }) => type)).toContain('expire-leases');
    expect(log.due()).toEqual(first);
    expect(log.due()).toEqual(first);
    log.tick();
    expect(log.due()).toEqual([]);
  });

  test('is by cluster time: no change of leader resets it (K-004, K-005, K-013)', () => {
    const log = new TestLog();
    log.grantLease('l', 10_000);
    for (let change = 1; change <= 3; change += 1) {
      // A new leader continues from the last stamp, and one behind it moves nothing back.
      log.pass(2000).time();
      log.nowMs -= 500;
      log.time();
      expect(log.coordinator.clusterTimeMs).toBe(1000 + 2000 * change);
      log.nowMs += 500;
    }
    expect(log.showLease('l')?.remainingMs).toBe(4000);
    log.pass(4000).tick();
    expect(log.showLease('l')).toBeUndefined();
  });

  test('of a thousand leases takes one entry, and more are paced (K-009)', () => {
    const log = new TestLog();
    log.apply = (payload) =>
      log.coordinator.apply(log.coordinator.appliedIndex + 1, log.nowMs, payload).result;
    for (let at = 0; at < 2500; at += 1) log.grantLease(`l${at}`, 1000);
    log.pass(1000);
    const sizes: number[] = [];
    for (let due = log.tick(); due.length > 0; due = log.tick()) {
      for (const command of due) {
        if (command.type === 'expire-leases') sizes.push(command.leases.length);
      }
    }
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(log.coordinator.needsTime()).toBe(false);
  });

  test('of leases with many keys stops at the keys of an entry and goes on with the next', () => {
    const log = new TestLog({ settings: { keysPerEntryMax: 3, keysPerLeaseMax: 3 } });
    for (const id of ['l', 'm', 'n']) {
      log.grantLease(id, 1000);
      log.put(`${id}1`, 'v', { lease: id });
      log.put(`${id}2`, 'v', { lease: id });
    }
    log.pass(1000);
    const remaining: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      log.tick();
      const left = log.query({ type: 'range', start: '' as never, end: undefined, limit: 9 });
      remaining.push(left.type === 'range' ? left.records.length : -1);
    }
    expect(remaining).toEqual([4, 2, 0]);
  });
});

test('time is logged while leases live', () => {
  const log = new TestLog();
  expect(log.coordinator.needsTime()).toBe(false);
  log.grantLease('l');
  expect(log.coordinator.needsTime()).toBe(true);
  log.revoke('l');
  expect(log.coordinator.needsTime()).toBe(false);
});

test('a lease holds grants of several elections and places in others, and all end with it', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.grantLease('m');
  log.campaign('a', 'l-a', 'l');
  log.campaign('b', 'l-b', 'l');
  log.campaign('c', 'm-c', 'm');
  log.campaign('c', 'l-c', 'l');
  log.campaign('a', 'm-a', 'm');
  expect(log.showLease('l')?.grants.map(({ election }) => election)).toEqual(['a', 'b']);
  log.revoke('l');
  expect(log.types()).toEqual(['ended', 'ended', 'left', 'granted']);
  expect(log.holder('a')).toBe('m-a');
  expect(log.holder('b')).toBeUndefined();
  expect(log.show('c')).toMatchObject({ leader: { candidate: 'm-c' }, queue: [] });
});

test('an id that ended may be granted again, and is a new lease', () => {
  const log = new TestLog();
  log.grantLease('l', 1000);
  log.campaign('e', 'c', 'l');
  log.renew('l', 9);
  log.revoke('l');
  log.grantLease('l', 2000);
  expect(log.showLease('l')).toMatchObject({ attempt: 0, ttlMs: 2000, grants: [] });
  const state = log.query({ type: 'campaign-show', election: 'e', campaignId: campaignId('c') });
  expect(state).toMatchObject({ state: { state: 'absent' } });
});
