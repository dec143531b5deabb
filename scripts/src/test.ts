// npm test: every test, and for a run of everything the branches covered of the two packages that
// safety rests on. Arguments go to vitest: `npm test -- -u` rewrites golden traces, a path selects
// files. The last line is always `N passed, N failed`.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileCoverage } from './test/branches.js';
import { branchPercentage, describeBranches, reportBranches } from './test/branches.js';
import type { Counts } from './test/counts.js';
import { COUNTS_VARIABLE, describeCounts, readCounts } from './test/counts.js';

const COVERED_PACKAGES = ['raft', 'coordinator'];
const REQUIRED_PERCENTAGE = 95;
const MISSED_SHOWN = 30;

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'raftd-test-'));
const counts: Counts[] = [];
let ok = true;

const args = process.argv.slice(2);
const everything = args.every((arg) => arg === '-u' || arg === '--update');
if (everything) {
  const coverage = [
    '--coverage.enabled',
    '--coverage.reporter=json',
    `--coverage.reportsDirectory=${join(directory, 'coverage')}`,
  ];
  await runVitest('unit', [...args, '--project', 'unit', ...coverage]);
  checkBranches(join(directory, 'coverage', 'coverage-final.json'));
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

function checkBranches(file: string): void {
  if (!existsSync(file)) {
    process.stdout.write('\nbranches covered: not measured, since tests failed\n');
    ok = false;
    return;
  }
  const files = Object.values(
    JSON.parse(readFileSync(file, 'utf8')) as Record<string, FileCoverage>,
  );
  const reports = COVERED_PACKAGES.map((name) =>
    reportBranches(name, files, (path) => readFileSync(path, 'utf8')),
  );
  const summary = reports.map(describeBranches).join(', ');
  process.stdout.write(`\nbranches covered: ${summary}; required ${REQUIRED_PERCENTAGE} %\n`);
  for (const report of reports) {
    if (branchPercentage(report) >= REQUIRED_PERCENTAGE) continue;
    ok = false;
    if (report.missed.length === 0) continue;
    process.stdout.write(`${report.package} is below; among the branches no test takes:\n`);
    for (const place of report.missed.slice(0, MISSED_SHOWN)) process.stdout.write(`  ${place}\n`);
  }
}
