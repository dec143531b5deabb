import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Patch } from '../planted/patch.js';
import { PATCH_VARIABLE } from '../planted/patch-variable.js';
import { BUG_VARIABLE } from './surroundings.js';
import { UsageError } from './usage-error.js';

const REGISTER = new URL('../planted/register.js', import.meta.url);
const MAIN = new URL('./main.js', import.meta.url);

/**
 * Runs this program once more, in a process whose code has the planted bug: how a storm that a bug
 * fails is replayed, shrunk and drawn. Resolves to its exit code.
 */
export async function runWithBug(id: string, args: readonly string[]): Promise<number> {
  // They bring the compiler with them, which other commands need not wait for.
  const { CATALOGUE } = await import('../planted/index.js');
  const { isUnplantable, patchOf } = await import('../planted/patch.js');
  const bug = CATALOGUE.find((candidate) => candidate.id === id);
  if (bug === undefined) {
    const ids = CATALOGUE.map((known) => known.id).join(' ');
    throw new UsageError('UNKNOWN_NAME', `--bug ${id}: there are ${ids}`);
  }
  let patch: Patch;
  try {
    patch = patchOf(bug);
  } catch (error) {
    if (!isUnplantable(error)) throw error;
    throw new UsageError('BUG_NOT_PLANTED', `${id}: ${error.message}`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'raftd-sim-bug-'));
  const patchFile = join(directory, 'patch.json');
  writeFileSync(patchFile, JSON.stringify(patch));
  const script = [fileURLToPath(MAIN), ...args];
  const { status } = spawnSync(process.execPath, ['--import', REGISTER.href, ...script], {
    env: { ...process.env, [PATCH_VARIABLE]: patchFile, [BUG_VARIABLE]: id },
    stdio: 'inherit',
  });
  rmSync(directory, { recursive: true, force: true });
  return status ?? 1;
}

/** The arguments without `--bug ID`, which is for the process that starts the other. */
export function withoutBug(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--bug');
  if (at === -1) return args.filter((arg) => !arg.startsWith('--bug='));
  return [...args.slice(0, at), ...args.slice(at + 2)];
}
