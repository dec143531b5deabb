import type { Lease } from '@raftd/client';
import { leasedKeyName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { lookAtLease } from './look.js';
import { recordPut } from './write.js';

/** Some want to see what a renewal came to. */
const LOOK_PERCENT = 40;

type PutLeased = Extract<ClientOperation, { readonly type: 'put-leased' }>;

/** A key that goes with its lease: the library renews it, or somebody by hand until he stops. */
export async function putLeased(worker: Worker, operation: PutLeased): Promise<void> {
  if (operation.end === 'revoke') await holdAndRevoke(worker, operation);
  else await renewByHand(worker, operation);
}

async function holdAndRevoke(worker: Worker, operation: PutLeased): Promise<void> {
  const { ttlMs, holdMs } = operation;
  const granted = await worker.diary.other('lease', () => worker.client.lease({ ttlMs }));
  if (!granted.ok) return;
  const lease: Lease = granted.value;
  await put(worker, operation.key, lease.id);
  await worker.rest(holdMs);
  await worker.diary.other('lease-revoke', () => lease.revoke());
}

async function renewByHand(worker: Worker, operation: PutLeased): Promise<void> {
  const { client, diary } = worker;
  const { ttlMs, holdMs } = operation;
  const granted = await diary.other('lease-grant', () => client.grantLease({ ttlMs }));
  if (!granted.ok) return;
  const { id } = granted.value;
  await put(worker, operation.key, id);
  const endsMs = worker.nowMs() + holdMs;
  while (worker.nowMs() < endsMs && !worker.isWindingDown) {
    await worker.rest(ttlMs / 3);
    const renewed = await diary.other('lease-renew', () => client.renewLease(id));
    if (!renewed.ok && renewed.code === 'LEASE_NOT_FOUND') return;
    if (worker.dice.percent(LOOK_PERCENT)) await lookAtLease(worker, id, { stale: false });
  }
}

async function put(worker: Worker, key: number, lease: string): Promise<void> {
  const name = leasedKeyName(key);
  await recordPut(worker, { key: name, lease }, (value) =>
    worker.client.put(name, value, { lease }),
  );
}
