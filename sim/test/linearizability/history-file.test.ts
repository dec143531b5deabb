import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/world/random.js';
import {
  checkHistoryText,
  DEFAULT_HISTORY_FILE_LIMITS,
  HistoryFileError,
  readHistory,
  writeHistory,
} from '../../src/linearizability/index.js';
import { kvTwin } from './support/kv-twin.js';
import { randomHistory } from './support/random-history.js';
import { registerTwin } from './support/register-twin.js';

const HEAD = '{"format":"raftd-history","version":1,"model":"register","initial":0}';
const KV_HEAD = '{"format":"raftd-history","version":1,"model":"key-value"}';

const json = (line: object) => JSON.stringify(line);

const file = (...lines: readonly string[]) => lines.join('\n');

/** A transaction of one get, with these results of its steps. */
function oneGetTold(results: readonly object[]): string {
  const asked = { process: 'a', operation: 'txn', then: [{ operation: 'get', key: 'x' }] };
  return file(
    KV_HEAD,
    json({ ...asked, call: 0, return: 1, result: { succeeded: true, results } }),
  );
}

describe('a history file', () => {
  it('of a register is judged, and the report names what cannot be placed', () => {
    const report = checkHistoryText(
      file(
        HEAD,
        '{"process":"c1","operation":"write","value":1,"call":0,"return":1}',
        '',
        '{"process":"c1","operation":"write","value":2,"call":2,"return":3}',
        '{"process":"c2","operation":"read","call":4,"return":5,"result":{"value":1}}',
        '{"process":"c3","operation":"cas","expected":7,"value":8,"call":4}',
      ),
    );
    expect(report).toMatchObject({ model: 'register', operations: 4, partitions: 1 });
    expect(report.verdict.type).toBe('not-linearizable');
    expect(report.text).toBe(
      file(
        'register: 4 operations in 1 partition: not linearizable',
        'in register, the first operation that cannot be placed:',
        '  #5 c2 [4, 5] read() → 1',
        'after the longest order without it, number 1 (2 long):',
        '  #2 c1 [0, 1] write(1) → ok',
        '  #4 c1 [2, 3] write(2) → ok',
        '  state: the register holds 2',
      ),
    );
  });

  it('of keys is judged, transactions and leases included', () => {
    const report = checkHistoryText(
      file(
        KV_HEAD,
        json({
          process: 'a',
          operation: 'put',
          key: 'x',
          value: { n: [1] },
          leaseEndsFrom: 9,
          call: 0,
          return: 1,
          result: { version: 1, revision: 3 },
        }),
        json({
          process: 'b',
          operation: 'txn',
          compare: [{ key: 'x', target: 'version', operator: '=', operand: 1 }],
          then: [{ operation: 'get', key: 'x' }],
          call: 2,
          return: 3,
          result: {
            succeeded: true,
            results: [{ operation: 'get', found: true, value: { n: [1] }, modRevision: 3 }],
          },
        }),
        json({
          process: 'b',
          operation: 'get',
          key: 'x',
          call: 10,
          return: 11,
          result: { found: false },
        }),
        json({
          process: 'c',
          operation: 'delete',
          key: 'x',
          call: 12,
          return: 13,
          result: { deleted: 0 },
        }),
        '{"process":"d","operation":"put","key":"y","value":1,"call":12,"return":null}',
      ),
    );
    expect(report.text).toBe('key-value: 5 operations in 2 partitions: linearizable');
  });

  it('is undecided within too small a budget, and says so', () => {
    const lines = Array.from(
      { length: 8 },
      (_, at) => `{"process":"w${at}","operation":"write","value":${at + 1},"call":0,"return":9}`,
    );
    const read = '{"process":"r","operation":"read","call":10,"return":11,"result":{"value":0}}';
    const limits = { stepsMax: 100, cacheWordsMax: 1e6, prefixesMax: 1 };
    const report = checkHistoryText(file(HEAD, ...lines, read), limits);
    expect(report.text).toContain(
      'register: 9 operations in 1 partition: undecided: 100 steps were not enough for register\n',
    );
    expect(report.text).toContain('Nothing is proved either way.');
  });

  it('of many unknown transactions comes to an end: all work is bounded, not steps alone', () => {
    const key = (at: number) => `k${at % 5}`;
    const lost = Array.from({ length: 24 }, (_, at) =>
      json({
        process: `w${at}`,
        operation: 'txn',
        call: 0,
        compare: [{ key: key(at), target: 'version', operator: '=', operand: at % 3 }],
        then: [{ operation: 'put', key: key(at + 1), value: at }],
        else: [{ operation: 'put', key: key(at + 2), value: 100 + at }],
      }),
    );
    const reads = Array.from({ length: 5 }, (_, at) =>
      json({
        process: 'r',
        operation: 'get',
        key: key(at),
        call: at + 1,
        return: at + 1.5,
        result: { found: true, value: at + 3, version: 4 },
      }),
    );
    const text = file(KV_HEAD, ...lost, ...reads);
    const limits = { stepsMax: 200_000, cacheWordsMax: 32e6, prefixesMax: 4 };
    const { verdict } = checkHistoryText(text, limits);
    if (verdict.type !== 'undecided') throw new Error('then another history is wanted here');
    expect(verdict.steps).toBeLessThan(200_000);
  });

  it('of many parts that are hard each is bounded as a whole', () => {
    const part = (key: string): readonly string[] => [
      ...Array.from({ length: 8 }, (_, at) =>
        json({ process: `w${at}`, operation: 'put', key, value: at + 1, call: 0, return: 9 }),
      ),
      json({
        process: 'r',
        operation: 'get',
        key,
        call: 10,
        return: 11,
        result: { found: true, value: 0 },
      }),
    ];
    const parts = Array.from({ length: 200 }, (_, at) => part(`k${at}`)).flat();
    const limits = { stepsMax: 100, cacheWordsMax: 1e6, prefixesMax: 1 };
    expect(checkHistoryText(file(KV_HEAD, ...parts), limits).verdict.type).toBe('undecided');
  });

  it('may begin with a byte order mark', () => {
    const write = '{"process":"a","operation":"write","value":1,"call":0,"return":1}';
    const text = `\uFEFF${file(HEAD, write)}`;
    expect(checkHistoryText(text).verdict.type).toBe('linearizable');
  });

  it('with a field twice is read as the last one says', () => {
    const write = '{"process":"a","operation":"write","value":1,"value":2,"call":0,"return":1}';
    const read = '{"process":"b","operation":"read","call":2,"return":3,"result":{"value":2}}';
    expect(checkHistoryText(file(HEAD, write, read)).verdict.type).toBe('linearizable');
  });

  it('comes back as it was written', () => {
    const random = new RandomStream(7, 'files');
    const shape = { operationsMax: 30, processes: 4, unknownChance: 20 };
    const twin = {
      keys: ['a', 'b'],
      joinsKeys: true,
      freshValues: false,
      comparesRevisions: true,
      leases: true,
      plain: false,
    };
    for (let run = 0; run < 50; run += 1) {
      const keys = writeHistory({
        model: 'key-value',
        history: randomHistory(kvTwin(twin), random, shape),
      });
      expect(writeHistory(readHistory(keys))).toBe(keys);
      expect(checkHistoryText(keys).verdict.type).toBe('linearizable');
      const register = writeHistory({
        model: 'register',
        initial: null,
        history: randomHistory(registerTwin, random, shape),
      });
      expect(writeHistory(readHistory(register))).toBe(register);
      expect(checkHistoryText(register).verdict.type).toBe('linearizable');
    }
  });

  it('compares values as JSON: equal objects are equal, whatever the order of their fields', () => {
    const text = file(
      HEAD,
      '{"process":"a","operation":"write","value":{"p":1,"q":[2]},"call":0,"return":1}',
      '{"process":"b","operation":"read","call":2,"return":3,"result":{"value":{"q":[2],"p":1}}}',
    );
    expect(checkHistoryText(text).verdict.type).toBe('linearizable');
  });
});

describe('a file that cannot be read is refused with its line, its field and the limit', () => {
  const write = '{"process":"a","operation":"write","value":1,"call":0,"return":1}';

  type Refused = readonly [text: string, line: number, field: string, reason: string];

  it.each<Refused>([
    ['', 1, 'the file', 'is empty'],
    ['{"format":"other"}', 1, 'format', 'is not one of raftd-history'],
    [HEAD.replace(':1,', ':2,'), 1, 'version', 'is not 1'],
    [HEAD.replace('register', 'queue'), 1, 'model', 'is not one of register, key-value'],
    [file(HEAD, '{'), 2, 'the line', 'is not JSON'],
    [file(HEAD, '[]'), 2, 'the line', 'is not a JSON object'],
    [file(HEAD, '', write.replace('"a"', '3')), 3, 'process', 'is not a text'],
    [file(HEAD, write.replace('write', 'sing')), 2, 'operation', 'is not one of read, write, cas'],
    [file(HEAD, write.replace('"value":1,', '')), 2, 'value', 'is missing'],
    [
      file(HEAD, write.replace('"call":0', '"call":"0"')),
      2,
      'call',
      'is not a number of milliseconds',
    ],
    [file(HEAD, write.replace('"return":1', '"return":-1')), 2, 'return', 'is before the call'],
    [file(HEAD, write.replace('}', ',"note":1}')), 2, 'note', 'does not belong here'],
    [
      file(HEAD, '{"process":"a","operation":"read","call":0,"result":{"value":1}}'),
      2,
      'result',
      'has no return',
    ],
    [
      file(HEAD, '{"process":"a","operation":"read","call":0,"return":1}'),
      2,
      'result',
      'is not a JSON object',
    ],
    [
      file(
        HEAD,
        '{"process":"a","operation":"cas","expected":1,"value":2,"call":0,"return":1,"result":{}}',
      ),
      2,
      'result.swapped',
      'is not true or false',
    ],
    [
      file(KV_HEAD, '{"process":"a","operation":"put","key":"","value":2,"call":0}'),
      2,
      'key',
      'is not a text',
    ],
    [
      file(
        KV_HEAD,
        '{"process":"a","operation":"delete","key":"x","call":0,"return":1,"result":{"deleted":2}}',
      ),
      2,
      'result.deleted',
      'is not 0 or 1',
    ],
    [
      file(
        KV_HEAD,
        json({
          process: 'a',
          operation: 'txn',
          then: [{ operation: 'put', key: 'x', value: 1, at: 2 }],
          call: 0,
        }),
      ),
      2,
      'then[0].at',
      'does not belong here',
    ],
    [oneGetTold([]), 2, 'result.results', 'has 0 items for 1 steps'],
    ...['1e400', '-1e400'].map((time): Refused => {
      const text = file(HEAD, write.replace('"call":0', `"call":${time}`));
      return [text, 2, 'call', 'is not a number of milliseconds'];
    }),
    [
      file(HEAD, write.replace('"return":1', '"return":1e400')),
      2,
      'return',
      'is not a number of milliseconds',
    ],
    [
      file(
        KV_HEAD,
        '{"process":"a","operation":"put","key":"x","value":2,"leaseEndsFrom":-1e400,"call":0}',
      ),
      2,
      'leaseEndsFrom',
      'is not a number of milliseconds',
    ],
    ...['1e400', '9007199254740993', '[{"n":[-9007199254740992]}]'].map((value): Refused => {
      const text = file(HEAD, write.replace('"value":1', `"value":${value}`));
      return [text, 2, 'value', 'holds a number that is not exact: text may hold it'];
    }),
    [
      file(HEAD, '', write.replace('"value":1', `"value":${'['.repeat(5000)}${']'.repeat(5000)}`)),
      3,
      'value',
      'is nested deeper than 64 levels',
    ],
    [
      oneGetTold([{ operation: 'put' }]),
      2,
      'result.results[0].operation',
      'is put, and that of the step is get',
    ],
    [
      file(
        KV_HEAD,
        json({
          process: 'a',
          operation: 'txn',
          compare: [{ key: 'x', target: 'version', operator: '=', operand: -1 }],
          call: 0,
        }),
      ),
      2,
      'compare[0].operand',
      'is not a whole number from 0 to 9007199254740991',
    ],
  ])('%.100s', (text, line, field, reason) => {
    expect(() => readHistory(text)).toThrow(new HistoryFileError(line, field, reason));
  });

  it.each([
    [{ operationsMax: 1 }, file(HEAD, write, write), 'line 3: the file has more than 1 operations'],
    [
      { lineCharsMax: 80 },
      file(HEAD, write + ' '.repeat(20)),
      'line 2: the line is longer than 80',
    ],
    [{ nameCharsMax: 3 }, file(HEAD, write.replace('"a"', '"abcd"')), 'process is longer than 3'],
    [
      { txnStepsMax: 1 },
      file(KV_HEAD, '{"process":"a","operation":"txn","then":[1,2],"call":0}'),
      'line 2: then has more than 1 items',
    ],
  ])('beyond %o', (limits, text, message) => {
    expect(() => readHistory(text, { ...DEFAULT_HISTORY_FILE_LIMITS, ...limits })).toThrow(message);
  });
});
