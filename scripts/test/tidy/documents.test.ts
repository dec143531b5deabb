import { expect, test } from 'vitest';
import {
  checkErrorCodes,
  checkOptions,
  checkSourceNames,
  checkTitles,
} from '../../src/tidy/documents.js';
import { checkReadmes, checkVersions } from '../../src/tidy/manifests.js';
import { messages } from './messages.js';

test('a page has one title, and a # in a code block is none', () => {
  expect(messages(checkTitles, { 'a.md': '# A\n\n## B\n\n```sh\n# comment\n```\n' })).toEqual([]);
  expect(messages(checkTitles, { 'a.md': '# A\n\n# B\n' })).toEqual([
    'a.md:3 2 titles: a page has one line with a single #',
  ]);
  expect(messages(checkTitles, { 'a.md': 'A\n' })).toEqual([
    'a.md:1 0 titles: a page has one line with a single #',
  ]);
});

test('a source file that a page names is there', () => {
  const files = {
    'README.md': '| `raft/src/log.ts` → `scripts/src/a.ts` | `raft/src/gone.ts` |',
    'packages/raft/src/log.ts': '',
    'scripts/src/a.ts': '',
  };
  expect(messages(checkSourceNames, files)).toEqual([
    'README.md:1 there is no raft/src/gone.ts: name what is',
  ]);
});

test('every error code stands in the table of the protocol page', () => {
  const files = {
    'packages/protocol/src/errors.ts':
      `export type A = 'FENCED' | 'NOT_LEADER' | 'rejected';\n` +
      `export const B = { OVERLOADED: { class: 'rejected' } };`,
    'packages/protocol/README.md': '| `FENCED` | rejected |',
  };
  expect(messages(checkErrorCodes, files)).toEqual([
    'packages/protocol/README.md:1 the error table lacks NOT_LEADER, OVERLOADED: ' +
      'say class, meaning, what to do',
  ]);
});

test('every option of the commands stands on a page', () => {
  const files = {
    'packages/cli/src/a.ts':
      `program.option('-o, --output <format>', 'a').requiredOption('--id <id>');\n` +
      `new Option('--ttl <duration>');`,
    'README.md': '| `--output` | table or json |\n| `--ttl` | 10s |',
  };
  expect(messages(checkOptions, files)).toEqual([
    'packages/cli/README.md:1 no table has --id: say what it does and its default',
  ]);
});

test('every workspace has its page', () => {
  const pages = ['packages/raft', 'packages/protocol', 'packages/server', 'scripts'];
  const files = Object.fromEntries(pages.map((page) => [`${page}/README.md`, '# A\n']));
  expect(messages(checkReadmes, files)).toEqual([
    'packages/cli/README.md:1 missing: say duty, door, what it must not know, invariants',
  ]);
});

test('a version is exact, save that of a peer', () => {
  const manifest = {
    name: '@raftd/raft',
    dependencies: { ws: '^8.23.0', level: '10.0.0', '@raftd/protocol': 'workspace:*' },
    peerDependencies: { pg: '>=8' },
  };
  const files = { 'packages/raft/package.json': JSON.stringify(manifest, undefined, 2) };
  expect(messages(checkVersions, files)).toEqual([
    'packages/raft/package.json:4 ws ^8.23.0: give one exact version, as 1.2.3, or workspace:*',
  ]);
});
