import { parentPort, workerData } from 'node:worker_threads';
import { STORM_ENGINE } from '../replay/storm-engine.js';
import type { CrewJob, CrewResult } from './crew.js';
import type { SeedReport, StormOrders } from './seed-report.js';
import { runSeed } from './seed-report.js';
import { measureYardstick } from './yardstick.js';

// One thread of the crew: runs the seeds it is sent, one at a time.

// Clients meet thousands of errors, whose stacks nobody reads: the one of a defect names its place.
Error.stackTraceLimit = 2;

/** Between so many seeds the core is measured; the first few times its code is still cold. */
const YARDSTICK_EVERY = 16;
const COLD_YARDSTICKS = 3;

const orders = workerData as StormOrders;
for (let cold = 0; cold < COLD_YARDSTICKS; cold += 1) measureYardstick();
let seeds = 0;

parentPort?.on('message', ({ index, job }: CrewJob<number>) => {
  const yardstickMs = seeds % YARDSTICK_EVERY === 0 ? measureYardstick() : undefined;
  seeds += 1;
  void runSeed(STORM_ENGINE, job, orders).then((report) => {
    const answer: CrewResult<SeedReport> = { index, result: { ...report, yardstickMs } };
    parentPort?.postMessage(answer);
  });
});
