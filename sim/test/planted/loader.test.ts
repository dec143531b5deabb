import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATCH_VARIABLE } from '../../src/planted/patch-variable.js';
import type { Patch } from '../../src/planted/patch.js';

/** What runs before everything else in a process with a bug; built here, as nothing else may be. */
const LOADER = ['hooks', 'register', 'patch-variable'];

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'raftd-loader-'));
  for (const name of LOADER) {
    const file = new URL(`../../src/planted/${name}.ts`, import.meta.url);
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    write(`${name}.js`, outputText);
  }
  write('package.json', '{ "type": "module" }');
  write('victim.js', `export const word = 'right';`);
  write('main.js', `import { word } from './victim.js'; process.stdout.write(word);`);
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

function urlOf(name: string): string {
  return pathToFileURL(join(directory, name)).href;
}

function run(patch: Patch): string {
  write('patch.json', JSON.stringify(patch));
  return execFileSync(
    process.execPath,
    ['--import', urlOf('register.js'), join(directory, 'main.js')],
    {
      encoding: 'utf8',
      env: { ...process.env, [PATCH_VARIABLE]: join(directory, 'patch.json') },
    },
  );
}

describe('a process with a planted bug', () => {
  it('loads the planted module in place of the one on disk', () => {
    expect(run([[urlOf('victim.js'), `export const word = 'wrong';`]])).toBe('wrong');
  });

  it('loads every other module as it is', () => {
    expect(run([[urlOf('another.js'), `export const word = 'wrong';`]])).toBe('right');
  });
});
