import { expect, test } from 'vitest';
import {
  checkConsole,
  checkProcess,
  checkPurity,
  checkSameEverywhere,
  checkSimulated,
} from '../../src/tidy/purity.js';
import { messages } from './messages.js';

const IMPURE = [
  'const a = Date.now();',
  'const a = Math.random();',
  'const a = performance.now();',
  'setTimeout(() => 1, 5);',
  'setImmediate(() => 1);',
  'const a = process.pid;',
  'console.error(1);',
  'async function a() {}',
  'const a = async () => 1;',
  'let a: Promise<number>;',
  'const a = { Date };',
  'const a = globalThis;',
];

test.each(IMPURE)('the pure ring and the server do without: %s', (text) => {
  for (const name of ['raft', 'protocol', 'server']) {
    expect(messages(checkPurity, { [`packages/${name}/src/a.ts`]: text })).toHaveLength(1);
  }
  expect(messages(checkPurity, { 'packages/raft/test/a.test.ts': text })).toEqual([]);
  expect(messages(checkPurity, { 'packages/cli/src/a.ts': text })).toEqual([]);
});

const PURE = [
  'const a = { process: 1 }; a.process;',
  'const a = Math.max(1, 2);',
  'interface A { readonly performance: number }',
  'function a({ Date: date }: { Date: number }) { return date; }',
  "import { process } from './a.js';",
];

test.each(PURE)('a member of that name is not the global: %s', (text) => {
  expect(messages(checkPurity, { 'packages/raft/src/a.ts': text })).toEqual([]);
});

test('the pure ring imports nothing of Node, the server may', () => {
  const text = `import type { Socket } from 'node:net';`;
  expect(messages(checkPurity, { 'packages/raft/src/a.ts': text })).toEqual([
    'packages/raft/src/a.ts:1 the pure ring knows no Node: hand it in',
  ]);
  expect(messages(checkPurity, { 'packages/server/src/a.ts': text })).toEqual([]);
});

test('of the packages, only cli touches process', () => {
  const text = `import process from 'node:process';\nexport const a = process.env;`;
  expect(messages(checkProcess, { 'packages/storage/src/a.ts': text })).toHaveLength(0);
  const manifest = { 'packages/storage/package.json': '{"name":"@raftd/storage"}' };
  expect(messages(checkProcess, { ...manifest, 'packages/storage/src/a.ts': text })).toEqual([
    'packages/storage/src/a.ts:1 only packages/cli touches process: hand the value in',
    'packages/storage/src/a.ts:2 only packages/cli touches process: hand the value in',
  ]);
  expect(messages(checkProcess, { 'packages/cli/src/a.ts': text })).toEqual([]);
  expect(messages(checkProcess, { 'scripts/src/a.ts': text })).toEqual([]);
});

// The rule against printing is shown a text that prints: nothing is printed here, or left behind.
test('console.log is for commands', () => {
  const text = 'console.log(1);'; // the forbidden call, as text for the rule
  expect(messages(checkConsole, { 'scripts/src/a.ts': text })).toEqual([]);
  expect(messages(checkConsole, { 'packages/raft/test/a.test.ts': text })).toEqual([
    'packages/raft/test/a.test.ts:1 return or report the value; only commands print',
  ]);
});

const SIM = { 'sim/package.json': '{"name":"@raftd/sim","private":true}' };

const UNREPEATABLE = [
  'const a = Date.now();',
  'const a = Math.random();',
  'const a = performance.now();',
  'setTimeout(() => 1, 5);',
  'setImmediate(() => 1);',
  'const a = process.env;',
  'const a = process.hrtime();',
  'const a = crypto.randomUUID();',
  'let a: Promise<number>;',
  "import { readFileSync } from 'node:fs';",
];

test.each(UNREPEATABLE)('a simulated world does without: %s', (text) => {
  expect(messages(checkSimulated, { ...SIM, 'sim/src/storm/a.ts': text })).toHaveLength(1);
  expect(messages(checkSimulated, { ...SIM, 'sim/src/cli/a.ts': text })).toEqual([]);
  expect(messages(checkSimulated, { ...SIM, 'sim/test/a.test.ts': text })).toEqual([]);
});

test('only who drives the client library waits for promises, and one place for a turn', () => {
  const text = 'export async function a() {}';
  expect(messages(checkSimulated, { ...SIM, 'sim/src/workload/a.ts': text })).toEqual([]);
  expect(messages(checkSimulated, { ...SIM, 'sim/src/history/a.ts': text })).toHaveLength(1);
  const turn = 'setImmediate(() => 1);';
  expect(messages(checkSimulated, { ...SIM, 'sim/src/storm/drain.ts': turn })).toEqual([]);
  expect(messages(checkSimulated, { ...SIM, 'sim/src/workload/a.ts': turn })).toHaveLength(1);
});

test('a simulated process may go by that name', () => {
  const text = 'function a(process: { kill(): void }) { process.kill(); }';
  expect(messages(checkSimulated, { ...SIM, 'sim/src/storm/a.ts': text })).toEqual([]);
});

test.each(['const a = Math.log(2);', 'const a = Math.pow(2, 3);', '[].sort();', '[].toSorted();'])(
  'what must be the same on every engine does without: %s',
  (text) => {
    for (const path of [
      'packages/raft/src/a.ts',
      'packages/server/src/a.ts',
      'sim/src/world/a.ts',
    ]) {
      expect(messages(checkSameEverywhere, { ...SIM, [path]: text })).toHaveLength(1);
    }
    expect(messages(checkSameEverywhere, { ...SIM, 'packages/cli/src/a.ts': text })).toEqual([]);
  },
);

test('a comparator says by what is sorted', () => {
  const text = '[2, 1].sort((one, other) => one - other); Math.max(1, 2);';
  expect(messages(checkSameEverywhere, { ...SIM, 'packages/raft/src/a.ts': text })).toEqual([]);
});
