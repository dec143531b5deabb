import { setTimeout as sleep } from 'node:timers/promises';

import { connect, type Leadership } from '@raftd/client';

import { LedgerClient, StaleToken } from './ledger-api.js';

// The billing worker: the same program for both ledgers. It checks that it leads once a batch,
// then charges customer by customer. It knows nothing of being frozen.
const BATCH = 10;
const PAYMENT_MS = 40;
const PRICE_CENTS = 4_900;

const [endpoints, ledgerUrl, worker] = process.argv.slice(2) as [string, string, string];
const client = await connect(endpoints);
const ledger = new LedgerClient(ledgerUrl);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

/** Progress, a JSON line each: what the story narrates. */
function tell(progress: Readonly<Record<string, string | number>>): void {
  process.stdout.write(`${JSON.stringify({ worker, ...progress })}\n`);
}

async function bill(leadership: Leadership): Promise<void> {
  const token = String(leadership.token);
  const holder = leadership.holder;
  tell({ type: 'leading', token });
  await ledger.fence({ token, holder });
  while (!stop.signal.aborted) {
    leadership.assertHeld();
    const batch = (await ledger.uncharged()).slice(0, BATCH);
    if (batch.length === 0) tell({ type: 'all-charged' });
    for (const customer of batch) {
      await ledger.charge({ customer, cents: PRICE_CENTS, worker, token, holder });
      tell({ type: 'charged', customer });
      await sleep(PAYMENT_MS);
    }
    if (batch.length === 0) await sleep(250);
  }
}

await client
  .election('billing')
  .run({ candidate: worker, ttlMs: 3_000, signal: stop.signal }, async (leadership) => {
    try {
      await bill(leadership);
    } catch (error) {
      const stale = error instanceof StaleToken;
      if (!stale && leadership.held) throw error;
      tell({ type: stale ? 'refused' : 'lost', reason: (error as Error).message });
    }
  })
  .catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
await client.close();
