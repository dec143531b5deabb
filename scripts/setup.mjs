// Makes a checkout ready to run: packages installed, sources compiled. Every npm script starts
// here, so it must cost next to nothing when there is nothing to do, and stdout belongs to the
// script that follows: all output goes to stderr. The only plain-JavaScript script, since nothing
// is built yet.
//
//   node scripts/setup.mjs                 exits 1 when the sources do not compile
//   node scripts/setup.mjs --types-later   leaves type errors to the caller (npm run check)

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
// Inside node_modules, so that deleting node_modules also forgets what was done.
const stamps = join(modules, '.raftd');
const typesLater = process.argv.includes('--types-later');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

requireNode(manifest.engines.node.replace('>=', ''));
const installed = installPackages();
compileSources(installed);

function requireNode(wanted) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(`Node ${wanted} or newer is needed; this is Node ${process.versions.node}.`);
}

/** Installs what the lockfile says, unless that was done. Returns the stamp of the install. */
function installPackages() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const directory of workspaces()) hashFile(hash, join(directory, 'package.json'));
  hashFile(hash, join(root, 'pnpm-lock.yaml'));
  hashFile(hash, join(root, 'pnpm-workspace.yaml'));
  // pnpm links a bin only if its file exists: one that arrives later needs another install.
  hashTimes(hash, join(root, 'packages', 'cli', 'bin'));
  const stamp = hash.digest('hex');
  if (readStamp('installed') === stamp) return stamp;

  say(`installing packages with ${manifest.packageManager} …`);
  const pnpm = ['-y', manifest.packageManager, 'install', '--frozen-lockfile'];
  const run = spawnSync('npx', [...pnpm, '--config.confirmModulesPurge=false'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (run.status !== 0) {
    fail(
      'the packages could not be installed; what npm and pnpm said is above. ' +
        'A fresh checkout needs the npm registry: is this machine offline or behind a proxy?\n' +
        `  by hand: npx ${pnpm.join(' ')}`,
    );
  }
  writeStamp('installed', stamp);
  return stamp;
}

/** `tsc -b`, skipped when no source has another time or size than at the last good build. */
function compileSources(installStamp) {
  const projects = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references.map(
    (reference) => join(root, reference.path),
  );
  const hash = createHash('sha256').update(installStamp);
  hashFile(hash, join(root, 'tsconfig.json'));
  hashFile(hash, join(root, 'tsconfig.base.json'));
  for (const project of projects) {
    hashFile(hash, join(project, 'tsconfig.json'));
    hashTimes(hash, join(project, 'src'));
  }
  const stamp = hash.digest('hex');
  const complete = projects.every((project) => existsSync(join(project, 'dist', '.tsbuildinfo')));
  if (complete && readStamp('built') === stamp) return;

  say('compiling …');
  const tsc = join(modules, 'typescript', 'lib', 'tsc.js');
  const stdio = ['ignore', typesLater ? 'ignore' : 2, 2];
  const run = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio });
  if (run.status === 0) writeStamp('built', stamp);
  else if (!typesLater) fail('the sources do not compile; the errors are above.');
}

function workspaces() {
  const packages = join(root, 'packages');
  const names = ['.', 'sim', 'bench', 'test', 'scripts'];
  return [
    ...names.map((name) => join(root, name)),
    ...readdirSync(packages).map((name) => join(packages, name)),
  ];
}

function hashFile(hash, path) {
  if (existsSync(path)) hash.update(path).update(readFileSync(path));
}

function hashTimes(hash, directory) {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) hashTimes(hash, path);
    else {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  }
}

function readStamp(name) {
  const path = join(stamps, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function writeStamp(name, stamp) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), stamp);
}

function say(text) {
  process.stderr.write(`raftd: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
