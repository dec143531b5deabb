import { expect, test } from 'vitest';
import { checkNames } from '../../src/tidy/names.js';
import { messages } from './messages.js';

test.each([
  'packages/raft/src/utils.ts',
  'packages/raft/src/util/a.ts',
  'sim/src/common.ts',
  'test/helpers/a.ts',
  'docs/helper.md',
])('no drawer: %s', (path) => {
  expect(messages(checkNames, { [path]: '' })).toEqual([
    `${path}:1 a drawer: name the file after the idea in it`,
  ]);
});

test.each(['packages/raft/src/raftLog.ts', 'packages/raft/src/Raft.ts', 'sim/src/a_b.ts'])(
  'file names are kebab-case: not %s',
  (path) => {
    expect(messages(checkNames, { [path]: '' })).toEqual([`${path}:1 file names are kebab-case`]);
  },
);

test.each(['packages/raft/src/raft-log.ts', 'a/raft-log.test.ts', 'vitest.config.ts', 'README.md'])(
  'a good name: %s',
  (path) => {
    expect(messages(checkNames, { [path]: '' })).toEqual([]);
  },
);
