import type { ClientOperation } from '../operation.js';
import type { Worker } from '../worker.js';
import { callOptions } from './call-options.js';
import { lookAtElection, lookAtElections, lookAtLease, lookAtLeases } from './look.js';
import { visit } from './visit.js';

type ShowElection = Extract<ClientOperation, { readonly type: 'show-election' }>;

/** Some look at what any one node has. */
const STALE_PERCENT = 15;

/** Mostly one election; sometimes whatever else a curious person asks for. */
export async function showElection(worker: Worker, operation: ShowElection): Promise<void> {
  const { client, diary, dice } = worker;
  const drawn = Math.floor(dice.next() * 10);
  const stale = dice.percent(STALE_PERCENT);
  switch (drawn) {
    case 0:
      await lookAtElections(worker, { ...callOptions(worker), stale });
      return;
    case 1: {
      const listed = await lookAtLeases(worker, { stale });
      const lease = listed.ok ? listed.value.leases[0]?.lease : undefined;
      if (lease !== undefined) await lookAtLease(worker, lease, { stale });
      return;
    }
    case 2:
      await diary.other('status', () => client.status({ timeoutMs: 1_000 }));
      return;
    case 3:
      return visit(worker);
    default:
      await lookAtElection(worker, operation.election, { ...callOptions(worker), stale });
  }
}
