import type { CallOptions } from '@raftd/client';
import { Stopped } from '../diary.js';
import type { Worker } from '../worker.js';

const IMPATIENT_PERCENT = 12;
const IMPATIENT_MS: readonly [low: number, high: number] = [20, 1_500];
const ABORTED_PERCENT = 3;
const ABORTED_MS: readonly [low: number, high: number] = [0, 400];

const PATIENT: CallOptions = {};

/** Most callers wait as long as the default, some less, and some change their mind. */
export function callOptions(worker: Worker): CallOptions {
  const drawn = worker.dice.next() * 100;
  if (drawn >= IMPATIENT_PERCENT + ABORTED_PERCENT) return PATIENT;
  if (drawn < IMPATIENT_PERCENT) {
    return { timeoutMs: Math.ceil(worker.dice.between(...IMPATIENT_MS)) };
  }
  const controller = new AbortController();
  worker.afterRest(worker.dice.between(...ABORTED_MS), () => {
    controller.abort(new Stopped('the caller changed its mind'));
  });
  return { signal: controller.signal };
}
