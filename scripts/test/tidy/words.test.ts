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
  const text = 'todos, network/work/a, ./work/b, a registry. Then more';
  expect(messages(checkWords, { 'README.md': text })).toEqual([]);
});

test('only an assertNever arm may be left out of the coverage', () => {
  const never = '/* v8 ignore next */\ndefault:\n  return assertNever(message);';
  expect(messages(checkCoverageIgnores, { [path]: never })).toEqual([]);
  expect(
    messages(checkCoverageIgnores, { [path]: '// v8 ignore next\nelse assertNever(a);' }),
  ).toEqual([]);
  const refused = [
    `${path}:1 write the test: only an assertNever arm is left out, and that by itself`,
  ];
  for (const text of [
    '/* v8 ignore next */\nif (a) return 1;',
    '/* v8 ignore start */\ndefault:\n  return assertNever(message);',
    '/* istanbul ignore next */\ndefault:\n  return assertNever(message);',
    '/* v8 ignore next */\ndefault:\n  return 1;',
  ]) {
    expect(messages(checkCoverageIgnores, { [path]: text })).toEqual(refused);
  }
});
