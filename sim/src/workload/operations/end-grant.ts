import { electionName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { lookAtElection } from './look.js';

type EndGrant = Extract<ClientOperation, { readonly type: 'end-grant' }>;

/** A stranger ends whatever grant is current. */
export async function endGrant(worker: Worker, operation: EndGrant): Promise<void> {
  const { client, diary } = worker;
  const election = client.election(electionName(operation.election));
  const shown = await lookAtElection(worker, operation.election, { stale: false });
  const leader = shown.ok ? shown.value?.leader : undefined;
  if (leader === undefined) return;
  if (operation.by === 'revoke') {
    await diary.other('lease-revoke', () => client.revokeLease(leader.lease));
  } else {
    await diary.other('withdraw', () => election.withdraw(leader.lease, leader.holder));
  }
}
