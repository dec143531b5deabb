import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { createFence, type Fence, FenceError } from '@raftd/fencing/level';
import { Level } from 'level';

import type { Charge, LedgerSummary } from './ledger-api.js';

// The protected resource: a process of its own that keeps its charges on disk. Started with
// `open` it takes every charge; with `fenced` the very same writes go through the LevelDB guard.
const LOCK = 'billing';

type Ledger = Level<string, Charge>;
type Refusal = { readonly status: 412; readonly code: string; readonly message: string };

const [mode, directory, customers] = process.argv.slice(2);
const database: Ledger = new Level(directory ?? '', { valueEncoding: 'json' });
await database.open();
const fence: Fence | undefined = mode === 'fenced' ? createFence(database) : undefined;
let charges = 0;
let refused = 0;

async function charge(entry: Charge): Promise<Refusal | undefined> {
  const key = String(charges).padStart(8, '0');
  charges += 1;
  const put = { type: 'put' as const, key, value: entry };
  return guarded(async () => {
    if (fence === undefined) await database.batch([put], { sync: true });
    else await fence.write({ lock: LOCK, token: entry.token, holder: entry.holder }, [put]);
  });
}

/** Fence first, then read: a new leader raises the token before it looks at what is done. */
function raise(entry: Pick<Charge, 'token' | 'holder'>): Promise<Refusal | undefined> {
  return guarded(async () =>
    fence?.raise({ lock: LOCK, token: entry.token, holder: entry.holder }),
  );
}

async function guarded(write: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    // Anything else is a fault of the ledger and ends it: only stale tokens are counted.
    if (!(error instanceof FenceError) || error.code !== 'FENCED') throw error;
    refused += 1;
    return { status: 412, code: error.code, message: error.message };
  }
}

async function rows(): Promise<Charge[]> {
  const found: Charge[] = [];
  for await (const value of database.values({ gte: '0', lt: ':' })) found.push(value);
  return found;
}

async function summary(): Promise<LedgerSummary> {
  const perCustomer = new Map<string, number>();
  for (const { customer } of await rows()) {
    perCustomer.set(customer, (perCustomer.get(customer) ?? 0) + 1);
  }
  const counts = [...perCustomer.values()];
  return {
    charges: counts.reduce((sum, count) => sum + count, 0),
    doubleCharges: counts.filter((count) => count > 1).length,
    rejectedStaleWrites: refused,
  };
}

async function uncharged(): Promise<string[]> {
  const charged = new Set((await rows()).map(({ customer }) => customer));
  const all = Array.from({ length: Number(customers) }, (_, number) => `customer-${number + 1}`);
  return all.filter((customer) => !charged.has(customer));
}

async function body<Value>(request: IncomingMessage): Promise<Value> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Value;
}

async function answer(request: IncomingMessage): Promise<unknown> {
  switch (`${request.method} ${request.url}`) {
    case 'POST /charge':
      return charge(await body(request));
    case 'POST /fence':
      return raise(await body(request));
    case 'GET /uncharged':
      return uncharged();
    case 'GET /summary':
      return summary();
    default:
      return { status: 404 };
  }
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  void answer(request).then((reply) => {
    const refusal = reply as Refusal | undefined;
    response.statusCode = refusal?.status ?? 200;
    response.end(JSON.stringify(reply ?? {}));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(
    `${JSON.stringify({ type: 'listening', url: `http://127.0.0.1:${port}` })}\n`,
  );
});
