import { parentPort, workerData } from 'node:worker_threads';
import { STORM_ENGINE } from '../replay/storm-engine.js';
import type { CrewJob, CrewResult } from './crew.js';
import type { SeedReport, StormOrders } from './seed-report.js';
import { runSeed } from './seed-report.js';

// One thread of the crew: runs the seeds it is sent, one at a time.

// Clients meet thousands of errors, whose stacks nobody reads: the one of a defect names its place.
Error.stackTraceLimit = 2;

const orders = workerData as StormOrders;

parentPort?.on('message', ({ index, job }: CrewJob<number>) => {
  void runSeed(STORM_ENGINE, job, orders).then((result) => {
    const answer: CrewResult<SeedReport> = { index, result };
    parentPort?.postMessage(answer);
  });
});
