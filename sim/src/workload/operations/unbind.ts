import { leasedKeyName, leasedKeysFrom } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { recordTransaction } from './transact.js';
import { deleteBetween, deleteNamed, putPlainly } from './write.js';

type Unbind = Extract<ClientOperation, { readonly type: 'unbind' }>;

/** Whatever ends the bond of a key and a lease, without the lease. */
export async function unbind(worker: Worker, { key, by }: Unbind): Promise<void> {
  const name = leasedKeyName(key);
  switch (by) {
    case 'put':
      await putPlainly(worker, name);
      return;
    case 'delete':
      await deleteNamed(worker, name);
      return;
    case 'delete-range':
      await deleteBetween(worker, leasedKeysFrom(key));
      return;
    case 'transact':
      return recordTransaction(worker, { compares: [], reads: [name], writes: [name] });
  }
}
