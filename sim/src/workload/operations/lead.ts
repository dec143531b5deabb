import type { Leadership, SuspectPolicy } from '@raftd/client';
import { Stopped } from '../diary.js';
import { electionName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { work } from './work.js';

type Lead = Extract<ClientOperation, { readonly type: 'lead' }>;

/** The default, its opposite, and giving up at once: out of ten. */
const POLICIES: readonly SuspectPolicy[] = [
  ...Array<SuspectPolicy>(6).fill('pause'),
  ...Array<SuspectPolicy>(3).fill('continue-fenced'),
  'abort',
];

/** Campaigns, works while it leads, and resigns or simply stops caring. */
export async function lead(worker: Worker, operation: Lead): Promise<void> {
  const { ttlMs, waitMs } = operation;
  const election = worker.client.election(electionName(operation.election));
  const stop = new AbortController();
  const { signal } = stop;
  const won = await worker.diary.other('campaign', () =>
    election.campaign({
      candidate: worker.name,
      ttlMs,
      onSuspect: operation.careless ? 'continue-fenced' : drawPolicy(worker),
      metadata: { worker: worker.name },
      timeoutMs: waitMs,
      signal,
    }),
  );
  if (!won.ok) return;
  await work(worker, worker.hold(won.value), operation);
  if (operation.end === 'abandon' || !(await resign(worker, won.value))) {
    // Nothing renews it any more, and nobody gives it back: the lease runs out.
    stop.abort(new Stopped('the worker walked away'));
  }
}

export function drawPolicy(worker: Worker): SuspectPolicy {
  return POLICIES[Math.floor(worker.dice.next() * POLICIES.length)] ?? 'pause';
}

async function resign(worker: Worker, leadership: Leadership): Promise<boolean> {
  const resigned = await worker.diary.other('resign', () => leadership.resign());
  return resigned.ok;
}
