import { appendFileSync } from 'node:fs';

import { connect, RaftdError } from '@raftd/client';

/**
 * Writers for the real-process tests, in a process of their own. Each puts unconditionally to one
 * key, one put at a time, and notes every outcome on disk: `a KEY` acknowledged, `i KEY` unknown.
 * A put that was refused for certain is not noted: it must not have happened.
 */
const [endpoints, writers, outcomes] = process.argv.slice(2) as [string, string, string];
const client = await connect(endpoints);
let stopping = false;
let announced = false;

async function write(key: string): Promise<void> {
  for (let counter = 1; !stopping; counter += 1) {
    try {
      await client.put(key, String(counter), { timeoutMs: 15_000 });
      appendFileSync(outcomes, `a ${key}\n`);
      if (!announced) process.send?.('writing');
      announced = true;
    } catch (error) {
      if (!(error instanceof RaftdError)) throw error;
      if (error.class === 'indeterminate') appendFileSync(outcomes, `i ${key}\n`);
    }
  }
}

const all = Array.from({ length: Number(writers) }, (_, writer) => write(`load/${writer}`));
process.on('message', (message) => {
  if (message !== 'stop') return;
  stopping = true;
  void Promise.all(all)
    .then(() => client.close())
    .then(() => process.send?.('stopped', () => process.exit(0)));
});
