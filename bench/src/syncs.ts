import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { rounded, type SyncCount } from './report.js';
import type { System, SystemOptions } from './systems/system.js';
import { load } from './throughput.js';

export function syncCounterMissing(): string | undefined {
  if (spawnSync('strace', ['-V']).error === undefined) return undefined;
  return 'syncs are counted with strace, which is not installed; on Debian: apt-get install strace';
}

/**
 * Every fsync and fdatasync of every node, counted by the kernel's tracing of just these calls,
 * in a run of its own: counting costs time, so nothing is timed here.
 */
export async function countSyncs(
  start: (options: SystemOptions) => Promise<System>,
  inFlight: number,
): Promise<SyncCount> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-syncs-'));
  const calls = 'trace=fsync,fdatasync,sync_file_range,msync';
  const wrapper = (node: string): readonly string[] => {
    return ['strace', '-f', '--seccomp-bpf', '-qq', '-e', calls, '-o', join(directory, node)];
  };
  const nodes: string[] = [];
  const system = await start({
    wrapper: (node) => {
      nodes.push(node);
      return wrapper(node);
    },
  });
  const count = async (): Promise<number> => {
    const traces = await Promise.all(nodes.map((node) => readFile(join(directory, node), 'utf8')));
    return traces.reduce((sum, trace) => sum + finishedSyncs(trace), 0);
  };
  try {
    const before = await count();
    const result = await load(system, {
      workload: 'put',
      inFlight,
      valueBytes: 256,
      measureMs: 2_000,
    });
    const syncs = (await count()) - before;
    // The warm-up wrote as well, at the same rate: twice the measured operations in all.
    const puts = result.operations * 2;
    return { system: system.name, puts, syncs, syncsPerPut: rounded(syncs / puts) };
  } finally {
    await system.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A call that another thread interrupted is printed as `unfinished` and then `resumed`. */
export function finishedSyncs(trace: string): number {
  return trace.split('\n').filter((line) => /(sync|range).*= 0$/.test(line)).length;
}
