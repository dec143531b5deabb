import { RaftdError } from '@raftd/client';
import { Stopped, type WatchEventSeen } from '../diary.js';
import { electionName } from '../names.js';
import type { ClientOperation, SubscriptionType } from '../operation.js';
import type { Worker } from '../worker.js';

type Observe = Extract<ClientOperation, { readonly type: 'observe' }>;

/** What goes on until somebody ends it. */
type Subscribing = Extract<ClientOperation, { readonly type: SubscriptionType }>;

/** Who leads, as an observer is told, for a while. */
export async function observe(worker: Worker, operation: Observe): Promise<void> {
  const election = electionName(operation.election);
  const watch = worker.diary.watchOpened({ type: 'election', election });
  await follow(worker, watch, operation, async (signal, see) => {
    for await (const { token } of worker.client.election(election).observe({ signal })) {
      see({ type: 'leader', token });
    }
  });
}

/** Reads a subscription until the time is over, it fails, or its client ends it. */
export async function follow(
  worker: Worker,
  watch: number,
  { type, forMs }: Subscribing,
  read: (signal: AbortSignal, see: (event: WatchEventSeen) => void) => Promise<void>,
): Promise<void> {
  const { diary } = worker;
  const stop = new AbortController();
  const cancel = worker.afterWatching(type, forMs, () => stop.abort(new Stopped('seen enough')));
  let code: string | undefined;
  try {
    await read(stop.signal, (event) => diary.watchEvent(watch, event));
  } catch (error) {
    if (error instanceof RaftdError) code = error.code;
    else if (!(error instanceof Stopped)) throw error;
  }
  cancel();
  diary.watchClosed(watch, code);
}
