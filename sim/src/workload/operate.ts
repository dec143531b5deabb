import { assertNever } from '../assert-never.js';
import type { ClientOperation } from './operation.js';
import { endGrant } from './operations/end-grant.js';
import { fenceAdvance } from './operations/fence-advance.js';
import { lead } from './operations/lead.js';
import { observe } from './operations/observe.js';
import { putLeased } from './operations/put-leased.js';
import { range } from './operations/range.js';
import { get, getLeased } from './operations/read.js';
import { runElection } from './operations/run-election.js';
import { showElection } from './operations/show-election.js';
import { compareAndPut, transact } from './operations/transact.js';
import { unbind } from './operations/unbind.js';
import { watch } from './operations/watch.js';
import { deleteKey, deleteRange, put } from './operations/write.js';
import type { Worker } from './worker.js';

/** Carries out one operation with the real library, until it is settled. */
export async function operate(worker: Worker, operation: ClientOperation): Promise<void> {
  switch (operation.type) {
    case 'get':
      await get(worker, operation);
      return;
    case 'get-leased':
      await getLeased(worker, operation);
      return;
    case 'put':
      await put(worker, operation);
      return;
    case 'delete':
      await deleteKey(worker, operation);
      return;
    case 'compare-and-put':
      return compareAndPut(worker, operation);
    case 'transact':
      return transact(worker, operation);
    case 'range':
      await range(worker);
      return;
    case 'delete-range':
      await deleteRange(worker, operation);
      return;
    case 'put-leased':
      return putLeased(worker, operation);
    case 'unbind':
      return unbind(worker, operation);
    case 'lead':
      return lead(worker, operation);
    case 'run':
      return runElection(worker, operation);
    case 'show-election':
      return showElection(worker, operation);
    case 'observe':
      return observe(worker, operation);
    case 'watch':
      return watch(worker, operation);
    case 'end-grant':
      return endGrant(worker, operation);
    case 'fence-advance':
      return fenceAdvance(worker, operation);
    default:
      assertNever(operation);
  }
}
