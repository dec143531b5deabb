import { parentPort } from 'node:worker_threads';
import type { CrewJob, CrewResult } from './crew.js';
import type { Explored, ExploreJob } from './explore-job.js';
import { exploreJob } from './explore-job.js';

// One thread of the crew: searches one scope at a time.

parentPort?.on('message', ({ index, job }: CrewJob<ExploreJob>) => {
  const answer: CrewResult<Explored> = { index, result: exploreJob(job) };
  parentPort?.postMessage(answer);
});
