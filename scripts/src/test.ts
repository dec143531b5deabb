// npm test: every test, and for a run of everything the branches covered of the two packages that
// safety rests on: by their unit tests, and once more by simulation alone. Arguments go to vitest:
// `npm test -- -u` rewrites golden traces, a path selects files. The last line is always
// `N passed, N failed`.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileCoverage } from './test/branches.js';
import { branchPercentage, describeBranches, reportBranches } from './test/branches.js';
import type { Counts } from './test/counts.js';
import { COUNTS_VARIABLE, describeCounts, readCounts } from './test/counts.js';

/** By project: branches of these packages that its tests must take by themselves, per cent. */
const REQUIRED = {
  unit: { raft: 95, coordinator: 95 },
  sim: { raft: 98, coordinator: 95 },
} as const;
const MISSED_SHOWN = 30;

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'raftd-test-'));
const counts: Counts[] = [];
let ok = true;

const args = process.argv.slice(2);
const everything = args.every((arg) => arg === '-u' || arg === '--update');
if (everything) {
  await runCovered('unit');
  await runCovered('sim');
  await runVitest('processes', [...args, '--project', 'processes']);
} else {
  await runVitest('selected', args);
}
rmSync(directory, { recursive: true, force: true });
if (counts.some((run) => run.failed > 0)) ok = false;
process.exitCode = ok ? 0 : 1;
process.stdout.write(`\n${describeCounts(counts)}\n`);

async function runVitest(name: string, vitestArgs: readonly string[]): Promise<void> {
  const countsFile = join(directory, `${name}.json`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...vitestArgs], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [COUNTS_VARIABLE]: countsFile },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) ok = false;
  counts.push(readCounts(countsFile));
}

async function runCovered(project: keyof typeof REQUIRED): Promise<void> {
  const reports = join(directory, `coverage-${project}`);
  await runVitest(project, [
    ...args,
    '--project',
    project,
    '--coverage.enabled',
    '--coverage.reporter=json',
    `--coverage.reportsDirectory=${reports}`,
  ]);
  checkBranches(project, join(reports, 'coverage-final.json'));
}

function checkBranches(project: keyof typeof REQUIRED, file: string): void {
  if (!existsSync(file)) {
    process.stdout.write('\nbranches covered: not measured, since tests failed\n');
    ok = false;
    return;
  }
  const files = Object.values(
    JSON.parse(readFileSync(file, 'utf8')) as Record<string, FileCoverage>,
  );
  for (const [name, required] of Object.entries(REQUIRED[project])) {
    const report = reportBranches(name, files, (path) => readFileSync(path, 'utf8'));
    const is = describeBranches(report);
    process.stdout.write(`\nbranches covered by ${project} alone: ${is}; required ${required} %\n`);
    if (branchPercentage(report) >= required) continue;
    ok = false;
    if (report.missed.length === 0) continue;
    process.stdout.write(`${name} is below; among the branches no test takes:\n`);
    for (const place of report.missed.slice(0, MISSED_SHOWN)) process.stdout.write(`  ${place}\n`);
  }
}
