import { parentPort, workerData } from 'node:worker_threads';
import type { CrewJob, CrewResult } from './crew.js';
import { loadEngine } from './load-engine.js';
import type { SeedReport, StormOrders } from './seed-report.js';
import { runSeed } from './seed-report.js';

// One thread of the crew: runs the seeds it is sent, one at a time.

const orders = workerData as StormOrders;
const engine = await loadEngine();

parentPort?.on('message', ({ index, job }: CrewJob<number>) => {
  void runSeed(engine, job, orders).then((result) => {
    const answer: CrewResult<SeedReport> = { index, result };
    parentPort?.postMessage(answer);
  });
});
