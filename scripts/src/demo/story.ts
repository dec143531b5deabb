import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LedgerClient, type LedgerSummary } from './ledger-api.js';
import { DemoProcess, type Progress } from './processes.js';
import { Stage } from './stage.js';

export const CUSTOMERS = 40;
const FROZEN_AFTER_CHARGES = 3;
const PATIENCE_MS = 60_000;

export type LedgerMode = 'open' | 'fenced';

export interface Half {
  readonly summary: LedgerSummary;
  /** From SIGSTOP to the next grant, as the story saw it. */
  readonly failoverMs: number;
}

/** One night of billing: the leader is frozen in the middle of a batch, then thawed. */
export async function tellHalf(
  endpoints: string,
  mode: LedgerMode,
  say: (line: string) => void,
): Promise<Half> {
  const directory = await mkdtemp(join(tmpdir(), 'raftd-ledger-'));
  const processes: DemoProcess[] = [];
  try {
    return await billingNight({ endpoints, mode, directory, processes }, say);
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}

interface Night {
  readonly endpoints: string;
  readonly mode: LedgerMode;
  readonly directory: string;
  readonly processes: DemoProcess[];
}

async function billingNight(night: Night, say: (line: string) => void): Promise<Half> {
  const stage = new Stage(PATIENCE_MS);
  const ledgerArgs = [night.mode, night.directory, String(CUSTOMERS)];
  const ledger = new DemoProcess('ledger', 'ledger', ledgerArgs);
  night.processes.push(ledger);
  ledger.onProgress((progress) => stage.hear(progress));
  const { url = '' } = await stage.next('the ledger listens', ({ type }) => type === 'listening');

  const workers = new Map(
    ['worker-a', 'worker-b', 'worker-c'].map((name) => {
      const worker = new DemoProcess(name, 'worker', [night.endpoints, url, name]);
      worker.onProgress((progress) => stage.hear(progress));
      night.processes.push(worker);
      return [name, worker];
    }),
  );
  const first = await stage.next('a worker leads', ({ type }) => type === 'leading');
  say(`${first.worker} is elected with token ${first.token} and charges the customers.`);
  const isOfFirst = ({ worker }: Progress): boolean => worker === first.worker;
  let charged = 0;
  await stage.next('it has charged a few', (progress) => {
    if (isOfFirst(progress) && progress.type === 'charged') charged += 1;
    return charged === FROZEN_AFTER_CHARGES;
  });
  const frozenAt = performance.now();
  workers.get(first.worker ?? '')?.signal('SIGSTOP');
  say(`In the middle of a batch ${first.worker} freezes (a real SIGSTOP). Its lease runs out.`);
  const isOther = (progress: Progress): boolean => !isOfFirst(progress);
  const second = await stage.next('a successor leads', (progress) => {
    return isOther(progress) && progress.type === 'leading';
  });
  const failoverMs = Math.round(performance.now() - frozenAt);
  say(`${failoverMs} ms later ${second.worker} is elected with token ${second.token}.`);
  await stage.next('the successor is done', (progress) => {
    return isOther(progress) && progress.type === 'all-charged';
  });
  say(`${second.worker} has charged everyone who was not in the ledger yet. All is well…`);
  workers.get(first.worker ?? '')?.signal('SIGCONT');
  say(`…until ${first.worker} wakes up (SIGCONT) and simply goes on with its batch.`);
  const end = await stage.next('the old leader stops', (progress) => {
    return isOfFirst(progress) && (progress.type === 'refused' || progress.type === 'lost');
  });
  say(
    end.type === 'refused'
      ? `The ledger refuses it: ${end.reason}`
      : `Only at its next batch does it notice: ${end.reason}`,
  );
  return { summary: await new LedgerClient(url).summary(), failoverMs };
}
