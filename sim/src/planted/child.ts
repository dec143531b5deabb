import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HuntMessage, HuntOrders, HuntResult } from './orders.js';
import { PATCH_VARIABLE } from './patch-variable.js';
import type { Patch } from './patch.js';

// From the sources as from the build: a child process runs what was built.
const WORKER = new URL('../../dist/planted/worker.js', import.meta.url);
const REGISTER = new URL('../../dist/planted/register.js', import.meta.url);

/** A seed that takes this long hangs: the planted bug made an endless loop, say. */
const SEED_MAX_MS = 120_000;

/** A search says nothing until its end. */
const SEARCH_MAX_MS = 900_000;

export interface ChildResult {
  readonly results: readonly HuntResult[];
  /** Why it did not come to its end; undefined: it did. */
  readonly broken: string | undefined;
}

/** Runs the hunts in a process of their own, in whose code the bug is. */
export function huntInChild(patch: Patch, orders: HuntOrders): Promise<ChildResult> {
  const silenceMaxMs = orders.by.every((by) => by === 'storm') ? SEED_MAX_MS : SEARCH_MAX_MS;
  const directory = mkdtempSync(join(tmpdir(), 'raftd-planted-'));
  const patchFile = join(directory, 'patch.json');
  writeFileSync(patchFile, JSON.stringify(patch));
  return new Promise<ChildResult>((resolve) => {
    const results: HuntResult[] = [];
    let complaint = '';
    let isSilent = false;
    const child = fork(fileURLToPath(WORKER), [], {
      // One thread of work: V8's helpers would only take the processor from another hunt.
      execArgv: ['--single-threaded', '--import', REGISTER.href],
      env: { ...process.env, [PATCH_VARIABLE]: patchFile },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const watchdog = setTimeout(() => {
      isSilent = true;
      child.kill('SIGKILL');
    }, silenceMaxMs);
    child.on('message', (message: HuntMessage) => {
      watchdog.refresh();
      if (message.type === 'result') results.push(message.result);
    });
    child.stderr?.on('data', (text: Buffer) => {
      complaint = `${complaint}${text.toString()}`.slice(-4_000);
    });
    child.on('exit', (code) => {
      clearTimeout(watchdog);
      const reason = isSilent ? `silent for ${silenceMaxMs} ms` : `exit ${code}: ${complaint}`;
      resolve({ results, broken: code === 0 ? undefined : reason });
    });
    child.send(orders);
  }).finally(() => {
    rmSync(directory, { recursive: true, force: true });
  });
}
