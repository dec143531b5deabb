import { expect, test } from 'vitest';
import type { Stamp } from '../src/index.js';
import { bytes, codeOf, key, refusalOf, session, TestLog } from './support.js';

const TTL_MS = 600_000;

const putCommand = (at: string) =>
  ({ type: 'put', key: key(at), value: bytes('v'), lease: undefined, guards: [] }) as const;
const stamp = (sequence: number, mark = 1, openedAtMs = 1000, by = 's'): Stamp => ({
  session: session(by),
  openedAtMs,
  sequence,
  mark,
});

test('a retried request gets the first answer and is applied once (K-024, K-027)', () => {
  const log = new TestLog();
  const first = log.stamped(stamp(1), putCommand('a'));
  log.put('a');
  expect(log.stamped(stamp(1), putCommand('a'))).toEqual(first);
  expect(log.get('a')?.version).toBe(2);
  expect(log.events).toEqual([]);
});

test('a retried compare-and-set is not evaluated again (K-027)', () => {
  const log = new TestLog();
  const swap = {
    type: 'txn',
    compares: [{ target: 'version', key: key('a'), operator: '=', operand: 0 }],
    success: [putCommand('a')],
    failure: [],
    guards: [],
  } as const;
  const first = log.stamped(stamp(1), swap);
  expect(first).toMatchObject({ succeeded: true });
  log.run({ type: 'delete', key: key('a'), guards: [] });
  expect(log.stamped(stamp(1), swap)).toEqual(first);
  expect(log.get('a')).toBeUndefined();
});

test('requests of a session may arrive in any order', () => {
  const log = new TestLog();
  for (const sequence of [3, 1, 2]) {
    expect(codeOf(log.stamped(stamp(sequence), putCommand(`k${sequence}`)))).toBe('put');
  }
  expect(log.coordinator.revision).toBe(3);
});

test('a refusal is the first answer too, even when the reason is gone', () => {
  const log = new TestLog();
  const command = { ...putCommand('a'), lease: 'l' as never };
  expect(codeOf(log.stamped(stamp(1), command))).toBe('LEASE_NOT_FOUND');
  log.grantLease('l');
  expect(codeOf(log.stamped(stamp(1), command))).toBe('LEASE_NOT_FOUND');
  expect(codeOf(log.stamped(stamp(2), command))).toBe('put');
});

test('the duplicate check precedes the guard check', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.campaign('e', 'c', 'l');
  const guards = [{ election: 'e', token: log.tokenOf('e') as never }];
  const first = log.stamped(stamp(1), { ...putCommand('a'), guards });
  log.revoke('l');
  expect(log.stamped(stamp(1), { ...putCommand('a'), guards })).toEqual(first);
  expect(codeOf(log.stamped(stamp(2), { ...putCommand('a'), guards }))).toBe('FENCED');
});

test('a sequence below the highest mark is stale, whoever carried the mark', () => {
  const log = new TestLog();
  log.stamped(stamp(1), putCommand('a'));
  log.stamped(stamp(5, 4), putCommand('b'));
  expect(refusalOf(log.stamped(stamp(3), putCommand('c')))).toEqual({
    code: 'STALE_REQUEST',
    sequence: 3,
    mark: 4,
  });
  expect(codeOf(log.stamped(stamp(4), putCommand('c')))).toBe('put');
});

test('the window starts at the mark', () => {
  const log = new TestLog({ settings: { sessionWindow: 8 } });
  expect(codeOf(log.stamped(stamp(8), putCommand('a')))).toBe('put');
  expect(refusalOf(log.stamped(stamp(9), putCommand('a')))).toEqual({
    code: 'SESSION_WINDOW_FULL',
    sequence: 9,
    limit: 8,
  });
  expect(codeOf(log.stamped(stamp(9, 2), putCommand('a')))).toBe('put');
  expect(codeOf(log.stamped(stamp(1000, 999), putCommand('a')))).toBe('put');
});

test('beyond its bytes a session keeps outcomes only', () => {
  const log = new TestLog({ settings: { sessionReplyBytesMax: 500 } });
  log.run(putCommand('big'));
  log.run({ ...putCommand('big'), value: new Uint8Array(1000) });
  const read = {
    type: 'txn',
    compares: [],
    success: [{ type: 'get', key: key('big') }],
    failure: [],
    guards: [],
  } as const;
  expect(codeOf(log.stamped(stamp(1), read))).toBe('txn');
  expect(refusalOf(log.stamped(stamp(1), read))).toEqual({ code: 'REPLY_DROPPED', sequence: 1 });
  const missing = { ...read, success: [{ type: 'get', key: key('none') }] } as const;
  const kept = log.stamped(stamp(2), missing);
  expect(log.stamped(stamp(2), missing)).toEqual(kept);
});

test('refusals are kept even when there is no room for replies', () => {
  const log = new TestLog({ settings: { sessionReplyBytesMax: 0 } });
  const command = { ...putCommand('a'), lease: 'l' as never };
  log.stamped(stamp(1), command);
  log.grantLease('l', 10_000, 'other');
  expect(codeOf(log.stamped(stamp(1), command))).toBe('LEASE_NOT_FOUND');
  log.stamped(stamp(2), putCommand('a'));
  expect(codeOf(log.stamped(stamp(2), putCommand('a')))).toBe('REPLY_DROPPED');
});

test('answered replies make room for new ones', () => {
  const log = new TestLog({ settings: { sessionReplyBytesMax: 64 } });
  for (let sequence = 1; sequence <= 5; sequence += 1) {
    const first = log.stamped(stamp(sequence, sequence), putCommand('a'));
    expect(log.stamped(stamp(sequence, sequence), putCommand('a'))).toEqual(first);
  }
});

test('the reply to a granted campaign is kept and counted with its metadata', () => {
  const log = new TestLog({ settings: { sessionReplyBytesMax: 200 } });
  log.grantLease('l');
  const command = {
    type: 'campaign',
    election: 'e',
    lease: 'l' as never,
    candidate: 'c',
    metadata: new Uint8Array(300),
    campaignId: 'c' as never,
  } as const;
  expect(codeOf(log.stamped(stamp(1), command))).toBe('campaign');
  expect(codeOf(log.stamped(stamp(1), command))).toBe('REPLY_DROPPED');
});

test('an unknown session that may have been forgotten is never a new client (K-025)', () => {
  const log = new TestLog();
  log.stamped(stamp(5), putCommand('a'));
  log.pass(TTL_MS).tick();
  expect(codeOf(log.stamped(stamp(5), putCommand('a')))).toBe('SESSION_EXPIRED');
  expect(log.get('a')?.version).toBe(1);
});

test('a session cannot be opened with a time that is yet to come', () => {
  const log = new TestLog();
  expect(codeOf(log.stamped(stamp(1, 1, 1001), putCommand('a')))).toBe('SESSION_EXPIRED');
  expect(codeOf(log.pass(1).stamped(stamp(1, 1, 1001), putCommand('a')))).toBe('put');
});

test('a session is opened up to its TTL after it was offered, not later', () => {
  const log = new TestLog();
  log.pass(TTL_MS - 1);
  expect(codeOf(log.stamped(stamp(1, 1, 1000, 'young'), putCommand('a')))).toBe('put');
  log.pass(1);
  expect(codeOf(log.stamped(stamp(1, 1, 1000, 'old'), putCommand('a')))).toBe('SESSION_EXPIRED');
});

test('every logged command keeps a session alive, renewals and duplicates included', () => {
  const log = new TestLog();
  log.grantLease('l');
  for (let round = 1; round <= 3; round += 1) {
    log.pass(TTL_MS - 1);
    log.renew('l', round);
    log.pass(TTL_MS - 1);
    log.stamped(
      { session: session('session-1'), openedAtMs: 1000, sequence: 1, mark: 1 },
      {
        type: 'session-touch',
      },
    );
    expect(log.due().some(({ type }) => type === 'expire-sessions')).toBe(false);
  }
});

test('an expiry that was decided before the session was touched changes nothing (K-026)', () => {
  const log = new TestLog();
  log.stamped(stamp(1), putCommand('a'));
  const touchedAtMs = log.nowMs;
  log.pass(TTL_MS);
  log.stamped(stamp(2, 2), putCommand('a'));
  log.system({ type: 'expire-sessions', sessions: [{ session: session('s'), touchedAtMs }] });
  expect(codeOf(log.stamped(stamp(3, 3), putCommand('a')))).toBe('put');
});

test('an expiry before its time changes nothing, and one of an unknown session neither', () => {
  const log = new TestLog();
  log.stamped(stamp(1), putCommand('a'));
  const sessions = ['s', 'unknown'].map((id) => ({ session: session(id), touchedAtMs: 1000 }));
  log.pass(TTL_MS - 1).system({ type: 'expire-sessions', sessions });
  expect(codeOf(log.stamped(stamp(2), putCommand('a')))).toBe('put');
});

test('close ends a session for good, also for requests still on their way (K-050)', () => {
  const log = new TestLog();
  log.stamped(stamp(1), putCommand('a'));
  expect(log.stamped(stamp(2), { type: 'session-close' })).toEqual({ type: 'done' });
  expect(codeOf(log.stamped(stamp(1), putCommand('a')))).toBe('SESSION_EXPIRED');
  expect(codeOf(log.stamped(stamp(3), putCommand('a')))).toBe('SESSION_EXPIRED');
  expect(log.stamped(stamp(2), { type: 'session-close' })).toEqual({ type: 'done' });
});

test('close is remembered for as long as the session could be opened again, and no longer', () => {
  const log = new TestLog();
  log.pass(300_000);
  log.stamped(stamp(1, 1, 1000, 'never-seen'), { type: 'session-close' });
  expect(codeOf(log.stamped(stamp(2, 1, 1000, 'never-seen'), putCommand('a')))).toBe(
    'SESSION_EXPIRED',
  );
  log.pass(299_999);
  expect(log.due().map(({ type }) => type)).not.toContain('expire-sessions');
  log.pass(1);
  expect(log.tick().map(({ type }) => type)).toContain('expire-sessions');
  expect(codeOf(log.stamped(stamp(2, 1, 1000, 'never-seen'), putCommand('a')))).toBe(
    'SESSION_EXPIRED',
  );
  expect(log.stamped(stamp(3, 1, 1000, 'never-seen'), { type: 'session-close' })).toEqual({
    type: 'done',
  });
});

test('a renewal does not need its session and does not open or revive one', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.run({ type: 'session-close' });
  expect(log.renew('l', 1)).toMatchObject({ renewals: [{ outcome: 'renewed' }] });
  expect(log.renew('l', 2, 'unknown')).toMatchObject({ renewals: [{ outcome: 'renewed' }] });
  expect(codeOf(log.run({ type: 'session-touch' }))).toBe('SESSION_EXPIRED');
});

test('the number of sessions is limited; nobody is evicted for a new one (K-025)', () => {
  const log = new TestLog({ settings: { sessionsMax: 2 } });
  log.put('a', 'v', { by: 'one' });
  log.put('a', 'v', { by: 'two' });
  expect(refusalOf(log.put('a', 'v', { by: 'three' }))).toEqual({
    code: 'CAPACITY_REACHED',
    what: 'sessionsMax',
    limit: 2,
  });
  expect(codeOf(log.run({ type: 'session-close' }, 'three'))).toBe('CAPACITY_REACHED');
  expect(codeOf(log.put('a', 'v', { by: 'one' }))).toBe('put');
});

test('a copy that found no room for its session leaves no trace: a later copy may run', () => {
  const log = new TestLog({ settings: { sessionsMax: 1 } });
  log.put('a', 'v', { by: 'one' });
  const late = stamp(1, 1, log.pass(1_000).nowMs, 'two');
  expect(refusalOf(log.stamped(late, putCommand('b')))).toMatchObject({ what: 'sessionsMax' });
  log.pass(TTL_MS - 1_000).tick();
  // That is why the client calls it `rejected` only where no other copy is on its way.
  expect(codeOf(log.stamped(late, putCommand('b')))).toBe('put');
});

test.each([
  ['session', { ...stamp(1), session: session('') }],
  ['openedAtMs', { ...stamp(1), openedAtMs: Number.NaN }],
  ['sequence', { ...stamp(1), sequence: 1.5 }],
  ['mark', { ...stamp(1), mark: 0 }],
  ['mark', { ...stamp(1), mark: 2 }],
  ['mark', { ...stamp(1), mark: Number.NaN }],
])('a malformed stamp is refused, naming %s', (field, malformed) => {
  const log = new TestLog();
  expect(refusalOf(log.stamped(malformed, putCommand('a')))).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field,
  });
  expect(codeOf(log.stamped(malformed, { type: 'session-close' }))).toBe('INVALID_ARGUMENT');
  expect(log.get('a')).toBeUndefined();
});
