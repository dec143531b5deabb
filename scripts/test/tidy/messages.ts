import type { Rule } from '../../src/tidy/tree.js';
import { treeOf } from '../../src/tidy/tree.js';

const MANIFESTS = {
  'package.json': JSON.stringify({ devDependencies: { vitest: '4.1.12' } }),
  'packages/raft/package.json': manifestOf('raft', {}),
  'packages/protocol/package.json': manifestOf('protocol', {
    '@raftd/raft': 'workspace:*',
    msgpackr: '2.1.4',
  }),
  'packages/server/package.json': manifestOf('server', { '@raftd/raft': 'workspace:*' }),
  'packages/cli/package.json': manifestOf('cli', {}),
  'scripts/package.json': manifestOf('scripts', { '@raftd/cli': 'workspace:*' }, true),
};

/** What a rule says of the files given, in a checkout of a few packages: `path:line message`. */
export function messages(rule: Rule, files: Readonly<Record<string, string>>): readonly string[] {
  const findings = rule(treeOf({ ...MANIFESTS, ...files }));
  return findings.map(({ path, line, message }) => `${path}:${line} ${message}`);
}

function manifestOf(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  isPrivate = false,
): string {
  const door = { '@raftd/source': './src/index.ts', default: './dist/index.js' };
  const exports = { '.': door };
  return JSON.stringify({ name: `@raftd/${name}`, private: isPrivate, exports, dependencies });
}
