import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Clock, Timers } from '@raftd/server';

// What the pure packages are handed: the only clocks, timers and randomness of a node.

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};

/** `defer` is the check phase of the event loop: after every socket that was ready was read. */
export const systemTimers: Timers = {
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  defer: (callback) => {
    setImmediate(callback);
  },
};

const DRAWS = 2 ** 47;

/** [0, 1) from the operating system's generator: no two nodes share a stream. */
export function systemRandom(): number {
  return randomInt(DRAWS) / DRAWS;
}

export function drawIncarnation(): string {
  return randomBytes(16).toString('hex');
}

export function clusterHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
