import { describe, expect, test } from 'vitest';
import type { ClientCommand, Guard } from '../src/index.js';
import { bytes, codeOf, key, refusalOf, TestLog, text, token } from './support.js';

/** A held `e` with token 1001; B holds it now with 1002. */
function handedOver(): TestLog {
  const log = new TestLog();
  for (const name of ['a', 'b']) {
    log.grantLease(name, 10_000, name);
    log.campaign('e', name, name, name);
  }
  log.revoke('a', 'a');
  return log;
}

const guard = (value: bigint, election = 'e'): Guard => ({ election, token: token(value) });

describe('guarded writes', () => {
  const writes: readonly [string, (guards: readonly Guard[]) => ClientCommand][] = [
    [
      'put',
      (guards) => ({ type: 'put', key: key('k'), value: bytes('new'), lease: undefined, guards }),
    ],
    ['delete', (guards) => ({ type: 'delete', key: key('k'), guards })],
    [
      'delete-range',
      (guards) => ({ type: 'delete-range', start: key(''), end: undefined, guards }),
    ],
    [
      'txn',
      (guards) => ({
        type: 'txn',
        compares: [],
        success: [{ type: 'delete', key: key('k') }],
        failure: [],
        guards,
      }),
    ],
  ];

  test.each(writes)(
    '%s of an older holder is refused, naming the current token (K-079, K-080, C3)',
    (_name, write) => {
      const log = handedOver();
      log.put('k', 'old');
      expect(refusalOf(log.run(write([guard(1001n)]), 'a'))).toEqual({
        code: 'FENCED',
        election: 'e',
        current: 1002n,
      });
      expect(text(log.get('k')?.value)).toBe('old');
      expect(log.events).toEqual([]);
    },
  );

  test.each(writes)('%s of the current holder commits', (name, write) => {
    const log = handedOver();
    log.put('k', 'old');
    expect(codeOf(log.run(write([guard(1002n)]), 'b'))).toBe(name);
    expect(log.events).toHaveLength(1);
  });

  test('need every one of several guards', () => {
    const log = handedOver();
    log.campaign('f', 'b-f', 'b', 'b');
    const both = [guard(1002n), guard(1003n, 'f')];
    expect(codeOf(log.put('k', 'v', { guards: both }))).toBe('put');
    log.withdraw('f', 'b-f', 'b', 'b');
    expect(refusalOf(log.put('k', 'v', { guards: both }))).toEqual({
      code: 'FENCED',
      election: 'f',
      current: undefined,
    });
  });

  test('are refused where nobody leads, and where nobody ever led', () => {
    const log = handedOver();
    log.revoke('b', 'b');
    expect(refusalOf(log.put('k', 'v', { guards: [guard(1002n)] }))).toMatchObject({
      current: undefined,
    });
    expect(codeOf(log.put('k', 'v', { guards: [guard(1002n, 'none')] }))).toBe('FENCED');
  });

  test('of a frozen holder are refused from the entry that ends its lease (K-081)', () => {
    const log = new TestLog();
    log.grantLease('a', 10_000, 'a');
    log.campaign('e', 'a', 'a', 'a');
    log.grantLease('b', 60_000, 'b');
    log.campaign('e', 'b', 'b', 'b');
    log.pass(12_000);
    expect(codeOf(log.put('k', 'v', { guards: [guard(1001n)], by: 'a' }))).toBe('put');
    log.tick();
    expect(codeOf(log.put('k', 'v', { guards: [guard(1001n)], by: 'a' }))).toBe('FENCED');
    expect(codeOf(log.put('k', 'v', { guards: [guard(1002n)], by: 'b' }))).toBe('put');
  });
});

describe('a fence for an outside resource', () => {
  test('is raised by the current grant, as often as it likes', () => {
    const log = handedOver();
    expect(log.advance('db', 'e', 1002n)).toEqual({ type: 'fence-advance', token: 1002n });
    expect(log.advance('db', 'e', 1002n)).toEqual({ type: 'fence-advance', token: 1002n });
    log.grantLease('c');
    log.campaign('e', 'c', 'c');
    log.revoke('b', 'b');
    expect(log.advance('db', 'e', 1003n)).toEqual({ type: 'fence-advance', token: 1003n });
    expect(log.coordinator.revision).toBe(5);
  });

  test('cannot be seized by a holder that is gone, however late it calls (K-085)', () => {
    const log = handedOver();
    expect(refusalOf(log.advance('db', 'e', 1001n, 'a'))).toEqual({
      code: 'FENCED',
      election: 'e',
      current: 1002n,
    });
  });

  test('belongs to the election it was first raised for', () => {
    const log = handedOver();
    log.campaign('f', 'b-f', 'b', 'b');
    log.advance('db', 'e', 1002n);
    expect(refusalOf(log.advance('db', 'f', 1003n))).toEqual({
      code: 'FENCED',
      election: 'e',
      current: 1002n,
    });
    expect(codeOf(log.advance('other', 'f', 1003n))).toBe('fence-advance');
  });

  test.each([0n, -1n, 1003n])('refuses token %d, which was never granted', (value) => {
    const log = handedOver();
    expect(refusalOf(log.advance('db', 'e', value))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'token',
    });
  });

  test('needs names, and their number is limited', () => {
    const log = new TestLog({ settings: { fencesMax: 1 } });
    log.grantLease('l');
    log.campaign('e', 'c', 'l');
    expect(refusalOf(log.advance('', 'e', 1001n))).toMatchObject({ field: 'resource' });
    expect(refusalOf(log.advance('db', '', 1001n))).toMatchObject({ field: 'election' });
    log.advance('db', 'e', 1001n);
    expect(refusalOf(log.advance('cache', 'e', 1001n))).toMatchObject({ what: 'fencesMax' });
    expect(codeOf(log.advance('db', 'e', 1001n))).toBe('fence-advance');
  });

  test('outlives its election', () => {
    const log = handedOver();
    log.advance('db', 'e', 1002n);
    log.revoke('b', 'b');
    log.pass(86_400_000).tick();
    expect(log.show('e')).toBeUndefined();
    log.grantLease('late', 10_000, 'late');
    log.campaign('f', 'late', 'late', 'late');
    expect(codeOf(log.advance('db', 'f', 1003n, 'late'))).toBe('FENCED');
  });
});
