import { createHistogram } from 'node:perf_hooks';

import type { LoadOptions, LoadResult } from './driver.js';
import { open } from './open.js';

// The client is a process of its own: what it costs is not charged to the servers, and every
// system is driven by this very loop.
async function run(options: LoadOptions): Promise<LoadResult> {
  const driver = await open(options);
  const value = new Uint8Array(options.valueBytes).fill(0x61);
  const keys = Array.from({ length: options.keys }, (_, number) => `bench/${number}`);
  if (options.workload === 'get-quorum') {
    for (const key of keys.slice(0, 64)) await driver.put(key, value);
  }
  const readable = options.workload === 'get-quorum' ? keys.slice(0, 64) : keys;
  const started = performance.now() + options.warmupMs;
  const ends = started + options.measureMs;
  const histogram = createHistogram();
  let operations = 0;
  let errors = 0;
  const one = async (position: number): Promise<void> => {
    for (let turn = position; ; turn += options.inFlight) {
      const sent = performance.now();
      if (sent >= ends) return;
      const key = readable[turn % readable.length] ?? 'bench/0';
      try {
        if (options.workload === 'put') await driver.put(key, value);
        else await driver.get(key);
      } catch {
        errors += 1;
        continue;
      }
      const answered = performance.now();
      if (sent < started || answered > ends) continue;
      operations += 1;
      histogram.record(Math.max(1, Math.round((answered - sent) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, (_, position) => one(position)));
  await driver.close();
  return {
    operations,
    errors,
    elapsedMs: options.measureMs,
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
  };
}

const result = await run(JSON.parse(process.argv[2] ?? '{}') as LoadOptions);
process.stdout.write(`${JSON.stringify(result)}\n`);
