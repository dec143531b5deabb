import { describe, expect, test } from 'vitest';
import { codeOf, refusalOf, TestLog, token } from './support.js';

/** A holds `e` (token 1001), B waits; an operator has a session of its own. */
function heldElection(): TestLog {
  const log = new TestLog();
  log.grantLease('a', 10_000, 'a');
  log.grantLease('b', 60_000, 'b');
  log.campaign('e', 'a', 'a', 'a');
  log.campaign('e', 'b', 'b', 'b');
  log.pass(4000);
  return log;
}

const guards = [{ election: 'e', token: token(1001n) }];

describe.each([
  ['withdraw', (log: TestLog, by: string) => log.withdraw('e', 'a', 'a', by), 'user'],
  ['revoke', (log: TestLog, by: string) => log.revoke('a', by), 'lease-revoked'],
] as const)('%s of a live grant by another session', (_name, end, reason) => {
  test('marks it: guards and fences refuse it at once, renewals say so, nobody follows yet', () => {
    const log = heldElection();
    expect(end(log, 'operator')).toMatchObject({ outcome: 'ending', waitMs: 6000 });
    expect(log.events).toMatchObject([
      { type: 'ending', leader: { candidate: 'a', token: 1001n, ending: true } },
    ]);
    expect(log.show('e')).toMatchObject({ leader: { candidate: 'a', ending: true } });
    expect(refusalOf(log.put('k', 'v', { guards, by: 'a' }))).toEqual({
      code: 'FENCED',
      election: 'e',
      current: 1001n,
    });
    expect(codeOf(log.advance('db', 'e', 1001n, 'a'))).toBe('FENCED');
    expect(log.renew('a', 1, 'a')).toMatchObject({
      renewals: [{ outcome: 'renewed', grants: [{ campaignId: 'a', ending: true }] }],
    });
  });

  test('changes nothing when repeated, and says how long is left', () => {
    const log = heldElection();
    end(log, 'operator');
    log.pass(1000);
    expect(end(log, 'operator')).toMatchObject({ outcome: 'ending', waitMs: 5000 });
    expect(log.events).toEqual([]);
  });

  test('waits for the expiry as it stood at the mark, whatever is renewed since', () => {
    const log = heldElection();
    end(log, 'operator');
    log.pass(3000);
    log.renew('a', 1, 'a');
    log.pass(2999).tick();
    expect(log.holder('e')).toBe('a');
    log.pass(1).tick();
    expect(log.events).toMatchObject([
      { type: 'ended', campaignId: 'a', token: 1001n, reason },
      { type: 'granted', leader: { candidate: 'b', token: 1002n } },
    ]);
  });

  test.each([
    ['withdraw', (log: TestLog) => log.withdraw('e', 'a', 'a', 'a'), 'resigned'],
    ['revoke', (log: TestLog) => log.revoke('a', 'a'), 'revoked'],
  ] as const)('ends with the %s of the holder', (_verb, acknowledge, outcome) => {
    const log = heldElection();
    end(log, 'operator');
    expect(acknowledge(log)).toMatchObject({ outcome, waitMs: 0 });
    expect(log.holder('e')).toBe('b');
  });

  test('is immediate where the lease has run out already', () => {
    const log = heldElection();
    log.pass(6000);
    end(log, 'operator');
    expect(log.holder('e')).toBe('b');
  });
});

test('an early end of an ending grant is not applied', () => {
  const log = heldElection();
  const grants = [
    { election: 'e', token: token(1001n) },
    { election: 'e', token: token(7n) },
    { election: 'none', token: token(1001n) },
  ];
  log.system({ type: 'end-grants', grants });
  log.withdraw('e', 'a', 'a', 'operator');
  log.system({ type: 'end-grants', grants });
  expect(log.holder('e')).toBe('a');
  log.pass(6000);
  log.system({ type: 'end-grants', grants: grants.slice(1) });
  expect(log.holder('e')).toBe('a');
  log.system({ type: 'end-grants', grants });
  log.system({ type: 'end-grants', grants });
  expect(log.holder('e')).toBe('b');
});

test('a foreign withdrawal leaves the lease: it goes on and may campaign again', () => {
  const log = heldElection();
  log.withdraw('e', 'a', 'a', 'operator');
  log.renew('a', 1, 'a');
  log.pass(6000).tick();
  expect(log.showLease('a')).toMatchObject({ ending: false, grants: [] });
  expect(codeOf(log.campaign('e', 'a', 'a', 'a'))).toBe('CAMPAIGN_WITHDRAWN');
  expect(log.campaign('e', 'a2', 'a', 'a')).toMatchObject({ state: { state: 'queued' } });
});

describe('a foreign revoke', () => {
  test('without a live grant ends the lease at once', () => {
    const log = heldElection();
    log.put('k', 'v', { lease: 'b' });
    expect(log.revoke('b', 'operator')).toEqual({
      type: 'lease-revoke',
      outcome: 'revoked',
      waitMs: 0,
    });
    expect(log.types()).toEqual(['left', 'delete']);
    expect(log.showLease('b')).toBeUndefined();
  });

  test('stops the lease from getting anything new and takes its places in queues', () => {
    const log = heldElection();
    log.campaign('f', 'b-f', 'b', 'b');
    log.campaign('f', 'a-f', 'a', 'a');
    log.revoke('a', 'operator');
    expect(log.types()).toEqual(['ending', 'left']);
    expect(log.queue('f')).toEqual([]);
    expect(codeOf(log.campaign('g', 'a-g', 'a', 'a'))).toBe('LEASE_ENDING');
    expect(codeOf(log.put('k', 'v', { lease: 'a' }))).toBe('LEASE_ENDING');
    expect(log.campaign('e', 'a', 'a', 'a')).toMatchObject({
      state: { state: 'granted', leader: { ending: true } },
    });
  });

  test('lets no renewal move anything, and the renewal says so', () => {
    const log = heldElection();
    log.revoke('a', 'operator');
    expect(log.renew('a', 1, 'a')).toMatchObject({ renewals: [{ ending: true }] });
    expect(log.showLease('a')).toMatchObject({ remainingMs: 6000, attempt: 0, ending: true });
  });

  test('ends the lease with its keys when the wait is over', () => {
    const log = heldElection();
    log.put('k', 'v', { lease: 'a' });
    log.revoke('a', 'operator');
    expect(log.get('k')).toBeDefined();
    log.pass(6000);
    expect(log.due().map(({ type }) => type)).toContain('expire-leases');
    log.tick();
    expect(log.get('k')).toBeUndefined();
    expect(log.showLease('a')).toBeUndefined();
    expect(log.types()).toEqual(expect.arrayContaining(['ended', 'granted', 'delete']));
  });

  test('ended by the expiry of its lease says that it was revoked', () => {
    const log = heldElection();
    log.revoke('a', 'operator');
    log.pass(6000);
    log.system({ type: 'expire-leases', leases: [{ lease: 'a' as never, renewals: 0 }] });
    expect(log.events).toMatchObject([{ type: 'ended', reason: 'lease-revoked' }, {}]);
    expect(log.due().map(({ type }) => type)).not.toContain('end-grants');
  });

  test('waits for all grants; the last one given back ends the lease at once', () => {
    const log = heldElection();
    log.campaign('f', 'a-f', 'a', 'a');
    log.put('k', 'v', { lease: 'a' });
    log.revoke('a', 'operator');
    log.withdraw('e', 'a', 'a', 'a');
    expect(log.holder('e')).toBe('b');
    expect(log.showLease('a')).toMatchObject({ ending: true, grants: [{ election: 'f' }] });
    log.withdraw('f', 'a-f', 'a', 'a');
    expect(log.types()).toEqual(['ended', 'delete']);
    expect(log.showLease('a')).toBeUndefined();
  });

  test('after a foreign withdrawal keeps the earlier end of that grant', () => {
    const log = heldElection();
    log.campaign('f', 'a-f', 'a', 'a');
    log.withdraw('e', 'a', 'a', 'operator');
    log.renew('a', 1, 'a');
    expect(log.revoke('a', 'operator')).toMatchObject({ outcome: 'ending', waitMs: 10_000 });
    log.pass(6000).tick();
    expect(log.holder('e')).toBe('b');
    expect(log.holder('f')).toBe('a-f');
    log.pass(4000).tick();
    expect(log.holder('f')).toBeUndefined();
    expect(log.showLease('a')).toBeUndefined();
  });
});
