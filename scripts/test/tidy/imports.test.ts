import { expect, test } from 'vitest';
import { checkImports } from '../../src/tidy/imports.js';
import { messages } from './messages.js';

function imports(path: string, text: string): readonly string[] {
  return messages(checkImports, { [path]: text });
}

test('a package imports what its row of the table names', () => {
  expect(imports('packages/protocol/src/a.ts', `import { pack } from 'msgpackr';`)).toEqual([]);
  expect(imports('packages/raft/src/a.ts', `import { pack } from 'msgpackr';`)).toEqual([
    'packages/raft/src/a.ts:1 raft may not import msgpackr: ' +
      'take what you need as an argument (a port)',
  ]);
});

test('a row of types allows import type, in every spelling, and no value', () => {
  const path = 'packages/protocol/src/a.ts';
  expect(imports(path, `import type { Term } from '@raftd/raft';`)).toEqual([]);
  expect(imports(path, `export type { Term } from '@raftd/raft';`)).toEqual([]);
  expect(imports(path, `let a: import('@raftd/raft').Term;`)).toEqual([]);
  const refused = [`${path}:1 protocol may import only types of @raftd/raft: write import type`];
  expect(imports(path, `import { Raft } from '@raftd/raft';`)).toEqual(refused);
  expect(imports(path, `import { type Term } from '@raftd/raft';`)).toEqual(refused);
  expect(imports(path, `export { Raft } from '@raftd/raft';`)).toEqual(refused);
  expect(imports(path, `const raft = import('@raftd/raft');`)).toEqual(refused);
});

test('what the table allows must be declared in the manifest too', () => {
  expect(imports('packages/cli/src/a.ts', `import { Raft } from '@raftd/raft';`)).toEqual([
    'packages/cli/src/a.ts:1 declare @raftd/raft in packages/cli/package.json',
  ]);
});

test('a package is entered by its door', () => {
  const path = 'packages/server/src/a.ts';
  expect(imports(path, `import { Raft } from '@raftd/raft/src/raft.js';`)).toEqual([
    `${path}:1 @raftd/raft/src/raft.js is no door of raft: import what its index exports`,
  ]);
  expect(imports(path, `import { Raft } from '../../raft/src/raft.js';`)).toEqual([
    `${path}:1 ../../raft/src/raft.js reaches into another package: ` +
      'import it by its name, @raftd/…',
  ]);
  expect(imports(path, `import { a } from '@raftd/rafts';`)).toEqual([
    `${path}:1 there is no package @raftd/rafts`,
  ]);
});

test('sources do not rest on tests', () => {
  expect(imports('packages/raft/src/a.ts', `import { a } from '../test/a.js';`)).toEqual([
    'packages/raft/src/a.ts:1 ../test/a.js is outside src: ' +
      'sources do not rest on tests or build output',
  ]);
});

test('tests import their own sources, the tools of the root and what the manifest declares', () => {
  const path = 'packages/server/test/a.test.ts';
  expect(imports(path, `import { a } from '../src/a.js';`)).toEqual([]);
  expect(imports(path, `import { test } from 'vitest';`)).toEqual([]);
  expect(imports(path, `import { a } from '@raftd/server';`)).toEqual([]);
  expect(imports(path, `import { Raft } from '@raftd/raft';`)).toEqual([]);
  expect(imports(path, `import { pack } from 'msgpackr';`)).toEqual([
    `${path}:1 declare msgpackr in packages/server/package.json`,
  ]);
});

test('a private workspace imports any package that it declares', () => {
  expect(imports('scripts/src/a.ts', `import { a } from '@raftd/cli';`)).toEqual([]);
  expect(imports('scripts/src/a.ts', `import { a } from '@raftd/raft';`)).toEqual([
    'scripts/src/a.ts:1 declare @raftd/raft in scripts/package.json',
  ]);
});

test("Node's modules are written with their scheme", () => {
  expect(imports('scripts/src/a.ts', `import { readFile } from 'fs';`)).toEqual([
    'scripts/src/a.ts:1 write node:fs',
  ]);
});
