import { electionName } from '../names.js';
import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { visit } from './visit.js';

type ShowElection = Extract<ClientOperation, { readonly type: 'show-election' }>;

const LIMIT = 2;

/** Mostly one election; sometimes whatever else a curious person asks for. */
export async function showElection(worker: Worker, operation: ShowElection): Promise<void> {
  const { client, diary, dice } = worker;
  const drawn = Math.floor(dice.next() * 10);
  switch (drawn) {
    case 0:
      await diary.other('list-elections', () =>
        client.listElections({ ...callOptions(worker), limit: LIMIT }),
      );
      return;
    case 1: {
      const listed = await diary.other('list-leases', () => client.listLeases({ limit: LIMIT }));
      const lease = listed.ok ? listed.value.leases[0]?.lease : undefined;
      if (lease === undefined) return;
      await diary.other('show-lease', () => client.showLease(lease, { consistency: 'stale' }));
      return;
    }
    case 2:
      await diary.other('status', () => client.status({ timeoutMs: 1_000 }));
      return;
    case 3:
      return visit(worker);
    default:
      await diary.other('show-election', () =>
        client.election(electionName(operation.election)).show(callOptions(worker)),
      );
  }
}
