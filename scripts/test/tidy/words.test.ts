import { expect, test } from 'vitest';
import { checkCoverageIgnores, checkWords } from '../../src/tidy/words.js';
import { messages } from './messages.js';

const path = 'packages/raft/src/a.ts';

// In two parts, so that this file passes the rule it tests.
test.each([
  ['// TO', 'DO later', 'do it, or file an issue'],
  ['// FIX', 'ME', 'do it, or file an issue'],
  ['// eslint', '-disable-next-line', 'satisfy the rule, or change it for everyone'],
  ['// @ts', '-ignore', 'satisfy the rule, or change it for everyone'],
  ['cd /wo', 'rk/main', 'a path of one machine: make it relative to the checkout'],
  ['"/ro', 'ot/.npmrc"', 'a path of one machine: make it relative to the checkout'],
  [
    'https://regis',
    'try.example.org/a',
    'a registry host: name the package, and leave the host to the client',
  ],
])('no tracked file holds %s%s', (first, second, message) => {
  const text = `fine\n${first}${second}\n`;
  expect(messages(checkWords, { 'README.md': text })).toEqual([`README.md:2 ${message}`]);
});

test('words that only look alike are fine', () => {
  const text = 'todos, network/' + 'work/a, ./' + 'work/b, a registry. Then more';
  expect(messages(checkWords, { 'README.md': text })).toEqual([]);
});

const V8 = 'v8 ' + 'ignore';

test.each([
  `/* ${V8} next */\ndefault:\n  return assertNever(message);`,
  `/* ${V8} next */\ndefault: {\n  assertNever(message);`,
  `// ${V8} next\nelse assertNever(message);`,
])('an assertNever arm may be left out of the coverage: %j', (text) => {
  expect(messages(checkCoverageIgnores, { [path]: text })).toEqual([]);
});

test.each([
  `/* ${V8} next */\nif (a) return 1;`,
  `/* ${V8} next */\ndefault:\n  return 1;`,
  `/* ${V8} start */\ndefault:\n  return assertNever(message);`,
  `/* istanbul ${'ignore'} next */\ndefault:\n  return assertNever(message);`,
])('nothing else may: %j', (text) => {
  expect(messages(checkCoverageIgnores, { [path]: text })).toEqual([
    `${path}:1 write the test: only an assertNever arm is left out, and that by itself`,
  ]);
});
