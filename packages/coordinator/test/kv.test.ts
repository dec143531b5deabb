import { expect, test } from 'vitest';
import { codeOf, key, refusalOf, TestLog, text } from './support.js';

test('the first change has revision 1, and every changing entry raises it by one', () => {
  const log = new TestLog();
  expect(log.coordinator.revision).toBe(0);
  expect(log.put('a')).toEqual({ type: 'put', revision: 1, version: 1 });
  expect(log.put('b')).toEqual({ type: 'put', revision: 2, version: 1 });
  expect(log.put('a')).toEqual({ type: 'put', revision: 3, version: 2 });
  expect(log.get('a')).toMatchObject({ createRevision: 1, modRevision: 3, version: 2 });
  expect(log.get('b')).toMatchObject({ createRevision: 2, modRevision: 2, version: 1 });
});

test('entries that change neither keys nor elections leave the revision', () => {
  const log = new TestLog();
  log.put('a');
  log.grantLease('l');
  log.renew('l', 1);
  log.time();
  log.run({ type: 'session-touch' });
  expect(log.run({ type: 'delete', key: key('missing'), guards: [] })).toEqual({
    type: 'delete',
    revision: 1,
    deleted: 0,
  });
  expect(log.coordinator.revision).toBe(1);
  expect(log.events).toEqual([]);
});

test('a deleted key starts again at version 1; the revision never falls (K-030, C25)', () => {
  const log = new TestLog();
  log.put('a');
  log.put('a');
  expect(log.run({ type: 'delete', key: key('a'), guards: [] })).toMatchObject({
    revision: 3,
    deleted: 1,
  });
  expect(log.events).toEqual([{ type: 'delete', key: 'a', reason: 'user' }]);
  expect(log.get('a')).toBeUndefined();
  log.put('a');
  expect(log.get('a')).toMatchObject({ createRevision: 4, modRevision: 4, version: 1 });
});

test('keys are ordered by bytes, not by locale', () => {
  const log = new TestLog();
  for (const at of ['b', 'Z', 'ä', 'a', '\u00ff', '\u0001', 'ab']) log.put(at);
  const result = log.query({ type: 'range', start: key(''), end: undefined, limit: 100 });
  const keys = result.type === 'range' ? result.records.map((record) => record.key) : [];
  expect(keys).toEqual(['\u0001', 'Z', 'a', 'ab', 'b', 'ä', '\u00ff']);
});

test('an empty key is refused', () => {
  const log = new TestLog();
  expect(refusalOf(log.put(''))).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'key' });
  expect(log.coordinator.revision).toBe(0);
});

test('a range is deleted up to its end, which stays, in one revision', () => {
  const log = new TestLog();
  for (const at of ['a', 'b', 'c', 'd']) log.put(at);
  const result = log.run({ type: 'delete-range', start: key('b'), end: key('d'), guards: [] });
  expect(result).toEqual({ type: 'delete-range', revision: 5, deleted: 2, more: false });
  expect(log.events).toEqual([
    { type: 'delete', key: 'b', reason: 'user' },
    { type: 'delete', key: 'c', reason: 'user' },
  ]);
});

test('deleting a range stops at the limit of an entry and says that there is more', () => {
  const log = new TestLog({ settings: { keysPerEntryMax: 3 } });
  for (let at = 0; at < 5; at += 1) log.put(`k${at}`);
  const all = { type: 'delete-range', start: key(''), end: undefined, guards: [] } as const;
  expect(log.run(all)).toMatchObject({ deleted: 3, more: true });
  expect(log.run(all)).toMatchObject({ deleted: 2, more: false });
  expect(log.run(all)).toEqual({ type: 'delete-range', revision: 7, deleted: 0, more: false });
});

test('an end before the start is an empty range', () => {
  const log = new TestLog();
  log.put('b');
  const result = log.run({ type: 'delete-range', start: key('c'), end: key('a'), guards: [] });
  expect(result).toMatchObject({ deleted: 0, more: false });
});

test('the end of a lease deletes its keys in the same entry and says why', () => {
  const log = new TestLog();
  log.grantLease('l', 1000);
  log.put('a', '1', { lease: 'l' });
  log.put('b', '2', { lease: 'l' });
  log.put('c', '3');
  expect(log.showLease('l')?.keys).toBe(2);
  log.pass(1000).tick();
  expect(log.events).toEqual([
    { type: 'delete', key: 'a', reason: 'lease-expired' },
    { type: 'delete', key: 'b', reason: 'lease-expired' },
  ]);
  expect(text(log.get('c')?.value)).toBe('3');
});

test('a key deleted because its lease was revoked says so', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.put('a', '1', { lease: 'l' });
  log.revoke('l');
  expect(log.events).toEqual([{ type: 'delete', key: 'a', reason: 'lease-revoked' }]);
});

test('a put without a lease takes the key from the lease it had', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.put('a', '1', { lease: 'l' });
  log.put('a', '2');
  log.revoke('l');
  expect(log.get('a')).toMatchObject({ version: 2, lease: undefined });
});

test('a put with another lease moves the key there', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.grantLease('m');
  log.put('a', '1', { lease: 'l' });
  log.put('a', '2', { lease: 'm' });
  log.revoke('l');
  expect(log.get('a')).toBeDefined();
  log.revoke('m');
  expect(log.get('a')).toBeUndefined();
});

test('a user deletes a key of a lease; the lease forgets it', () => {
  const log = new TestLog();
  log.grantLease('l');
  log.put('a', '1', { lease: 'l' });
  log.run({ type: 'delete', key: key('a'), guards: [] });
  expect(log.showLease('l')?.keys).toBe(0);
});

test('a put under a lease that is not there is refused', () => {
  const log = new TestLog();
  expect(refusalOf(log.put('a', '1', { lease: 'gone' }))).toEqual({
    code: 'LEASE_NOT_FOUND',
    lease: 'gone',
  });
});

test('a lease carries a limited number of keys; those it has may be written on', () => {
  const log = new TestLog({ settings: { keysPerLeaseMax: 2 } });
  log.grantLease('l');
  log.put('a', '1', { lease: 'l' });
  log.put('b', '1', { lease: 'l' });
  expect(refusalOf(log.put('c', '1', { lease: 'l' }))).toEqual({
    code: 'CAPACITY_REACHED',
    what: 'keysPerLeaseMax',
    limit: 2,
  });
  expect(codeOf(log.put('b', '2', { lease: 'l' }))).toBe('put');
});

test('values are bytes and come back as they went in', () => {
  const log = new TestLog();
  const value = new Uint8Array([0, 255, 128, 10]);
  log.run({ type: 'put', key: key('\u0000\u00ff'), value, lease: undefined, guards: [] });
  expect(log.get('\u0000\u00ff')?.value).toEqual(value);
});
