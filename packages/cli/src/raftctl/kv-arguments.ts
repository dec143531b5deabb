import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import type { KeyRange, WriteGuard } from '@raftd/client';
import { EXIT } from '../exit-codes.js';
import { ExitError } from './exit.js';

/** `ELECTION:TOKEN`; the token is what stands behind the last colon. */
export function guardOption(text: string | undefined): WriteGuard | undefined {
  if (text === undefined) return undefined;
  const colon = text.lastIndexOf(':');
  const token = text.slice(colon + 1);
  if (colon < 1 || !/^\d{1,16}$/.test(token)) {
    throw new ExitError(EXIT.usage, `--guard must be ELECTION:TOKEN, not '${text}'`);
  }
  return { election: text.slice(0, colon), token: BigInt(token) };
}

/** A decimal token as printed by `election show` and given to children as RAFTD_TOKEN. */
export function tokenArgument(text: string): bigint {
  if (/^\d{1,16}$/.test(text)) return BigInt(text);
  throw new ExitError(EXIT.usage, `TOKEN must be a decimal number, not '${text}'`);
}

export function keyRange(options: {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly prefix: string | undefined;
}): KeyRange {
  const { start, end, prefix } = options;
  if (prefix === undefined) return { start: start ?? '', ...(end === undefined ? {} : { end }) };
  if (start === undefined && end === undefined) return { prefix };
  throw new ExitError(EXIT.usage, '--prefix stands alone: drop START and --end');
}

export function readValue(text: string): Promise<Uint8Array> {
  return text === '-' ? buffer(process.stdin) : Promise.resolve(Buffer.from(text));
}

export async function readText(file: string): Promise<string> {
  if (file === '-') return (await buffer(process.stdin)).toString();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new ExitError(EXIT.usage, `cannot read ${file}: ${(error as Error).message}`);
  }
}
