import { NOTHING } from '../diary.js';
import { electionName, resourceName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { lookAtElection } from './look.js';

type FenceAdvance = Extract<ClientOperation, { readonly type: 'fence-advance' }>;

/** Raises a resource's record to a token: one of its own grants, or the current one. */
export async function fenceAdvance(worker: Worker, operation: FenceAdvance): Promise<void> {
  const { client, diary } = worker;
  const name = electionName(operation.election);
  const own = worker.holdings.find(({ leadership }) => leadership.election === name);
  const token = own?.leadership.token ?? (await currentToken(worker, operation.election));
  if (token === undefined) return;
  const resource = resourceName(operation.resource);
  await diary.record(
    () => ({ type: 'fence-advance', resource, guarded: { election: name, token } }),
    () => client.fenceAdvance(resource, name, token),
    () => NOTHING,
  );
}

async function currentToken(worker: Worker, election: number): Promise<bigint | undefined> {
  const shown = await lookAtElection(worker, election, { stale: false });
  return shown.ok ? shown.value?.leader?.token : undefined;
}
