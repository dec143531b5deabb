import { expect, test } from 'vitest';
import { checkReachability } from '../../src/tidy/reachability.js';
import { messages } from './messages.js';

const dead = 'nothing reaches it: export it or delete it';

test('a source that no door leads to is dead, also when a test imports it', () => {
  const files = {
    'packages/raft/src/index.ts': `export type { A } from './a.js';`,
    'packages/raft/src/a.ts': `import { b } from './b/b.js';`,
    'packages/raft/src/b/b.ts': '',
    'packages/raft/src/c.ts': '',
    'packages/raft/test/c.test.ts': `import { c } from '../src/c.js';`,
  };
  expect(messages(checkReachability, files)).toEqual([`packages/raft/src/c.ts:1 ${dead}`]);
});

test('a bin, an npm script and a program started by its path are doors', () => {
  const files = {
    'package.json': '{"scripts":{"start":"node scripts/dist/start.js"}}',
    'packages/cli/package.json': '{"name":"@raftd/cli","bin":{"raftd":"./bin/raftd.js"}}',
    'packages/cli/bin/raftd.js': `import '../dist/raftd.js';`,
    'packages/cli/src/raftd.ts': `fork(new URL('./watchdog.js', import.meta.url));`,
    'packages/cli/src/watchdog.ts': '',
    'scripts/src/start.ts': `run('scripts/dist/tidy.js');`,
    'scripts/src/tidy.ts': '',
    'scripts/src/dead.ts': '',
  };
  expect(messages(checkReachability, files)).toEqual([`scripts/src/dead.ts:1 ${dead}`]);
});

test('what the tests of a private workspace import is alive', () => {
  const files = {
    'scripts/src/a.ts': '',
    'scripts/test/a.test.ts': `import { a } from '../src/a.js';`,
  };
  expect(messages(checkReachability, files)).toEqual([]);
});
