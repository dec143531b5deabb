import type { Txn, WriteGuard } from '@raftd/client';
import { z } from 'zod';

import { readText } from './kv-arguments.js';
import { EXIT } from '../exit-codes.js';
import { ExitError } from './exit.js';

const bytes = z.union([
  z.string(),
  z.strictObject({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, 'base64')),
]);

const operator = z.enum(['=', '!=', '<', '>']);

const compare = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('value'), key: bytes, operator, operand: bytes }),
  ...(['version', 'create-revision', 'mod-revision'] as const).map((target) =>
    z.strictObject({
      target: z.literal(target),
      key: bytes,
      operator,
      operand: z.int().nonnegative(),
    }),
  ),
]);

const operation = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('put'),
    key: bytes,
    value: bytes,
    lease: z.string().exactOptional(),
  }),
  z.strictObject({ type: z.literal('get'), key: bytes }),
  z.strictObject({ type: z.literal('delete'), key: bytes }),
  z.strictObject({ type: z.literal('delete-range'), start: bytes, end: bytes.exactOptional() }),
]);

const guard = z.strictObject({
  election: z.string(),
  token: z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(BigInt),
});

const document = z.strictObject({
  compare: z.array(compare).default([]),
  then: z.array(operation).default([]),
  else: z.array(operation).default([]),
  guards: z.array(guard).default([]),
});

export interface TxnDocument {
  readonly txn: Txn;
  readonly guards: readonly WriteGuard[];
}

/** Reads and checks a transaction document; a fault names the field. */
export async function readTxn(file: string): Promise<TxnDocument> {
  let json: unknown;
  try {
    json = JSON.parse(await readText(file));
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError(EXIT.usage, `not a JSON document: ${(error as Error).message}`);
  }
  const parsed = document.safeParse(json);
  if (parsed.success) {
    const { guards, ...txn } = parsed.data;
    return { txn, guards };
  }
  throw new ExitError(EXIT.usage, `not a transaction:\n${z.prettifyError(parsed.error)}`);
}
