import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { LoadOptions } from './load/driver.js';
import type { WritersAnswer, WritersRequest } from './load/failover-writers.js';
import { type FailoverSummary, rounded } from './report.js';
import type { System } from './systems/system.js';

const WRITERS: string = fileURLToPath(new URL('./load/failover-writers.js', import.meta.url));
const WRITERS_IN_FLIGHT = 8;
/**
 * Longer than any fail-over we accept, so that the whole silence lies inside; and short, as the
 * log that a killed node replays grows with every write.
 */
const WATCHED_MS = 2_500;

export async function measureFailover(system: System, kills: number): Promise<FailoverSummary> {
  const options: LoadOptions = {
    system: system.name,
    addresses: await system.addresses(),
    workload: 'put',
    inFlight: WRITERS_IN_FLIGHT,
    valueBytes: 16,
    keys: 0,
    warmupMs: 0,
    measureMs: 0,
  };
  const writers = fork(WRITERS, [JSON.stringify(options)]);
  const ask = async (request: WritersRequest): Promise<WritersAnswer> => {
    writers.send(request);
    const [answer] = (await once(writers, 'message')) as [WritersAnswer];
    return answer;
  };
  const silences: number[] = [];
  while ((await ask('silence')).acknowledged === 0) await sleep(50);
  for (let kill = 0; kill < kills; kill += 1) {
    await ask('reset');
    const node = await system.killLeader();
    await sleep(WATCHED_MS);
    silences.push((await ask('silence')).silenceMs);
    await system.restart(node);
    await sleep(1_000);
  }
  const { lost } = await ask('verify');
  writers.kill('SIGKILL');
  silences.sort((a, b) => a - b);
  return {
    system: system.name,
    kills,
    medianMs: rounded(silences[Math.floor(silences.length / 2)] ?? Number.NaN),
    maxMs: rounded(silences.at(-1) ?? Number.NaN),
    lost,
  };
}
