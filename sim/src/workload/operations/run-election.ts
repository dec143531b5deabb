import { Stopped } from '../diary.js';
import { electionName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { drawPolicy } from './lead.js';
import { work } from './work.js';

type Run = Extract<ClientOperation, { readonly type: 'run' }>;

/** Whoever has not led for its whole time by then goes home. */
const PATIENCE_MS = 15_000;

/** Some bodies do not come to an end in time: their leadership is left to expire. */
const STUCK_AFTER_MS: readonly number[] = [100, 30_000, 30_000, 30_000];

/** `election.run`: leads whenever it can, until the body has done its work or patience ends. */
export async function runElection(worker: Worker, operation: Run): Promise<void> {
  const election = worker.client.election(electionName(operation.election));
  const stop = new AbortController();
  const cancel = worker.afterRest(operation.holdMs + PATIENCE_MS, () => {
    stop.abort(new Stopped('the shift is over'));
  });
  const stuckAfterMs = STUCK_AFTER_MS[Math.floor(worker.dice.next() * STUCK_AFTER_MS.length)];
  const { ttlMs } = operation;
  const onSuspect = drawPolicy(worker);
  const { signal } = stop;
  await worker.diary.other('run', () =>
    election.run({ candidate: worker.name, ttlMs, onSuspect, stuckAfterMs, signal }, (leadership) =>
      work(worker, worker.hold(leadership), operation),
    ),
  );
  cancel();
}
