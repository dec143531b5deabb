import { describe, expect, test } from 'vitest';
import type { Compare, CommandResult, Operation } from '../src/index.js';
import { bytes, key, lease, refusalOf, TestLog, text } from './support.js';

const put = (at: string, value = 'v', on?: string): Operation => ({
  type: 'put',
  key: key(at),
  value: bytes(value),
  lease: on === undefined ? undefined : lease(on),
});
const get = (at: string): Operation => ({ type: 'get', key: key(at) });
const remove = (at: string): Operation => ({ type: 'delete', key: key(at) });
const removeFrom = (at: string): Operation => ({
  type: 'delete-range',
  start: key(at),
  end: undefined,
});

function txn(
  log: TestLog,
  compares: readonly Compare[],
  success: readonly Operation[],
  failure: readonly Operation[] = [],
): CommandResult {
  return log.run({ type: 'txn', compares, success, failure, guards: [] });
}

const version = (at: string, operator: Compare['operator'], operand: number): Compare => ({
  target: 'version',
  key: key(at),
  operator,
  operand,
});

test('all operations of a transaction share one revision', () => {
  const log = new TestLog();
  const result = txn(log, [], [put('a'), put('b'), get('a'), remove('b')]);
  expect(result).toMatchObject({ type: 'txn', revision: 1, succeeded: true });
  expect(log.types()).toEqual(['put', 'put', 'delete']);
  expect(log.coordinator.revision).toBe(1);
  expect(log.get('b')).toBeUndefined();
});

test('an operation sees what the ones before it did', () => {
  const log = new TestLog();
  const result = txn(log, [], [put('a', '1'), get('a'), put('a', '2'), removeFrom('a'), get('a')]);
  if (result.type !== 'txn') throw new Error(result.type);
  const [first, seen, second, removed, gone] = result.results;
  expect(first).toEqual({ type: 'put', version: 1 });
  expect(seen).toMatchObject({ type: 'get', record: { version: 1, value: bytes('1') } });
  expect(second).toEqual({ type: 'put', version: 2 });
  expect(removed).toEqual({ type: 'delete-range', deleted: 1, more: false });
  expect(gone).toEqual({ type: 'get', record: undefined });
});

test('a failed comparison runs the other branch', () => {
  const log = new TestLog();
  const result = txn(log, [version('a', '=', 1)], [put('then')], [put('else'), remove('none')]);
  expect(result).toMatchObject({
    succeeded: false,
    results: [
      { type: 'put', version: 1 },
      { type: 'delete', deleted: 0 },
    ],
  });
  expect(log.get('then')).toBeUndefined();
  expect(log.get('else')).toBeDefined();
});

test('a read-only transaction changes nothing and names the present revision (K-031)', () => {
  const log = new TestLog();
  log.put('a');
  expect(txn(log, [version('a', '>', 0)], [get('a')])).toMatchObject({
    revision: 1,
    succeeded: true,
  });
  expect(log.events).toEqual([]);
});

describe('comparisons', () => {
  const log = new TestLog();
  log.put('x', 'first');
  log.put('k', 'bb');
  log.put('k', 'bb');
  const value = (operator: Compare['operator'], operand: string, at = 'k'): Compare => ({
    target: 'value',
    key: key(at),
    operator,
    operand: bytes(operand),
  });
  const revision = (
    target: 'create-revision' | 'mod-revision',
    operator: Compare['operator'],
    operand: number,
    at = 'k',
  ): Compare => ({ target, key: key(at), operator, operand });
  const cases: readonly [string, Compare, boolean][] = [
    ['equal bytes', value('=', 'bb'), true],
    ['a longer value', value('=', 'bbb'), false],
    ['a shorter value', value('=', 'b'), false],
    ['a prefix comes first', value('<', 'bba'), true],
    ['and what it begins after it', value('>', 'b'), true],
    ['the first different byte decides', value('>', 'bazzz'), true],
    ['different bytes', value('!=', 'bc'), true],
    ['a missing key equals no value', value('=', '', 'none'), false],
    ['a missing key differs from every value', value('!=', '', 'none'), true],
    ['a missing key is not less', value('<', 'a', 'none'), false],
    ['a missing key is not greater', value('>', '', 'none'), false],
    ['version', version('k', '=', 2), true],
    ['version of a missing key is 0', version('none', '=', 0), true],
    ['create revision', revision('create-revision', '=', 2), true],
    ['create revision of a missing key is 0', revision('create-revision', '=', 0, 'none'), true],
    ['modification revision', revision('mod-revision', '=', 3), true],
    ['modification revision less', revision('mod-revision', '<', 3), false],
    ['modification revision of a missing key', revision('mod-revision', '<', 1, 'none'), true],
  ];
  test.each(cases)('%s', (_name, compare, expected) => {
    expect(txn(log, [compare], [])).toMatchObject({ succeeded: expected });
  });
});

test('one refused operation refuses the whole transaction before anything changes (C25)', () => {
  const log = new TestLog();
  const result = txn(log, [], [put('a'), put('b', 'v', 'no-lease')]);
  expect(refusalOf(result).code).toBe('LEASE_NOT_FOUND');
  expect(log.get('a')).toBeUndefined();
  expect(log.coordinator.revision).toBe(0);
});

test('a transaction that would touch more keys than an entry may is refused whole', () => {
  const log = new TestLog({ settings: { keysPerEntryMax: 4 } });
  for (const at of ['a', 'b', 'c']) log.put(at);
  expect(refusalOf(txn(log, [], [put('x'), put('y'), removeFrom('')]))).toEqual({
    code: 'LIMIT_EXCEEDED',
    field: 'keysPerEntryMax',
    limit: 4,
  });
  expect(log.get('x')).toBeUndefined();
  expect(txn(log, [], [put('x'), removeFrom('')])).toMatchObject({
    results: [{ version: 1 }, { deleted: 4, more: false }],
  });
});

test('puts of one transaction count together against the keys of a lease', () => {
  const log = new TestLog({ settings: { keysPerLeaseMax: 2 } });
  log.grantLease('l');
  const three = ['a', 'b', 'c'].map((at) => put(at, 'v', 'l'));
  expect(refusalOf(txn(log, [], three))).toMatchObject({ what: 'keysPerLeaseMax' });
  expect(txn(log, [], three.slice(0, 2))).toMatchObject({ succeeded: true });
  expect(log.showLease('l')?.keys).toBe(2);
});

test('compare-and-set: of two writers with the same expectation one wins', () => {
  const log = new TestLog();
  const swap = (value: string): CommandResult =>
    txn(log, [version('k', '=', 0)], [put('k', value)], [get('k')]);
  expect(swap('one')).toMatchObject({ succeeded: true });
  expect(swap('two')).toMatchObject({ succeeded: false });
  expect(text(log.get('k')?.value)).toBe('one');
});

test('what the gets return is bounded, and refused before anything runs', () => {
  const log = new TestLog({ settings: { txnReplyBytesMax: 1000 } });
  log.put('a', 'x'.repeat(400));
  const reads = [get('a'), get('a'), get('a')];
  expect(refusalOf(txn(log, [], [put('new'), ...reads]))).toEqual({
    code: 'LIMIT_EXCEEDED',
    field: 'txnReplyBytesMax',
    limit: 1000,
  });
  expect(log.get('new')).toBeUndefined();
  expect(txn(log, [], [put('new'), ...reads.slice(1)])).toMatchObject({ succeeded: true });
});

test('a get counts what an earlier operation of its transaction has put or deleted', () => {
  const log = new TestLog({ settings: { txnReplyBytesMax: 1000 } });
  const large = put('a', 'x'.repeat(600));
  expect(refusalOf(txn(log, [], [large, get('a'), get('a')])).code).toBe('LIMIT_EXCEEDED');
  expect(txn(log, [], [large, get('a'), remove('a'), get('a')])).toMatchObject({ succeeded: true });
  txn(log, [], [large]);
  expect(txn(log, [], [put('a', 'small'), get('a'), get('a')])).toMatchObject({ succeeded: true });
});

test('any single value can be read in a transaction', () => {
  const log = new TestLog();
  log.put('a', 'x'.repeat(1024 * 1024));
  expect(txn(log, [], [get('a')])).toMatchObject({ succeeded: true });
});
