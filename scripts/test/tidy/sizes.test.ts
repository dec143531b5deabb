import { expect, test } from 'vitest';
import { checkFileLength, checkFunctionLength, checkLineLength } from '../../src/tidy/sizes.js';
import { messages } from './messages.js';

const path = 'packages/raft/src/a.ts';

test('a line of code has 100 columns, a line of prose what it needs', () => {
  expect(messages(checkLineLength, { [path]: 'a'.repeat(100) })).toEqual([]);
  expect(messages(checkLineLength, { [path]: `\n${'a'.repeat(101)}` })).toEqual([
    `${path}:2 101 columns of 100: break the line, or name a part`,
  ]);
  expect(messages(checkLineLength, { 'README.md': 'a'.repeat(101) })).toEqual([]);
});

test('a file has 600 lines', () => {
  expect(messages(checkFileLength, { [path]: '\n'.repeat(600) })).toEqual([]);
  expect(messages(checkFileLength, { [path]: '\n'.repeat(601) })).toEqual([
    `${path}:1 601 lines of 600: give the second idea a file of its own`,
  ]);
});

test.each([
  ['function a() {', '}'],
  ['const a = () => {', '};'],
  ['class A { get a() {', '} }'],
  ['class A { constructor() {', '} }'],
])('a function has 70 lines: %s', (first, last) => {
  expect(messages(checkFunctionLength, { [path]: first + '\n'.repeat(69) + last })).toEqual([]);
  expect(messages(checkFunctionLength, { [path]: first + '\n'.repeat(70) + last })).toEqual([
    `${path}:1 a function of 71 lines of 70: name its steps`,
  ]);
});

test('a list of tests may be long, a test in it not', () => {
  const long = `test('a', () => {${'\n'.repeat(80)}});`;
  const listed = `describe('a', () => {\n${long}\n});`;
  expect(messages(checkFunctionLength, { [path]: listed })).toEqual([
    `${path}:2 a function of 81 lines of 70: name its steps`,
  ]);
});
