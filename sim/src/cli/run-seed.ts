import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseSeed } from './arguments.js';

export interface RunSeed {
  readonly seed: number;
  /** Where it comes from, for people. */
  readonly origin: string;
}

/**
 * The first seed of a run that names none: new seeds on each commit, and a run that anyone repeats
 * from the commit alone. `RAFTD_SEED` wins; outside a checkout it is 1.
 */
export function defaultSeed(environment: Readonly<Record<string, string | undefined>>): RunSeed {
  const wanted = environment['RAFTD_SEED'];
  if (wanted !== undefined) return { seed: parseSeed(wanted), origin: 'RAFTD_SEED' };
  const commit = currentCommit();
  if (commit === undefined) return { seed: 1, origin: 'no commit at hand' };
  return { seed: seedOfCommit(commit), origin: `commit ${commit.slice(0, 12)}` };
}

/** The first 32 bits of the hash: no others are better. */
export function seedOfCommit(commit: string): number {
  return Number.parseInt(commit.slice(0, 8), 16);
}

/** Of this code, wherever it is called from. */
export function currentCommit(): string | undefined {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /^[0-9a-f]{40,}\s*$/.test(output) ? output.trim() : undefined;
  } catch {
    // No git, or no checkout: the caller says so.
    return undefined;
  }
}
