// The tidy check: the rules of the house over every file that git tracks.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULES } from './rules.js';
import type { Tree } from './tree.js';
import { treeOf } from './tree.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const tree = readTree();
let findings = 0;
for (const [name, rule] of Object.entries(RULES)) {
  for (const { path, line, message } of rule(tree)) {
    findings += 1;
    process.stdout.write(`${path}:${line}  ${name}: ${message}\n`);
  }
}
process.exitCode = findings === 0 ? 0 : 1;

function readTree(): Tree {
  const output = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const texts: Record<string, string> = {};
  for (const path of output.split('\0')) {
    const file = join(root, path);
    // Tracked, but deleted on disk and not committed yet: nothing to read.
    if (path !== '' && existsSync(file)) texts[path] = readFileSync(file, 'utf8');
  }
  return treeOf(texts);
}
