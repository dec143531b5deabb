import type { LoadOptions } from './driver.js';
import { open } from './open.js';

/**
 * Writers that never stop: each puts a rising counter to a key of its own and remembers the last
 * one acknowledged. The parent asks for the longest silence since it last said `reset`.
 */
export type WritersRequest = 'reset' | 'silence' | 'verify';
export interface WritersAnswer {
  readonly silenceMs: number;
  readonly acknowledged: number;
  readonly lost: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const driver = await open(options);
const acknowledged = new Array<number>(options.inFlight).fill(0);
let lastAcknowledgedAt = performance.now();
let silenceMs = 0;
let total = 0;
let stopping = false;

async function write(writer: number): Promise<void> {
  for (let counter = 1; !stopping; counter += 1) {
    try {
      await driver.put(`failover/${writer}`, Buffer.from(String(counter)));
    } catch {
      continue;
    }
    const now = performance.now();
    silenceMs = Math.max(silenceMs, now - lastAcknowledgedAt);
    lastAcknowledgedAt = now;
    acknowledged[writer] = counter;
    total += 1;
  }
}

async function countLost(): Promise<number> {
  let lost = 0;
  for (const [writer, counter] of acknowledged.entries()) {
    const value = await driver.get(`failover/${writer}`);
    if (Number(value === undefined ? 0 : Buffer.from(value).toString()) < counter) lost += 1;
  }
  return lost;
}

const writers = Array.from({ length: options.inFlight }, (_, writer) => write(writer));

async function answer(request: WritersRequest): Promise<WritersAnswer> {
  if (request === 'reset') silenceMs = 0;
  if (request !== 'verify') return { silenceMs, acknowledged: total, lost: 0 };
  stopping = true;
  await Promise.all(writers);
  return { silenceMs, acknowledged: total, lost: await countLost() };
}

process.on('message', (request: WritersRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
