import { expect, test } from 'vitest';
import { checkFocus, checkSyntax } from '../../src/tidy/syntax.js';
import { messages } from './messages.js';

const path = 'packages/raft/src/a.ts';

test.each([
  ['enum A { B }', "use a union of texts: 'probe' | 'replicate'"],
  ['namespace A {}', 'use a module; a file is a namespace'],
  [`export * from './b.js';`, 'list the exports by name: the door of a package is read by people'],
  [
    `export * as b from './b.js';`,
    'list the exports by name: the door of a package is read by people',
  ],
  ['export default 1;', 'export it by its name'],
  ['export default function a() {}', 'export it by its name'],
])('the house does without: %s', (text, message) => {
  expect(messages(checkSyntax, { [path]: text })).toEqual([`${path}:1 ${message}`]);
});

test('a switch has a default, and a configuration a default export', () => {
  expect(messages(checkSyntax, { [path]: 'switch (1) { default: break; }' })).toEqual([]);
  expect(messages(checkSyntax, { 'vitest.config.ts': 'export default {};' })).toEqual([]);
});

// The rule against left-out tests is shown the names of calls that leave one out, as text: no test
// is left out here.
test.each(['test.only', 'it.skip', 'describe.todo', 'test.concurrent.skip'])(
  'every test runs: no %s',
  (call) => {
    const file = 'packages/raft/test/a.test.ts';
    expect(messages(checkFocus, { [file]: `${call}('a', () => undefined);` })).toEqual([
      `${file}:1 run the test or delete it: no ${call}`,
    ]);
  },
);

test('a member called skip is no skipped test', () => {
  expect(messages(checkFocus, { [path]: 'reader.skip(4); test.each([1]);' })).toEqual([]);
});
