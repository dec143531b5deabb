import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { LoadOptions, LoadResult } from './load/driver.js';
import type { Row } from './report.js';
import type { System } from './systems/system.js';

const LOAD: string = fileURLToPath(new URL('./load/main.js', import.meta.url));

export interface Workload {
  readonly workload: LoadOptions['workload'];
  readonly inFlight: number;
  readonly valueBytes: number;
  readonly measureMs: number;
}

/** Runs the client process against one system and waits for its figures. */
export async function load(system: System, workload: Workload): Promise<LoadResult> {
  const options: LoadOptions = {
    system: system.name,
    addresses: await system.addresses(),
    workload: workload.workload,
    inFlight: workload.inFlight,
    valueBytes: workload.valueBytes,
    keys: 10_000,
    warmupMs: Math.min(2_000, workload.measureMs),
    measureMs: workload.measureMs,
  };
  const child = promisify(execFile)(process.execPath, [LOAD, JSON.stringify(options)]);
  const { stdout } = await child;
  return JSON.parse(stdout) as LoadResult;
}

export async function measure(system: System, workload: Workload): Promise<Row> {
  const result = await load(system, workload);
  const { inFlight, workload: name, valueBytes } = workload;
  if (result.operations === 0) {
    throw new Error(`${system.name} answered none of ${name} at ${inFlight} in flight`);
  }
  return {
    system: system.name,
    workload: name,
    inFlight,
    bytes: valueBytes,
    perSecond: (result.operations / result.elapsedMs) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
  };
}
