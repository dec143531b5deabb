import { describe, expect, it } from 'vitest';
import type { CrewOptions } from '../../src/cli/crew.js';
import { runCrew } from '../../src/cli/crew.js';

/** Answers job n with n squared; early jobs take longest, and job 13 kills its thread. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ index, job }) => {
      if (job === 13) throw new Error('unlucky');
      if (job === 99) return;
      const answer = () => parentPort.postMessage({ index, result: job * job });
      const turns = (turn) => turn === 0 ? answer() : setImmediate(turns, turn - 1);
      turns(Math.max(0, 50 - job) * 20);
    });
  `)}`,
);

async function squares(
  jobs: readonly number[],
  options: Partial<CrewOptions<number, number>> = {},
) {
  const results: number[] = [];
  await runCrew<number, number>({
    worker: WORKER,
    cores: 3,
    jobAt: (index) => jobs[index],
    onResult: (result) => {
      results.push(result);
      return true;
    },
    onLost: (_, { type }) => (type === 'died' ? -1 : -2),
    limitMs: 20_000,
    ...options,
  });
  return results;
}

describe('a crew of threads', () => {
  it('gives results in the order of the jobs, whichever thread was faster', async () => {
    const jobs = Array.from({ length: 30 }, (_, at) => at + 20);
    expect(await squares(jobs)).toEqual(jobs.map((job) => job * job));
  });

  it('a thread that dies loses its job and is replaced', async () => {
    expect(await squares([40, 13, 41, 42, 43, 44])).toEqual([1600, -1, 1681, 1764, 1849, 1936]);
  });

  it('a thread that does not answer is given up after the limit', async () => {
    expect(await squares([99], { limitMs: 50 })).toEqual([-2]);
  });

  it('stops where it is told to, and nothing after it counts', async () => {
    const seen: number[] = [];
    await squares([20, 49, 48, 47, 46, 45], {
      onResult: (result, index) => {
        seen.push(result);
        return index < 1;
      },
    });
    expect(seen).toEqual([400, 2401]);
  });

  it('passes on what its caller throws', async () => {
    const onResult = (): boolean => {
      throw new Error('mine');
    };
    await expect(squares([1, 2], { onResult })).rejects.toThrow('mine');
  });
});
